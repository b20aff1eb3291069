import type { Scalar } from '#shared/values.ts';

/** What is wrong with a row; `field` is the name of the field or column, null for the row as a whole. */
export interface RowProblem {
  readonly field: string | null;
  readonly message: string;
}

/**
 * Where a row stands: the line (from 1) of a CSV file, or -1 - N for the entry N (from 0) of a definition file.
 * A number, as one is remembered for each row of a load.
 */
export type RowPlace = number;

/** A row to be loaded, its values checked against the definition. */
export interface Row {
  readonly place: RowPlace;
  /** null: the next id */
  readonly id: number | null;
  /** by the place of the field in the definition; undefined: the row does not tell */
  readonly values: readonly (Scalar | undefined)[];
  readonly keywords: readonly (readonly string[] | undefined)[];
  /** paths of the revision's files, absolute */
  readonly files: readonly string[] | undefined;
  readonly problems: readonly RowProblem[];
  /** the row as it stands in its file, for the file of bad rows */
  readonly cells: readonly string[];
  /** the text by which the row is recognised when it is loaded again, whatever the definition is then */
  content(): string;
}

/** Rows with ids come first: those without must not take an id that another brings. */
export type Pass = 'with id' | 'without id';

/** Where rows come from. */
export interface RowSource {
  /** the name under which the ledger knows the file */
  readonly name: string;
  /** between the cells of a line, also where bad rows are written */
  readonly separator: string;
  /** the names of a row's cells */
  readonly columns: readonly string[];
  /** whether `with id` can yield rows */
  readonly mayHaveIds: boolean;
  /** whether rows without id were passed over by a whole reading of those with; true where there was none */
  readonly mayLackIds: boolean;
  rows(pass: Pass): AsyncIterable<Row>;
  /** how much of the current reading is done, 0 to 1 */
  fraction(): number;
  /** of the file's bytes, hexadecimal, after a whole reading */
  digest(): string;
}
