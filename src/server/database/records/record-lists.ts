import type { ListQuery } from '#shared/rules/lists.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from './collection.ts';
import type { Count, ListReader, RecordPage, RecordFilter } from './list-reader.ts';
import {
  completeCursor,
  cursorOf,
  readCursor,
  writeCursor,
  type Cursor,
  type Start,
} from './cursor.ts';
import { readRecord, readRecords } from './read-records.ts';
import { orderOf, type Order } from './sorting.ts';

/** The common part of the lists of both databases: cursors, and pages of records. */
export abstract class RecordLists implements Pick<ListReader, 'page' | 'position'> {
  protected readonly db: Transaction;

  constructor(db: Transaction) {
    this.db = db;
  }

  /** Reads ids of a list in its order. */
  protected abstract orderedIds(
    collection: Collection,
    filter: RecordFilter,
    orders: readonly Order[],
    start: Start,
    limit: number,
  ): Promise<number[]>;
  /** The count for a page, limited in time. */
  protected abstract pageCount(collection: Collection, filter: RecordFilter): Promise<Count>;
  /** How many records of a list come before a record; null if that record does not match. */
  protected abstract countBefore(
    collection: Collection,
    filter: RecordFilter,
    orders: readonly Order[],
    cursor: Cursor,
  ): Promise<number | null>;

  async page(collection: Collection, query: ListQuery): Promise<RecordPage | undefined> {
    const { db } = this;
    const orders = await orderOf(db, collection, query.sort);
    const cursor = query.after === null ? null : readCursor(db, query, query.after);
    if (cursor === undefined || (cursor && cursor.sortValues.length !== orders.length))
      return undefined;
    const start = cursor
      ? { after: await completeCursor(db, collection, orders, cursor) }
      : { offset: query.offset };
    // One id more than the page size shows whether there is a next page.
    const ids = await this.orderedIds(collection, query, orders, start, query.limit + 1);
    const count = query.total ? await this.pageCount(collection, query) : null;
    const pageIds = ids.slice(0, query.limit);
    const found = await readRecords(db, collection, pageIds);
    const records = pageIds.flatMap((id) => found.get(id) ?? []);
    const last = records.at(-1);
    const hasNext = ids.length > query.limit && last;
    return {
      records,
      count,
      next: hasNext ? writeCursor(query, cursorOf(collection, orders, last)) : null,
    };
  }

  async position(
    collection: Collection,
    query: Pick<ListQuery, 'where' | 'q' | 'sort'>,
    id: number,
  ): Promise<number | null> {
    const record = await readRecord(this.db, collection, id);
    if (!record) return null;
    const orders = await orderOf(this.db, collection, query.sort);
    const cursor = await completeCursor(
      this.db,
      collection,
      orders,
      cursorOf(collection, orders, record),
    );
    return this.countBefore(collection, query, orders, cursor);
  }
}
