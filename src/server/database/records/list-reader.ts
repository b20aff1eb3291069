import type { RawBuilder } from 'kysely';
import type { ExactSum } from '#shared/values/exact-sums.ts';
import type { ListColumn, ListFilter, ListQuery } from '#shared/rules/lists.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { Collection } from './collection.ts';
import type { StoredField } from './columns.ts';
import type { SummedField } from './exact-sum.ts';
import type { StoredRecord } from './record.ts';

export interface Page {
  readonly records: readonly StoredRecord[];
  /** null where the query does not ask for the total */
  readonly count: Count | null;
  /** for `after`; null on the last page */
  readonly next: string | null;
}

/** How many records match, as far as they are counted while a client waits for a page. */
export type Count = { readonly total: number } | { readonly total: null; readonly atLeast: number };

/** A value of a field, and in how many records. */
export interface ValueInUse {
  readonly value: Scalar;
  readonly count: number;
}

/** Which records of an archive or table are asked for. */
export interface RecordFilter extends ListFilter {
  /** whose folded text in a column starts so */
  readonly startsWith?: { readonly column: ListColumn; readonly folded: string };
}

/** The values of a column in some records. */
export interface ColumnStatistics {
  /** records with a value; null and the empty text are none */
  readonly filled: number;
  /** how many different values; null where there are too many records to tell in time */
  readonly distinct: number | null;
  /** in the order of lists; null for booleans and where there is no value */
  readonly min: Scalar;
  readonly max: Scalar;
  /** null for what is no number and where there is no value */
  readonly sum: ExactSum | null;
}

/** Which groups are asked for. */
export interface Grouping {
  /** one or two columns: records of equal values are a group; date-times are equal by their instants */
  readonly by: readonly SummedField[];
  readonly sums: readonly SummedField[];
  readonly sort: 'count' | '-count' | 'value' | '-value';
  readonly limit: number;
  readonly offset: number;
  /** whether all groups are counted */
  readonly withTotal: boolean;
}

interface Group {
  /** in the order of `by` */
  readonly values: readonly Scalar[];
  readonly count: number;
  /** in the order of `sums`; null where no record of the group has a value */
  readonly sums: readonly (ExactSum | null)[];
}

export interface Groups {
  readonly groups: readonly Group[];
  /** how many there are in all; null where they are not counted */
  readonly total: number | null;
}

/** Reads lists of records, and what their fields hold (docs/lists.md). */
export interface ListReader {
  /** Conditions on the rows of the record table by which a statement finds all that match. */
  conditions(collection: Collection, filter: RecordFilter): RawBuilder<boolean>[];
  /** @returns one page; undefined where `after` was not made for this sort and filter */
  page(collection: Collection, query: ListQuery): Promise<Page | undefined>;
  /** Ids and versions of all that match, in the order of the list, after the first `offset` of them. */
  ids(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    limit: number,
    offset?: number,
  ): Promise<{ id: number; version: number }[]>;
  /** How many records match, exactly. */
  count(collection: Collection, filter: RecordFilter): Promise<number>;
  /** The position of a record in a list, from 0; null where it is not among the records that match. */
  position(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    id: number,
  ): Promise<number | null>;
  /** Counts all that match by their values; what has no value comes last in both directions. */
  groups(collection: Collection, filter: RecordFilter, grouping: Grouping): Promise<Groups>;
  /** @param records those that match a filter, or those of some ids; ids of no record do not count */
  statistics(
    collection: Collection,
    records: RecordFilter | readonly number[],
    fields: readonly SummedField[],
  ): Promise<{ readonly count: number; readonly columns: readonly ColumnStatistics[] }>;
  /**
   * The values of a field in all records, most used first, then in their order; null and the empty text are none.
   * @param part what the value must contain, without regard to case and accents; only texts are filtered by it
   * @param limit of texts; of other types all values are given
   */
  valuesInUse(
    collection: Collection,
    field: StoredField,
    column: ListColumn,
    part: string,
    limit: number,
  ): Promise<ValueInUse[]>;
}
