import type { TableDetail } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { CheckedRecord, FieldSuggestion } from '#web/findings/finding.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { FindingsSource } from '#web/findings/findings-source.ts';
import type { Cells, Stored } from '../edit-store/edits.ts';

/** What an editor holds, as a value of its column where it can be read. */
export type Typed = { readonly ok: true; readonly value: Scalar } | { readonly ok: false };

/** A row as it is shown: what is stored, what was typed and not saved, and what is being typed. */
export interface EditedRow {
  /** null: a new row */
  readonly stored: Stored | null;
  readonly cells: Cells;
  /** what the open editors hold, by column */
  readonly typing: ReadonlyMap<string, Typed>;
}

type ColumnField = TableDetail['columns'][number];

/** The columns of a table as fields of a record that is checked; a column's name is its place. */
export function checkedFields(columns: readonly ColumnField[]): readonly ArchiveField[] {
  return columns.map((column) => ({
    place: column.name,
    name: column.name,
    label: column.label,
    definition: column,
    isReadOnly: column.readOnly === true,
  }));
}

/** A row as its editors hold it, for checks. */
export function rowRecord(
  fields: readonly ArchiveField[],
  { stored, cells, typing }: EditedRow,
): CheckedRecord {
  const now = new Map<string, Scalar>();
  const edited = new Set<string>();
  const unreadable = new Set<string>();
  for (const { name } of fields) {
    const before = stored?.dataset[name] ?? null;
    const typed = typing.get(name) ?? parsedIn(cells, name);
    const value = typed === undefined ? before : typed.ok ? typed.value : null;
    now.set(name, value);
    if (typed?.ok === false) unreadable.add(name);
    if (typed !== undefined && (!typed.ok || value !== before)) edited.add(name);
  }
  return { fields, valueOf: (name) => now.get(name) ?? null, edited, unreadable };
}

function parsedIn(cells: Cells, name: string): Typed | undefined {
  const edit = cells.get(name);
  if (!edit) return undefined;
  const { status } = edit;
  return status.is === 'unread' ? { ok: false } : { ok: true, value: status.value };
}

/** What a check suggests, as values of the cells of a row; a column's name is its place. */
export function fillsOf({ values }: FieldSuggestion): Fill[] {
  return values.flatMap(([name, text]) => (isList(text) ? [] : [{ name, text }]));
}

/** What is known of a row whose findings are computed. */
export function sourceOf(
  fields: readonly ArchiveField[],
  stored: Stored | null,
): Pick<FindingsSource, 'fields' | 'findings' | 'exceptions' | 'storedOf'> {
  return {
    fields,
    findings: stored?.findings,
    exceptions: stored?.exceptions,
    storedOf: ({ name }) => stored?.dataset[name] ?? null,
  };
}
