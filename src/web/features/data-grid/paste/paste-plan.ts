import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { RowKey, ServerRecord } from '../edit-store/edits.ts';
import type { FormatAnswers } from './format-answers.ts';

/** The target of a clipboard row. */
export type Target =
  | { readonly is: 'record'; readonly key: RowKey; readonly stored: ServerRecord }
  /** an unsaved new row of the grid */
  | { readonly is: 'unsaved'; readonly key: RowKey }
  /** after the last row: a record is created */
  | { readonly is: 'new' }
  /** a row that was deleted since the list was loaded */
  | { readonly is: 'deleted' };

/** An ambiguity in a column's cells. */
export interface FormatQuestion {
  readonly column: Column;
  readonly about: 'decimal' | 'order';
  /** an ambiguous cell */
  readonly example: string;
}

/** The effect on a cell. `untouched`: the clipboard has no cell for it. */
type Effect =
  | { readonly kind: 'untouched' | 'unchanged' | 'ambiguous' }
  | { readonly kind: 'value'; readonly value: Scalar }
  | { readonly kind: 'unreadable'; readonly message: string };

/** A cell of the table, with the text that the clipboard has for it. */
export type PlannedCell = Effect & { readonly column: Column; readonly text: string };

/** A row of the table, and the effect on each of the target columns. */
export interface PlannedRow {
  /** of the grid, from 1 */
  readonly number: number;
  readonly target: Target;
  readonly cells: readonly PlannedCell[];
  /** the required columns that a new row would lack */
  readonly missing: readonly string[];
}

/** The effect of a paste. */
export interface Plan {
  /** the target columns, from the focused one on */
  readonly columns: readonly Column[];
  readonly rows: readonly PlannedRow[];
  readonly questions: readonly FormatQuestion[];
  /** those by which it was planned */
  readonly answers: FormatAnswers;
  /** false: some values of unique columns are compared with the table only when they are saved */
  readonly uniqueCompared: boolean;
}

/** Whether some cells of a row are of these kinds. */
export function hasCells(
  { cells }: Pick<PlannedRow, 'cells'>,
  ...kinds: readonly PlannedCell['kind'][]
): boolean {
  return cells.some(({ kind }) => kinds.includes(kind));
}

/** Whether a row of a plan has any effect. */
export function changesRow(row: Pick<PlannedRow, 'cells'>): boolean {
  return hasCells(row, 'value', 'ambiguous', 'unreadable');
}

/** The numbers of cells and rows in a plan. */
export function countsOf({ rows }: Plan) {
  const records = rows.filter(({ target }) => target.is === 'record');
  const cellsIn = (some: readonly PlannedRow[], kind: PlannedCell['kind']) =>
    some.reduce((sum, { cells }) => sum + cells.filter((cell) => cell.kind === kind).length, 0);
  return {
    /** cells of records that get another value */
    changed: cellsIn(records, 'value'),
    unchanged: cellsIn(rows, 'unchanged'),
    unreadable: cellsIn(rows, 'unreadable'),
    ambiguous: cellsIn(rows, 'ambiguous'),
    newRows: rows.filter((row) => row.target.is !== 'record' && changesRow(row)).length,
    /** new rows without a required value */
    incomplete: rows.filter(({ missing }) => missing.length > 0).length,
    deleted: rows.filter(({ target }) => target.is === 'deleted').length,
  };
}
