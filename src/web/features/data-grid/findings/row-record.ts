import type { Scalar } from '#shared/values/value-type.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { CheckedRecord, FieldSuggestion } from '#web/findings/finding.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { isList } from '#web/fields/value-checks.ts';
import type { FindingsSource } from '#web/findings/findings-source.ts';
import type { Cells, ServerRecord } from '../edit-store/edits.ts';

/** An editor's content as a value of its column, if it is valid. */
export type Typed = { readonly ok: true; readonly value: Scalar } | { readonly ok: false };

/** A row as shown: the stored values, unsaved edits, and the text in open editors. */
interface EditedRow {
  /** null: a new row */
  readonly stored: ServerRecord | null;
  readonly cells: Cells;
  /** the content of open editors, by column */
  readonly typing: ReadonlyMap<string, Typed>;
}

/** A row with the values of its editors, for checks. */
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

/** A check's suggestion as values of a row's cells; a column's name is its path. */
export function fillsOf({ values }: FieldSuggestion): Fill[] {
  return values.flatMap(([name, text]) => (isList(text) ? [] : [{ name, text }]));
}

/** The data about a row for computing its findings. */
export function sourceOf(
  fields: readonly ArchiveField[],
  stored: ServerRecord | null,
): Pick<FindingsSource, 'fields' | 'findings' | 'exceptions' | 'storedOf'> {
  return {
    fields,
    findings: stored?.findings,
    exceptions: stored?.exceptions,
    storedOf: ({ name }) => stored?.dataset[name] ?? null,
  };
}
