import type { Column } from '#shared/rules/definitions.ts';
import type { CheckException, Dataset, Finding } from '#shared/contract/answers.ts';
import type { Scalar } from '#shared/values/values.ts';
import { checkValue } from '#web/fields/value-checks.ts';
import { localText } from '#web/fields/value-text.ts';
import { parseTyped } from '#web/fields/typed-text.ts';
import * as texts from '#messages/tables.ts';

/** A record as the server answered it last, with the version for `If-Match`. */
export interface Stored {
  readonly dataset: Dataset;
  readonly etag: string | null;
  /** what checks find in it; undefined: the answer does not say */
  readonly findings?: readonly Finding[] | undefined;
  /** the checks that are not met, where somebody has said that the record is right as it is; of answers about one record */
  readonly exceptions?: readonly CheckException[] | undefined;
}

/** `jrid` of a record, or `new:N` of a row that the server does not have yet. */
export type RowKey = string;

type CellStatus =
  /** cannot be read as a value of its column; stays as typed and is not sent */
  | { readonly is: 'unread'; readonly message: string }
  /** is a value and will be sent, or is under way */
  | { readonly is: 'waiting'; readonly value: Scalar }
  /** the server refused it */
  | { readonly is: 'refused'; readonly value: Scalar; readonly message: string }
  /** somebody else has changed the same cell since */
  | { readonly is: 'conflict'; readonly value: Scalar; readonly theirs: Scalar };

/** What was typed into one cell and is not at the server yet. */
export interface CellEdit {
  /** newer edits have higher numbers */
  readonly sequence: number;
  /** as typed; null where the cell was cleared */
  readonly text: string | null;
  /** what the server had when the edit was made */
  readonly base: Scalar;
  readonly status: CellStatus;
}

/** By column name. */
export type Cells = ReadonlyMap<string, CellEdit>;
const NO_CELLS: Cells = new Map();

/** The changed columns of one call, each with the edit that it came from. */
export interface Batch {
  readonly values: Readonly<Record<string, Scalar>>;
  readonly sent: Cells;
}

/** A row that is being created. It stays in its place, after the others, until the list is read again. */
export interface NewRow {
  readonly key: RowKey;
  /** under which it is sent, again too where the answer got lost; null until it is sent */
  readonly once: string | null;
  /** what is sent under it: another body would be refused under the same key */
  readonly sent?: Batch | null;
  readonly cells: Cells;
  readonly is: 'typed' | 'sending' | 'refused';
  /** why it was refused, where that belongs to no cell */
  readonly message: string | null;
  /** set once the server has created it; its edits then stand among those of records */
  readonly stored: Stored | null;
}

/** Everything that was typed in the grid of one table and is not settled. */
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

/** New rows by their keys, where there are so many that a paste left them: looked for with each row that is drawn. */
const byKey = new WeakMap<readonly NewRow[], ReadonlyMap<RowKey, NewRow>>();
const MANY = 50;

/** A row that is not created yet, or was created here. */
export function newRowOf({ newRows }: Edits, key: RowKey): NewRow | undefined {
  if (!isNewRow(key)) return undefined;
  if (newRows.length < MANY) return newRows.find((row) => row.key === key);
  let rows = byKey.get(newRows);
  if (!rows) byKey.set(newRows, (rows = new Map(newRows.map((row) => [row.key, row]))));
  return rows.get(key);
}

/** The unsettled cells of a row. */
export function cellsOf(edits: Edits, key: RowKey): Cells {
  const row = newRowOf(edits, key);
  if (row && !row.stored) return row.cells;
  return edits.records.get(row?.stored?.dataset.jrid ?? key) ?? NO_CELLS;
}

/** The value that a cell shows where what was typed can be read; `stored` is what the server has. */
export function valueShown(edit: CellEdit | undefined, stored: Scalar): Scalar {
  return !edit || edit.status.is === 'unread' ? stored : edit.status.value;
}

/** The text with which editing a cell begins. */
export function textShown(column: Column, edit: CellEdit | undefined, stored: Scalar): string {
  return edit?.status.is === 'unread'
    ? (edit.text ?? '')
    : localText(column, valueShown(edit, stored));
}

/** What to say about a cell, null where all is well. */
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

/** The values of a cell while somebody types into it; null in a row that is not created yet. */
export interface Behind {
  /** what the cell showed when the typing began */
  readonly seen: Scalar;
  /** what the server has, as far as is known now */
  readonly stored: Scalar;
  /** whether an edit of this cell is being sent right now */
  readonly underWay?: boolean;
}

/**
 * What is written into a cell: as typed, to be read by its column's rules (null clears it), or a value as it is.
 * With an objection what was typed is no value, even where it could be read as one, such as the error of a formula.
 */
export type Entry =
  | { readonly typed: string | null; readonly objection?: string }
  | { readonly value: Scalar };

/** One cell to be written. */
export type CellWrite = Entry & {
  readonly key: RowKey;
  readonly column: Column;
  /** what the cell showed when the act began */
  readonly seen: Scalar;
  /** the record as the list shows it now; null in a new row */
  readonly listed: Stored | null;
};

/** Takes over what was typed into a cell. */
export function type(
  edits: Edits,
  key: RowKey,
  column: Column,
  typed: string | null,
  behind: Behind,
): Edits {
  return put(edits, key, column, { typed }, behind);
}

/** Takes over what is written into a cell. Values, too, are checked by the rules of the column. */
export function put(
  edits: Edits,
  key: RowKey,
  column: Column,
  entry: Entry,
  { seen, stored, underWay = false }: Behind,
): Edits {
  const before = cellsOf(edits, key).get(column.name);
  const base = before ? before.base : seen;
  const { text, parsed } =
    'value' in entry
      ? {
          text: entry.value === null ? null : localText(column, entry.value),
          parsed: checkValue(column, entry.value),
        }
      : entry.objection === undefined
        ? parseTyped(column, entry.typed, valueShown(before, stored))
        : { text: entry.typed, parsed: { ok: false as const, message: entry.objection } };
  const nothingTyped = isNewRow(key) && (text === null || text === '');
  const asStored = parsed.ok && parsed.value === stored && base === stored && !underWay;
  if (nothingTyped || (asStored && !isNewRow(key))) return withCell(edits, key, column.name, null);
  const sequence = edits.sequence + 1;
  const status: CellStatus = parsed.ok
    ? { is: 'waiting', value: parsed.value }
    : { is: 'unread', message: parsed.message };
  return withCell({ ...edits, sequence }, key, column.name, { sequence, text, base, status });
}

/** Puts an edit in the place of a cell's edit; null takes it away, so that the cell shows what is stored. */
export function withCell(edits: Edits, key: RowKey, column: string, edit: CellEdit | null): Edits {
  const cells = new Map(cellsOf(edits, key));
  if (edit) cells.set(column, edit);
  else cells.delete(column);
  return withCells(edits, key, cells);
}

function withCells(edits: Edits, key: RowKey, cells: Cells): Edits {
  const at = edits.newRows.findIndex((row) => row.key === key);
  const row = edits.newRows[at];
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

/** Puts a new row in the place of the one with its key. */
export function withNewRow(edits: Edits, row: NewRow): Edits {
  return { ...edits, newRows: edits.newRows.map((old) => (old.key === row.key ? row : old)) };
}

export function withoutNewRows(edits: Edits, gone: (row: NewRow) => boolean): Edits {
  return { ...edits, newRows: edits.newRows.filter((row) => !gone(row)) };
}

/** Forgets what was typed in records that are no more. */
export function withoutRecords(edits: Edits, jrids: Iterable<string>): Edits {
  const records = new Map(edits.records);
  for (const jrid of jrids) records.delete(jrid);
  return { ...edits, records };
}

export interface Counts {
  /** cells and rows on their way */
  readonly waiting: number;
  /** cells and rows that somebody must look at */
  readonly problems: number;
}

/** Of one state of the edits it is asked by several, with each key that is typed. */
const counts = new WeakMap<Edits, Counts>();

/** What the foot of the grid says about unsettled edits. */
export function countEdits(edits: Edits): Counts {
  let known = counts.get(edits);
  if (!known) counts.set(edits, (known = countAll(edits)));
  return known;
}

/** Whether something was typed that the service does not have. */
export function hasUnsaved(edits: Edits): boolean {
  const { waiting, problems } = countEdits(edits);
  return waiting + problems > 0 || edits.newRows.some(({ stored }) => !stored);
}

function countAll(edits: Edits): Counts {
  let waiting = 0;
  let problems = 0;
  for (const cells of edits.records.values()) {
    const own = waitingIn(cells);
    waiting += own;
    problems += cells.size - own;
  }
  for (const row of edits.newRows) {
    if (row.stored) continue;
    if (row.is === 'sending') waiting++;
    else if (row.is === 'refused' || waitingIn(row.cells) < row.cells.size) problems++;
  }
  return { waiting, problems };
}

/** Of tens of thousands of rows few change between two looks. */
const counted = new WeakMap<Cells, number>();

function waitingIn(cells: Cells): number {
  let waiting = counted.get(cells);
  if (waiting !== undefined) return waiting;
  waiting = 0;
  for (const { status } of cells.values()) if (status.is === 'waiting') waiting++;
  counted.set(cells, waiting);
  return waiting;
}

/** The content of a cell, in the form in which it can be written again. */
export function entryIn(edit: CellEdit | undefined, stored: Scalar): Entry {
  return edit?.status.is === 'unread'
    ? { typed: edit.text, objection: edit.status.message }
    : { value: valueShown(edit, stored) };
}

/** Whether two entries leave the same in a cell; nothing typed leaves nothing, whatever is said against it. */
export function sameEntry(one: Entry, other: Entry): boolean {
  if (isNothing(one) && isNothing(other)) return true;
  if ('value' in one) return 'value' in other && one.value === other.value;
  return 'typed' in other && one.typed === other.typed;
}

function isNothing(entry: Entry): boolean {
  return 'value' in entry ? entry.value === null : entry.typed === null;
}

/** What a cell holds after an entry; one that makes no edit leaves what the server has. */
export function afterIn(
  edits: Edits,
  key: RowKey,
  column: Column,
  entry: Entry,
  stored: Scalar,
): Entry {
  const edit = cellsOf(edits, key).get(column.name);
  return edit
    ? entryIn(edit, stored)
    : 'value' in entry
      ? { value: entry.value }
      : { value: stored };
}
