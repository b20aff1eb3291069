import type { RawBuilder } from 'kysely';
import type { ExactNumber } from '#shared/values/exact-numbers.ts';
import type { ListColumn, ListFilter, ListQuery } from '#shared/rules/lists.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from './collection.ts';
import type { StoredField } from './columns.ts';
import type { SummedField } from './exact-sum.ts';
import type { StoredRecord } from './record.ts';

export interface RecordPage {
  readonly records: readonly StoredRecord[];
  /** null if the query does not ask for the total */
  readonly count: Count | null;
  /** for `after`; null on the last page */
  readonly next: string | null;
}

/** How many records match, as far as they can be counted while a client waits for a page. */
export type Count = { readonly total: number } | { readonly total: null; readonly atLeast: number };

/** A value of a field, and the number of records that have it. */
export interface ValueInUse {
  readonly value: Scalar;
  readonly count: number;
}

/** The condition that selects records of an archive or table. */
export interface RecordFilter extends ListFilter {
  /** only records whose folded text in a column starts with `folded` */
  readonly startsWith?: { readonly column: ListColumn; readonly folded: string };
}

/** Selects all records that are not deleted. */
export const ALL_RECORDS: RecordFilter = { where: [], q: '' };

/** The values of a column in some records. */
export interface ColumnStatistics {
  /** records with a value; null and the empty text do not count */
  readonly filled: number;
  /** the number of distinct values; null if there are too many records to count them in time */
  readonly distinct: number | null;
  /** in list order; null for booleans and if there is no value */
  readonly min: Scalar;
  readonly max: Scalar;
  /** null for other types than numbers and if there is no value */
  readonly sum: ExactNumber | null;
}

/** How records are grouped. */
export interface RecordGrouping {
  /** one or two columns: records with equal values form a group; date-times are equal if their instants are */
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
  /** in the order of `sums`; null if no record of the group has a value */
  readonly sums: readonly (ExactNumber | null)[];
}

export interface RecordGroups {
  readonly groups: readonly Group[];
  /** the number of all groups; null if they were not counted */
  readonly total: number | null;
}

/** Reads lists of records, and the values of their fields (docs/lists.md). */
export interface ListReader {
  /** Conditions on the rows of the record table by which a statement finds all matches. */
  conditions(collection: Collection, filter: RecordFilter): Promise<RawBuilder<boolean>[]>;
  /** @returns one page; undefined if `after` was not created for this sort and filter */
  page(collection: Collection, query: ListQuery): Promise<RecordPage | undefined>;
  /** Ids and versions of all matches in list order, after the first `offset`. */
  ids(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    limit: number,
    offset?: number,
  ): Promise<{ id: number; version: number }[]>;
  /** How many records match, exactly. */
  count(collection: Collection, filter: RecordFilter): Promise<number>;
  /** The position of a record in a list, from 0; null if it does not match. */
  position(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    id: number,
  ): Promise<number | null>;
  /** Counts all matches by their values; records without a value come last in both directions. */
  groups(
    collection: Collection,
    filter: RecordFilter,
    grouping: RecordGrouping,
  ): Promise<RecordGroups>;
  /** @param records the matches of a filter, or some ids; unknown ids are ignored */
  statistics(
    collection: Collection,
    records: RecordFilter | readonly number[],
    fields: readonly SummedField[],
  ): Promise<{ readonly count: number; readonly columns: readonly ColumnStatistics[] }>;
  /**
   * The values of a field in all records, most frequent first, then in their order; null and the empty text are left
   * out.
   * @param part text that the value must contain, ignoring case and accents; applies only to texts
   * @param limit for texts; other types return all values
   */
  valuesInUse(
    collection: Collection,
    field: StoredField,
    part: string,
    limit: number,
  ): Promise<ValueInUse[]>;
}
