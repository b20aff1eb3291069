import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from '../records/columns.ts';
import type { ValueEntry, ValueOrder } from '../records/ordered-ids.ts';
import { recordsOf, type IdList } from './id-lists.ts';
import { countUpTo, type ListDefinition } from './list-cache.ts';

/** The records of a list by their values in the first sort term, from their ids in memory. */
export class MemoryOrder implements ValueOrder {
  /** the ids of the records that have a value, by ascending values, then ids */
  readonly ids: IdList;
  readonly group: ValueOrder['group'];
  readonly sort: ValueOrder['sort'];
  readonly #db: Transaction;
  readonly #list: Pick<ListDefinition, 'collection' | 'levels'>;
  readonly #isDescending: boolean;

  /**
   * @param list whose only level is the first term, ascending
   * @param isDescending whether the order is that of descending values
   */
  constructor(
    db: Transaction,
    list: Pick<ListDefinition, 'collection' | 'levels'>,
    ids: IdList,
    isDescending: boolean,
    { group, sort }: Pick<ValueOrder, 'group' | 'sort'>,
  ) {
    this.#db = db;
    this.#list = list;
    this.ids = ids;
    this.#isDescending = isDescending;
    this.group = group;
    this.sort = sort;
  }

  async entries(
    from: { offset: number } | { after: ColumnValue },
    limit: number,
  ): Promise<ValueEntry[]> {
    const { length } = this.ids;
    const offset = 'offset' in from ? from.offset : await this.#countThrough(from.after);
    const ids = this.#isDescending
      ? this.ids
          .subarray(Math.max(0, length - offset - limit), Math.max(0, length - offset))
          .toReversed()
      : this.ids.subarray(offset, offset + limit);
    const { collection, levels } = this.#list;
    const { rows } = await sql<ValueEntry>`
      select _id as id, ${levels[0]?.term.expression ?? sql`null`} as "sortValue"
      from ${recordsOf(collection, ids)}
      order by one.key`.execute(this.#db.k);
    return rows;
  }

  async countEqualBefore({ sortValue }: ValueEntry, offset: number): Promise<number> {
    return offset - (await this.countBefore(sortValue));
  }

  /** How many records come before those with a value; null: before those without a value. */
  async countBefore(sortValue: ColumnValue): Promise<number> {
    if (sortValue === null) return this.ids.length;
    return this.#isDescending
      ? this.ids.length - (await this.#countAscending(sortValue, Number.MAX_SAFE_INTEGER))
      : this.#countAscending(sortValue, -1);
  }

  count(): Promise<number> {
    return Promise.resolve(this.ids.length);
  }

  /** How many records come before those with the next value. */
  async #countThrough(sortValue: ColumnValue): Promise<number> {
    return this.#isDescending
      ? this.ids.length - (await this.#countAscending(sortValue, -1))
      : this.#countAscending(sortValue, Number.MAX_SAFE_INTEGER);
  }

  #countAscending(sortValue: ColumnValue, id: number): Promise<number> {
    return countUpTo(this.#db, this.#list, this.ids, { sortValues: [sortValue], id });
  }
}
