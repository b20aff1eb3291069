import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/records.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import type { ListFilter } from '#shared/rules/lists.ts';
import { findByName, indexOfName } from '#shared/rules/names.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import type { ErrorPaths } from './sent-record.ts';
import { lockValues } from './unique-locks.ts';

/** A record about to be written, whose values have to be unique. */
export interface UniqueCandidate {
  /** null: a new record */
  readonly before: Pick<StoredRecord, 'values'> | null;
  readonly after: Pick<StoredRecord, 'id' | 'values'>;
  readonly paths: ErrorPaths;
}

/** Represents the columns that are unique together among the indexes of unique columns. */
export const UNIQUE_COMBINATION = -1;

/** The positions of the columns whose values are unique: of each alone, then of those that are unique together. */
export function uniqueGroups({ fields, uniqueTogether }: Collection): number[][] {
  const together = uniqueTogether.map((names) => names.map((name) => indexOfName(fields, name)));
  return [
    ...fields.flatMap(({ unique }, index) => (unique ? [[index]] : [])),
    ...together.filter((group) => !group.includes(-1)),
  ];
}

/** What is equal for equal values of the columns of a group; null if one has no value: null equals nothing. */
export function uniqueKey(
  { fields }: Collection,
  group: readonly number[],
  values: readonly Scalar[],
): Scalar {
  const keys = group.map((at) => {
    const [field, value] = [fields[at], values[at] ?? null];
    return field && value !== null ? equalityKey(field.type, value) : null;
  });
  if (keys.includes(null)) return null;
  return keys.length === 1 ? (keys[0] ?? null) : JSON.stringify(keys);
}

/** Whether no two records may have the same value in a field, alone or together with others: each save looks for it. */
export function mustBeUnique(
  collection: Collection,
  { number }: { readonly number: number },
): boolean {
  const index = collection.fields.findIndex((field) => field.number === number);
  return uniqueGroups(collection).some((group) => group.includes(index));
}

/**
 * Checks the unique columns, alone and together, of records about to be written, against stored records and each other.
 * A unique column may contain several nulls, and a record without a value in one of several columns may equal any other
 * (docs/interface/decisions.md, section 4).
 * @param visibleCollection the archive or table as the writer sees it: errors do not name hidden columns
 * @param candidates with the values of all columns
 * @returns the new values of unique columns, as `equalityKey`, by the index of the column
 */
export async function checkUnique(
  db: Transaction,
  visibleCollection: Collection,
  candidates: readonly UniqueCandidate[],
  errors: EntryErrors,
): Promise<Map<number, ReadonlySet<Scalar>>> {
  const taken = new Map<number, ReadonlySet<Scalar>>();
  const collection = fullCollectionOf(visibleCollection);
  const written = new Set(candidates.map(({ after }) => after.id));
  const counts = (id: number) => !written.has(id);
  for (const group of uniqueGroups(collection)) {
    const [index = UNIQUE_COMBINATION, ...others] = group;
    const isAlone = others.length === 0;
    const keyOf = ({ values }: Pick<StoredRecord, 'values'>) =>
      uniqueKey(collection, group, values);
    const inBatch = new Map<Scalar, number>();
    const wanted = candidates.flatMap(({ before, after, paths }) => {
      const key = keyOf(after);
      if (key === null) return [];
      inBatch.set(key, (inBatch.get(key) ?? 0) + 1);
      const values = group.map((at) => after.values[at] ?? null);
      const isKept =
        before && (isAlone ? before.values[index] === values[0] : keyOf(before) === key);
      return isKept === true ? [] : [{ paths, values, key }];
    });
    if (wanted.length === 0) continue;
    const keys = new Set(wanted.map(({ key }) => key));
    taken.set(isAlone ? index : UNIQUE_COMBINATION, keys);
    await lockValues(db, collection, group, [...keys]);

    const all = wanted.flatMap(({ values }) => values);
    const holders = isAlone && (await findRecordsWithValues(db, collection, index, all, counts));
    for (const { paths, values, key } of wanted) {
      const holder = holders
        ? holders.get(key)
        : (await findRecordsWithCombination(db, collection, group, values)).find(counts);
      if (!holders) await yieldToEventLoop();
      const isTwice = (inBatch.get(key) ?? 0) > 1;
      if (holder === undefined && !isTwice) continue;
      const visible = group
        .flatMap((at) => collection.fields[at] ?? [])
        .filter(({ name }) => findByName(visibleCollection.fields, name));
      const columns = isAlone ? null : visible.map(({ name }) => name).join(', ');
      const message = problemOf(columns, holder);
      const where = visible.map(({ name }) => paths.field(name));
      for (const path of where.length > 0 ? where : [paths.whole]) {
        errors.add('conflict', path, message);
      }
    }
  }
  return taken;
}

/**
 * @param columns those that are unique together; null: of a column that is unique alone
 * @param record the id of the record with the values; undefined: a record of the same request has them
 */
function problemOf(columns: string | null, record: number | undefined): Message {
  if (record === undefined) {
    return columns === null
      ? texts.valueNotUniqueInRequest
      : texts.valuesTwiceTogether({ columns });
  }
  return columns === null
    ? texts.valueTaken({ record })
    : texts.valuesTakenTogether({ columns, record });
}

/**
 * Finds the records with values of a column.
 * @param values none of them null
 * @returns their ids, by `equalityKey`
 */
export async function findRecordsWithValues(
  db: Transaction,
  collection: Collection,
  index: number,
  values: readonly Scalar[],
  counts: (id: number) => boolean = () => true,
): Promise<Map<Scalar, number>> {
  const holders = new Map<Scalar, number>();
  const column = collection.fields[index];
  if (!column) return holders;
  const ids = (await findIdsWithValues(db, collection, column, values)).filter(counts);
  for (const [id, record] of await readRecords(db, collection, ids)) {
    holders.set(equalityKey(column.type, record.values[index] ?? null), id);
  }
  return holders;
}

/** How many values one statement looks for: filters allow about as many. */
const VALUE_CHUNK_SIZES = [200, 10, 1];

/**
 * The ids of the records with one of these values in a field, as filters compare them.
 * @param values none of them null
 */
export async function findIdsWithValues(
  db: Transaction,
  collection: Collection,
  field: { readonly number: number },
  values: readonly Scalar[],
): Promise<number[]> {
  const column = columnOf(collection, field);
  const ids: number[] = [];
  for (const chunk of chunks(values, VALUE_CHUNK_SIZES)) {
    ids.push(...(await findIds(db, collection, [{ column, op: 'in', values: chunk }])));
    await yieldToEventLoop();
  }
  return ids;
}

/** The ids of the records with these values in columns that are unique together, ascending. */
export function findRecordsWithCombination(
  db: Transaction,
  collection: Collection,
  group: readonly number[],
  values: readonly Scalar[],
): Promise<number[]> {
  const where = group.flatMap((at, i) => {
    const field = collection.fields[at];
    const value = values[i] ?? null;
    return field ? [{ column: columnOf(collection, field), op: 'eq' as const, value }] : [];
  });
  return findIds(db, collection, where, sql`order by _id`);
}

async function findIds(
  db: Transaction,
  collection: Collection,
  where: ListFilter['where'],
  order: RawBuilder<unknown> = sql``,
): Promise<number[]> {
  const conditions = await db.lists.conditions(collection, { where, q: '' });
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${sql.table(tableName(collection))} where ${allOf(conditions)} ${order}`.execute(
    db.k,
  );
  return rows.map(({ id }) => id);
}
