import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { tableName } from '../records/columns.ts';
import { readChangedRecords } from '../records/changed-records.ts';
import { allOf, type Sql } from '../records/comparisons.ts';
import { valueOf, type Cursor } from '../records/cursor.ts';
import { readRecords } from '../records/read-records.ts';
import { afterSql, type Order, type OrderTerm } from '../records/sorting.ts';
import {
  ascendingIds,
  compactIds,
  recordsOf,
  selectIds,
  updateIds,
  type IdList,
} from './id-lists.ts';

/**
 * After more changes a list is read again, because updating it would be slower: each change of a list in an order of values
 * takes a binary search, and the changes of one in the order of ids are merged together.
 */
const MAX_CHANGES = { byValue: 64, byId: 20_000 } as const;
/** How many history entries, of all archives and tables, are searched for changes. */
const MAX_ENTRIES = 25_000;

const MAX_COUNTS = 1_000;

/** A list of records: those that pass all tests, in an order. */
export interface ListDefinition {
  readonly collection: Collection;
  /** identifies the list among all lists */
  readonly key: string;
  readonly tests: readonly Sql[];
  readonly levels: readonly Level[];
}

/** One level of an order. */
export interface Level {
  readonly term: OrderTerm;
  /** the list column of the level */
  readonly column: string;
  /** the index to use; null: none */
  readonly index: string | null;
  /** whether the index, or the table if there is none, has the records in the order of the level */
  readonly isIndexed: boolean;
}

export function levelsOf(orders: readonly Order[]): Level[] {
  return orders.flatMap(({ key, terms, index }) =>
    terms.map((term, i) => ({
      term,
      column: key.column.name,
      index: i === 0 ? index : null,
      isIndexed: i === 0,
    })),
  );
}

interface Entry {
  readonly ids: IdList;
  /** the newest history entry when the list was read or updated */
  readonly version: number;
}

/**
 * The lists of ids that one read worker used last. Every change of a record adds a history entry in the same
 * transaction, so the entries since a list was read show which records may have moved in it; only these are tested
 * again.
 */
export class ListCache {
  /** in the order of their last use */
  readonly #entries = new Map<string, Entry>();
  readonly #counts = new Map<string, { readonly count: number; readonly version: number }>();
  readonly #maxBytes: number;

  /** @param maxBytes memory for the lists; a list takes 4 bytes for each record */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * The ids of a list in this snapshot, which is newer than those before it. The result must not be changed.
   * @param version the newest history entry of the snapshot
   * @param read reads the list if it is not in the cache
   */
  async get(
    db: Transaction,
    version: number,
    list: ListDefinition,
    read: () => Promise<IdList>,
  ): Promise<IdList> {
    const entry = this.#entries.get(list.key);
    const ids =
      (entry && (await updateEntry(db, list, entry, version))) ?? compactIds(await read());
    this.#entries.delete(list.key);
    this.#entries.set(list.key, { ids, version });
    this.#evict();
    return ids;
  }

  /**
   * A count of records in this snapshot.
   * @param version as in `get`
   * @param key identifies what is counted; '' all records of the archive or table
   * @param read counts them if no count is in the cache
   */
  async count(
    db: Transaction,
    version: number,
    collection: Collection,
    key: string,
    read: () => Promise<number>,
  ): Promise<number> {
    const name = JSON.stringify([collection.kind, collection.id, key]);
    const known = this.#counts.get(name);
    let count = known?.version === version ? known.count : undefined;
    if (known && version > known.version && version <= known.version + MAX_ENTRIES) {
      const ignoredKinds = key === '' ? (['lock', 'change'] as const) : (['lock'] as const);
      const options = { limit: 1, ignoredKinds };
      const changed = await readChangedRecords(db, collection, known.version, options);
      if (changed.length === 0) ({ count } = known);
    }
    count ??= await read();
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(name, { count, version });
    return count;
  }

  #evict(): void {
    let bytes = 0;
    for (const { ids } of this.#entries.values()) bytes += ids.byteLength;
    for (const [key, { ids }] of this.#entries) {
      if (bytes <= this.#maxBytes) return;
      this.#entries.delete(key);
      bytes -= ids.byteLength;
    }
  }
}

/** The updated list; undefined if it has to be read again. */
async function updateEntry(
  db: Transaction,
  list: ListDefinition,
  entry: Entry,
  version: number,
): Promise<IdList | undefined> {
  if (version === entry.version) return entry.ids;
  if (version < entry.version || version > entry.version + MAX_ENTRIES) return undefined;
  const { collection, tests, levels } = list;
  const maxChanges = levels.length === 0 ? MAX_CHANGES.byId : MAX_CHANGES.byValue;
  const changes = await readChangedRecords(db, collection, entry.version, {
    limit: maxChanges + 1,
    ignoredKinds: ['lock'],
  });
  const changed = Float64Array.from(changes);
  if (changed.length === 0) return entry.ids;
  if (changed.length > maxChanges) return undefined;
  const matching = await selectIds(
    db,
    sql`select _id from ${recordsOf(collection, changed)} where ${allOf(tests)}`,
  );
  if (levels.length === 0)
    return compactIds(updateIds(entry.ids, ascendingIds(changed), ascendingIds(matching)));
  const ids = new Float64Array(entry.ids.length + matching.length);
  ids.set(entry.ids);
  let { length } = entry.ids;
  for (const id of changed) {
    const index = ids.subarray(0, length).indexOf(id);
    if (index >= 0) ids.copyWithin(index, index + 1, length--);
  }
  const records = await readRecords(db, collection, [...matching]);
  for (const [id, record] of records) {
    const sortValues = levels.map(({ term, column }) =>
      term.sortValueOf(valueOf(collection, record, column)),
    );
    const cursor = { id, sortValues };
    const index = await countUpTo(db, list, ids.subarray(0, length), cursor);
    ids.copyWithin(index + 1, index, length++);
    ids[index] = id;
  }
  return compactIds(ids.subarray(0, length));
}

/** How many ids of a list are at or before a position, by binary search. */
export async function countUpTo(
  db: Transaction,
  { collection, levels }: Pick<ListDefinition, 'collection' | 'levels'>,
  ids: IdList,
  cursor: Cursor,
): Promise<number> {
  const terms = levels.map(({ term }) => term);
  // Compiled once, as that takes as long as a run. The id is the last parameter.
  const compiled = sql`
    select ${afterSql(terms, cursor.sortValues, cursor.id)} as after
    from ${sql.table(tableName(collection))} where _id = ${null}`.compile(db.k);
  const parameters = compiled.parameters.slice(0, -1);
  const isAfter = async (id: number) => {
    if (terms.length === 0) return id > cursor.id;
    const query = { ...compiled, parameters: [...parameters, id] };
    const { rows } = await db.k.executeQuery<{ after: number | null }>(query);
    return rows[0]?.after === 1;
  };
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isAfter(ids[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
