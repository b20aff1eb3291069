import type { Scalar } from '#shared/values/value-type.ts';

/** An error in a row; `field` is the name of the field or column, null for the row as a whole. */
export interface RowProblem {
  readonly field: string | null;
  readonly message: string;
}

/**
 * The position of a row: the line (from 1) of a CSV file, or -1 - N for the entry N (from 0) of a definition file.
 * A number, because one is stored for each row of a load.
 */
export type RowPosition = number;

/** A row to be loaded, its values checked against the definition. */
export interface LoadedRow {
  readonly position: RowPosition;
  /** null: the next id */
  readonly id: number | null;
  /** by the position of the field in the definition; undefined: not in the row */
  readonly values: readonly (Scalar | undefined)[];
  readonly keywords: readonly (readonly string[] | undefined)[];
  /** paths of the revision's files, absolute */
  readonly files: readonly string[] | undefined;
  readonly problems: readonly RowProblem[];
  /** the cells of the row, for the file of bad rows */
  readonly cells: readonly string[];
  /** the text by which the row is recognised when it is loaded again, whatever the definition is then */
  content(): string;
}

/** Rows with ids are loaded first: the others must not get an id that is given later. */
export type Pass = 'with id' | 'without id';

/** A source of rows: a CSV file, or the definition file itself. */
export interface RowSource {
  /** the name of the file in the ledger */
  readonly name: string;
  /** between the cells of a line, also in the file of bad rows */
  readonly separator: string;
  /** the names of a row's cells */
  readonly columns: readonly string[];
  /** whether `with id` can yield rows */
  readonly mayHaveIds: boolean;
  /** whether a complete `with id` pass has skipped rows without an id; true if there was no such pass */
  readonly mayLackIds: boolean;
  rows(pass: Pass): AsyncIterable<LoadedRow>;
  /** progress of the current reading, 0 to 1 */
  fraction(): number;
}
