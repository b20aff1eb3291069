import type { Column } from '#shared/rules/definitions.ts';
import type { CheckException, Dataset, Finding } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { checkValue } from '#web/fields/value-checks.ts';
import { localText } from '#web/fields/value-text.ts';
import { parseTyped } from '#web/fields/typed-text.ts';
import * as texts from '#messages/tables.ts';

/** The last state of a record from the server, with the version for `If-Match`. */
export interface ServerRecord {
  readonly dataset: Dataset;
  readonly etag: string | null;
  /** its findings; undefined: not in the answer */
  readonly findings?: readonly Finding[] | undefined;
  /** the failed checks for which the record has exceptions; in answers about one record */
  readonly exceptions?: readonly CheckException[] | undefined;
}

/** `jrid` of a record, or `new:N` of a row that the server does not have yet. */
export type RowKey = string;

/** Browsers store it with the edits, so its names must not change. */
type CellStatus =
  /** not a valid value of its column; stays as typed and is not sent */
  | { readonly is: 'unread'; readonly message: string }
  /** a valid value that will be sent, or is being sent */
  | { readonly is: 'waiting'; readonly value: Scalar }
  /** rejected by the server */
  | { readonly is: 'refused'; readonly value: Scalar; readonly message: string }
  /** another user has meanwhile changed the same cell */
  | { readonly is: 'conflict'; readonly value: Scalar; readonly theirs: Scalar };

/** Text that was typed into one cell and is not saved yet. */
export interface CellEdit {
  /** newer edits have higher numbers */
  readonly sequence: number;
  /** as typed; null if the cell was cleared */
  readonly text: string | null;
  /** the server's value when the edit was made */
  readonly base: Scalar;
  readonly status: CellStatus;
}

/** By column name. */
export type Cells = ReadonlyMap<string, CellEdit>;
const NO_CELLS: Cells = new Map();

/** The changed columns of one call, each with its edit. */
export interface Batch {
  readonly values: Readonly<Record<string, Scalar>>;
  readonly sent: Cells;
}

/** A row that is being created. It stays at its position, after the others, until the list is reloaded. */
export interface NewRow {
  readonly key: RowKey;
  /** the idempotency key, also for repeats after a lost answer; null until it is sent */
  readonly once: string | null;
  /** the request sent with that key: another body would be rejected for the same key */
  readonly sent?: Batch | null;
  readonly cells: Cells;
  readonly is: 'typed' | 'sending' | 'refused';
  /** why it was rejected, if the reason belongs to no cell */
  readonly message: string | null;
  /** set once the server has created it; its edits are then stored like those of records */
  readonly stored: ServerRecord | null;
}

/** All text that was typed in the grid of one table and is not saved. */
export interface Edits {
  readonly records: ReadonlyMap<RowKey, Cells>;
  readonly newRows: readonly NewRow[];
  readonly sequence: number;
}

export const NO_EDITS: Edits = { records: new Map(), newRows: [], sequence: 0 };

/** The key of the empty last row. */
export function emptyRowKey(edits: Edits): RowKey {
  return `new:${edits.sequence + 1}`;
}

export function isNewRow(key: RowKey): boolean {
  return key.startsWith('new:');
}

/** A row that is not created yet, or was created here. */
export function newRowOf({ newRows }: Edits, key: RowKey): NewRow | undefined {
  return isNewRow(key) ? newRows.find((row) => row.key === key) : undefined;
}

/** The `jrid` of a row's record; undefined if the server does not have it yet. */
export function jridOf(edits: Edits, key: RowKey): string | undefined {
  return isNewRow(key) ? newRowOf(edits, key)?.stored?.dataset.jrid : key;
}

/** The unsaved cells of a row. */
export function cellsOf(edits: Edits, key: RowKey): Cells {
  const row = newRowOf(edits, key);
  if (row && !row.stored) return row.cells;
  return edits.records.get(row?.stored?.dataset.jrid ?? key) ?? NO_CELLS;
}

/** The value that a cell shows if its text is valid; `stored` is the server's value. */
export function valueShown(edit: CellEdit | undefined, stored: Scalar): Scalar {
  return !edit || edit.status.is === 'unread' ? stored : edit.status.value;
}

/** The value that a cell of a row shows. @param row `stored` is its record as listed; null in a new row */
export function cellValue(
  edits: Edits,
  { key, stored }: { readonly key: RowKey; readonly stored: ServerRecord | null },
  column: string,
): Scalar {
  return valueShown(cellsOf(edits, key).get(column), stored?.dataset[column] ?? null);
}

/** The text with which editing a cell starts. */
export function textShown(column: Column, edit: CellEdit | undefined, stored: Scalar): string {
  return edit?.status.is === 'unread'
    ? (edit.text ?? '')
    : localText(column, valueShown(edit, stored));
}

/** The message about a cell; null if there is none. */
export function problemOf(edit: CellEdit | undefined): string | null {
  switch (edit?.status.is) {
    case 'unread':
    case 'refused':
      return edit.status.message;
    case 'conflict':
      return texts.conflict;
    default:
      return null;
  }
}

/** The values of a cell while the user types into it; null in a row that is not created yet. */
export interface CellContext {
  /** the cell's value when the typing began */
  readonly initialValue: Scalar;
  /** the server's last known value */
  readonly stored: Scalar;
  /** whether an edit of this cell is being sent right now */
  readonly isSending?: boolean;
}

/**
 * The content to write into a cell: typed text, to be parsed by its column's rules (null clears it), or a value. With
 * an objection the typed text is no value, even if it could be parsed, such as the error of a formula.
 */
export type CellEntry =
  | { readonly typed: string | null; readonly objection?: string }
  | { readonly value: Scalar };

/** One cell to write. */
export type CellWrite = CellEntry & {
  readonly key: RowKey;
  readonly column: Column;
  /** the cell's value when the action began */
  readonly initialValue: Scalar;
  /** the record as listed now; null in a new row */
  readonly listed: ServerRecord | null;
};

/** The write of an entry over the value that a cell of a row shows now. */
export function writeOver(
  edits: Edits,
  row: { readonly key: RowKey; readonly stored: ServerRecord | null },
  column: Column,
  entry: CellEntry,
): CellWrite {
  const initialValue = cellValue(edits, row, column.name);
  return { key: row.key, column, initialValue, listed: row.stored, ...entry };
}

/** An entry, and the cell that it is written into. */
interface WrittenEntry extends CellContext {
  readonly key: RowKey;
  readonly column: Column;
  readonly entry: CellEntry;
}

/** Stores the content written into a cell. Values are also checked by the rules of the column. */
export function writeEntry(
  edits: Edits,
  { key, column, entry, initialValue, stored, isSending = false }: WrittenEntry,
): Edits {
  const previous = cellsOf(edits, key).get(column.name);
  const base = previous ? previous.base : initialValue;
  const { text, parsed } =
    'value' in entry
      ? {
          text: entry.value === null ? null : localText(column, entry.value),
          parsed: checkValue(column, entry.value),
        }
      : entry.objection === undefined
        ? parseTyped(column, entry.typed, valueShown(previous, stored))
        : { text: entry.typed, parsed: { ok: false as const, message: entry.objection } };
  const isAsStored = parsed.ok && parsed.value === stored && base === stored && !isSending;
  // An emptied cell of a new row is sent where the row was, because what was sent may be stored, and where the cell was
  // filled instead of its default.
  const isKept =
    (previous && column.default !== null && !column.required) || newRowOf(edits, key)?.once;
  const isNoEdit = isNewRow(key) ? !text && !isKept : isAsStored;
  if (isNoEdit) return withCell(edits, key, column.name, null);
  const sequence = edits.sequence + 1;
  const status: CellStatus = parsed.ok
    ? { is: 'waiting', value: parsed.value }
    : { is: 'unread', message: parsed.message };
  return withCell({ ...edits, sequence }, key, column.name, { sequence, text, base, status });
}

/** Replaces a cell's edit; null removes it, so that the cell shows the stored value. */
export function withCell(edits: Edits, key: RowKey, column: string, edit: CellEdit | null): Edits {
  const cells = new Map(cellsOf(edits, key));
  if (edit) cells.set(column, edit);
  else cells.delete(column);
  return withCells(edits, key, cells);
}

function withCells(edits: Edits, key: RowKey, cells: Cells): Edits {
  const row = edits.newRows.find((one) => one.key === key);
  if (isNewRow(key) && !row?.stored) {
    if (row)
      return withNewRow(edits, { ...row, cells, is: row.is === 'sending' ? 'sending' : 'typed' });
    if (cells.size === 0) return edits;
    const started: NewRow = {
      key,
      once: null,
      cells,
      is: 'typed',
      message: null,
      stored: null,
    };
    return { ...edits, newRows: [...edits.newRows, started] };
  }
  const records = new Map(edits.records);
  const jrid = row?.stored?.dataset.jrid ?? key;
  if (cells.size > 0) records.set(jrid, cells);
  else records.delete(jrid);
  return { ...edits, records };
}

/** Replaces the new row with the same key. */
export function withNewRow(edits: Edits, row: NewRow): Edits {
  return { ...edits, newRows: edits.newRows.map((old) => (old.key === row.key ? row : old)) };
}

export function withoutNewRows(edits: Edits, isRemoved: (row: NewRow) => boolean): Edits {
  return { ...edits, newRows: edits.newRows.filter((row) => !isRemoved(row)) };
}

/** Discards the edits of records that no longer exist. */
export function withoutRecords(edits: Edits, jrids: Iterable<string>): Edits {
  const records = new Map(edits.records);
  for (const jrid of jrids) records.delete(jrid);
  return { ...edits, records };
}

interface EditCounts {
  /** cells and rows that are being sent */
  readonly waiting: number;
  /** cells and rows with problems */
  readonly problems: number;
}

/** Cached, because several components need it for the same state, with each typed key. */
const countsByEdits = new WeakMap<Edits, EditCounts>();

/** The counts of unsaved edits for the foot of the grid. */
export function countEdits(edits: Edits): EditCounts {
  let cached = countsByEdits.get(edits);
  if (!cached) countsByEdits.set(edits, (cached = countAll(edits)));
  return cached;
}

/** Whether there is typed text that the service does not have. */
export function hasUnsaved({ records, newRows }: Edits): boolean {
  return records.size > 0 || newRows.some(({ stored }) => !stored);
}

function countAll(edits: Edits): EditCounts {
  let waiting = 0;
  let problems = 0;
  for (const cells of edits.records.values()) {
    for (const { status } of cells.values()) {
      if (status.is === 'waiting') waiting++;
      else problems++;
    }
  }
  for (const row of edits.newRows) {
    if (row.stored) continue;
    if (row.is === 'sending') waiting++;
    else if (row.is === 'refused' || hasProblem(row.cells)) problems++;
  }
  return { waiting, problems };
}

function hasProblem(cells: Cells): boolean {
  return [...cells.values()].some(({ status }) => status.is !== 'waiting');
}

/** The content of a cell, in a form that can be written again. */
export function entryOfCell(edit: CellEdit | undefined, stored: Scalar): CellEntry {
  return edit?.status.is === 'unread'
    ? { typed: edit.text, objection: edit.status.message }
    : { value: valueShown(edit, stored) };
}

/** Whether two entries have the same effect on a cell; empty text has none, whatever the objection. */
export function isSameEntry(a: CellEntry, b: CellEntry): boolean {
  if (isEmptyEntry(a) && isEmptyEntry(b)) return true;
  if ('value' in a) return 'value' in b && a.value === b.value;
  return 'typed' in b && a.typed === b.typed;
}

function isEmptyEntry(entry: CellEntry): boolean {
  return 'value' in entry ? entry.value === null : entry.typed === null;
}

/** The content of a cell after an entry; an entry without an edit leaves the server's value. */
export function entryAfter(
  edits: Edits,
  { key, column, entry, stored }: Omit<WrittenEntry, 'initialValue' | 'isSending'>,
): CellEntry {
  const edit = cellsOf(edits, key).get(column.name);
  return edit ? entryOfCell(edit, stored) : { value: 'value' in entry ? entry.value : stored };
}
