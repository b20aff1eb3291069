import { sql } from 'kysely';
import type { DuplicateKeys, Transaction } from '#server/database/database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { integerAt } from '#server/database/row-values.ts';
import {
  comparePackedRows,
  joinRows,
  readRecordKeys,
  recordKeyTable,
  packRows,
  type PackedRows,
} from './counted-rows.ts';
import {
  comparedRecords,
  findRecordKeys,
  groupName,
  keysIn,
  orderByKey,
  sortByKey,
  type Key,
} from './duplicate-keys.ts';

/** By record: the records that users have declared not to be its duplicates. */
type ExceptedPairs = ReadonlyMap<number, ReadonlySet<number>>;

export async function readExceptedPairs(
  db: Transaction,
  { kind, id }: Collection,
  name: string,
): Promise<ExceptedPairs> {
  const rows = await db.k
    .selectFrom('check_exceptions')
    .select(['row_id', 'with_id'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('name', '=', name)
    .execute();
  const byRecord = Map.groupBy(rows, ({ row_id }) => row_id);
  return new Map(
    [...byRecord].map(([record, own]) => [record, new Set(own.map(({ with_id }) => with_id))]),
  );
}

/** A check on duplicates with the id by which its keys and findings are stored. */
interface StoredCheck {
  readonly check: Check;
  readonly checkId: number;
}

/** What is to be stored of a check on duplicates. */
interface Duplicates {
  /** the records that have a duplicate, in their order */
  readonly findings: PackedRows;
  readonly keys: PackedRows;
  readonly recordKeys: PackedRows;
}

/** Compares all records with each other. */
export async function findAllDuplicates(
  db: Transaction,
  collection: Collection,
  check: Check,
): Promise<Duplicates> {
  const excepted = await readExceptedPairs(db, collection, check.name);
  const recordKeys = await findRecordKeys(db, collection, check, null);
  const order = await orderByKey(recordKeys);
  const keys = await sortByKey(recordKeys, order);
  const isFound = new Uint8Array(order.length);
  for (let begin = 0, row = 0; begin < order.length; begin = row) {
    const [part, key] = [keys[begin * 3], keys[begin * 3 + 1]];
    while (keys[row * 3] === part && keys[row * 3 + 1] === key) row++;
    if (row - begin < 2) continue;
    const group: number[] = [];
    for (let at = begin; at < row; at++) group.push(keys[at * 3 + 2] ?? 0);
    for (const [i, id] of group.entries()) {
      if (hasDuplicate(id, group, excepted)) isFound[order[begin + i] ?? 0] = 1;
    }
    await yieldToEventLoop();
  }
  const findings = new Float64Array(order.length);
  let count = 0;
  for (const [row, found] of isFound.entries()) {
    const id = recordKeys[row * 3] ?? 0;
    // The keys of a record are beside each other.
    if (found === 0 || (count > 0 && findings[count - 1] === id)) continue;
    findings[count] = id;
    count += 1;
  }
  return { findings: findings.slice(0, count), keys, recordKeys };
}

/** The records that have a duplicate, in their order, where the keys of all are stored. */
export async function readStoredDuplicates(
  db: Transaction,
  duplicateKeys: DuplicateKeys,
  collection: Collection,
  stored: StoredCheck,
): Promise<PackedRows> {
  const parts: PackedRows[] = [];
  for await (const ids of duplicateKeys.readShared(db, stored.checkId)) {
    parts.push(packRows(ids));
    await yieldToEventLoop();
  }
  const withoutDuplicate = new Set(await exceptedWithoutDuplicate(db, collection, stored));
  return joinRows(parts).filter((id) => !withoutDuplicate.has(id));
}

/** Stores all keys of a check and its findings, where none are stored yet. @returns how many records are found */
export async function storeDuplicates(
  db: Transaction,
  duplicateKeys: DuplicateKeys,
  collection: Collection,
  stored: StoredCheck,
): Promise<number> {
  const { check, checkId } = stored;
  await duplicateKeys.storeAll(db, checkId, comparedRecords(db, collection, check));
  const ofCheck = () => db.k.deleteFrom('check_findings').where('check_id', '=', checkId);
  await ofCheck().execute();
  const found = await duplicateKeys.storeSharedAsFindings(db, checkId);
  const excepted = await exceptedWithoutDuplicate(db, collection, stored);
  if (excepted.length === 0) return found;
  const { numDeletedRows } = await ofCheck()
    .where('row_id', 'in', excepted)
    .executeTakeFirstOrThrow();
  return found - Number(numDeletedRows);
}

/** The records with exceptions that have no duplicate beside those. */
async function exceptedWithoutDuplicate(
  db: Transaction,
  collection: Collection,
  { check, checkId }: StoredCheck,
): Promise<number[]> {
  const excepted = await readExceptedPairs(db, collection, check.name);
  if (excepted.size === 0) return [];
  const groups = new Groups(db, checkId, excepted);
  const isFound = new Set<number>();
  for (const { id, ...key } of keysIn(await readRecordKeys(db, checkId, [...excepted.keys()]))) {
    if (hasDuplicate(id, (await groups.of(key)).others, excepted)) isFound.add(id);
  }
  return [...excepted.keys()].filter((id) => !isFound.has(id));
}

/** Whether a record has a duplicate in a group that is not excepted. */
export function hasDuplicate(
  id: number,
  group: readonly number[],
  excepted: ExceptedPairs,
): boolean {
  const others = excepted.get(id);
  return group.some((other) => other !== id && !others?.has(other));
}

/** What a list of fields has in common in several records. */
interface Group {
  /** members that have not changed; of a large group only some */
  readonly others: readonly number[];
  /** changed members, as they are now */
  readonly changed: number[];
}

/**
 * Compares changed records with those of equal keys. An unchanged record may have become a duplicate, or ceased to be one,
 * only if it is the only unchanged one of its group or has an exception: several unchanged records of a group are duplicates
 * of each other, before and after.
 * @param ids of the changed records, also of those that were deleted
 * @returns the duplicates among these and among the others that may have changed
 */
export async function compareChangedRecords(
  db: Transaction,
  collection: Collection,
  { check, checkId }: StoredCheck,
  ids: readonly number[],
) {
  const before = await readRecordKeys(db, checkId, ids);
  const after = await findRecordKeys(db, collection, check, ids);
  const excepted = await readExceptedPairs(db, collection, check.name);
  const groups = new Groups(db, checkId, excepted, { ids, before, after });
  const among = new Set(ids);
  for (const key of [...keysIn(before), ...keysIn(after)]) {
    const { others } = await groups.of(key);
    const [only] = others;
    if (only !== undefined && others.length === 1) among.add(only);
  }
  for (const { id, ...key } of keysIn(await readRecordKeys(db, checkId, [...excepted.keys()]))) {
    if (groups.isKnown(key)) among.add(id);
  }
  const changed = new Set(ids);
  const unchanged = [...among].filter((id) => !changed.has(id));
  const found = new Set<number>();
  for (const { id, ...key } of [
    ...keysIn(after),
    ...keysIn(await readRecordKeys(db, checkId, unchanged)),
  ]) {
    const group = await groups.of(key);
    if (hasDuplicate(id, [...group.changed, ...group.others], excepted)) found.add(id);
  }
  return {
    among: [...among],
    found: [...found],
    keyChanges: [
      ...(recordKeyTable(db) === 'check_record_keys'
        ? [await comparePackedRows('check_record_keys', before, after)]
        : []),
      await comparePackedRows('check_keys', await sortByKey(before), await sortByKey(after)),
    ],
  };
}

const MEMBERS = {
  owner: keysIn,
  name: 'members',
  build: () => sql`select row_id from check_keys
    where check_id = ${0} and part = ${0} and key = ${0} order by row_id limit ${0}`,
};

/** Changed records, with their keys before and after as rows of `check_record_keys`. */
interface ChangedRecords {
  readonly ids: readonly number[];
  readonly before: PackedRows;
  readonly after: PackedRows;
}

const NO_CHANGES: ChangedRecords = { ids: [], before: packRows([]), after: packRows([]) };

/** The groups that records were in before they changed, are in now, or are in beside these. */
class Groups {
  readonly #db: Transaction;
  readonly #checkId: number;
  readonly #changed: ReadonlySet<number>;
  readonly #before: ReadonlyMap<string, readonly unknown[]>;
  readonly #after: ReadonlyMap<string, readonly { readonly id: number }[]>;
  /** how many unchanged members must be read: the record itself, all its exceptions, and one more */
  readonly #sufficientCount: number;
  readonly #known = new Map<string, Group>();

  constructor(
    db: Transaction,
    checkId: number,
    excepted: ExceptedPairs,
    { ids, before, after } = NO_CHANGES,
  ) {
    this.#db = db;
    this.#checkId = checkId;
    this.#changed = new Set(ids);
    this.#before = Map.groupBy(keysIn(before), groupName);
    this.#after = Map.groupBy(keysIn(after), groupName);
    this.#sufficientCount =
      [...excepted.values()].reduce((most, { size }) => Math.max(most, size), 0) + 2;
  }

  isKnown(key: Key): boolean {
    return this.#known.has(groupName(key));
  }

  async of(key: Key): Promise<Group> {
    const name = groupName(key);
    const known = this.#known.get(name);
    if (known) return known;
    const limit = this.#sufficientCount + (this.#before.get(name)?.length ?? 0);
    const rows = await this.#db.run(MEMBERS, [this.#checkId, key.part, key.key, limit]);
    const group = {
      others: rows.map((row) => integerAt(row, 0)).filter((id) => !this.#changed.has(id)),
      changed: (this.#after.get(name) ?? []).map(({ id }) => id),
    };
    this.#known.set(name, group);
    return group;
  }
}
