import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import { newestRevisionSql, ruleSetting } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fromStored, tableName, valueColumn } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { integerAt } from '#server/database/row-values.ts';
import { fold } from '#shared/values/fold.ts';
import { isText } from '#shared/values/registry.ts';
import { equalityKey, type Scalar } from '#shared/values/values.ts';
import { rowsOf, type Rows } from './counted-rows.ts';
import { recordRanges } from './record-ranges.ts';

/**
 * What records are compared by in a check on duplicates; those with an empty field in a list are not compared by it.
 * @param among only these; null: all
 * @returns rows of `check_record_keys`
 */
export async function findRecordKeys(
  db: Transaction,
  collection: Collection,
  check: Check,
  among: readonly number[] | null,
): Promise<Rows> {
  const { duplicates } = check;
  if (!duplicates) return rowsOf([]);
  const names = [...new Set(duplicates.lists.flat())];
  const fields = names.flatMap((name) => collection.fields.find((one) => one.name === name) ?? []);
  const lists = duplicates.lists.map((list) =>
    list.map((name) => fields.findIndex((field) => field.name === name)),
  );
  const { when } = duplicates;
  const setting = ruleSetting(collection, [check]);
  const newest = newestRevisionSql(collection);
  const id = sql.ref(`${tableName(collection)}._id`);
  const tests = [
    ...(newest ? [newest] : []),
    ...(when ? [sql<boolean>`(${db.adapter.ruleTruth(collection, when, setting)} is true)`] : []),
  ];
  const columns = sql.join([id, ...fields.map((field) => sql.ref(valueColumn(field)))]);
  const ranges = among
    ? [sql<boolean>`${id} ${db.adapter.isAmong(among)}`]
    : recordRanges(db, collection);
  const keys: number[] = [];
  for await (const range of ranges) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(tableName(collection))}
      where ${allOf([range, ...tests])} order by ${id}`.execute(db.k);
    for (const row of rows) {
      const record = integerAt([row['_id']], 0);
      const compared = fields.map((field) =>
        comparable(field, fromStored(field, row[valueColumn(field)]), duplicates.ignore),
      );
      for (const [part, list] of lists.entries()) {
        const values = list.map((place) => compared[place] ?? '');
        if (!values.includes('')) keys.push(record, part, hashOf(values));
      }
    }
  }
  return rowsOf(keys);
}

function comparable(
  field: Collection['fields'][number],
  value: Scalar,
  ignore: readonly string[],
): string {
  if (value === null || value === '') return '';
  if (!isText(field)) return String(equalityKey(field.type, value));
  let text = String(value);
  if (ignore.includes('case')) text = fold(text);
  if (ignore.includes('spaces')) text = text.replaceAll(/\s+/gu, '');
  if (ignore.includes('punctuation')) text = text.replaceAll(/[\p{P}\p{S}]+/gu, '');
  if (ignore.includes('leading zeros'))
    text = text.replaceAll(/(?<![\p{L}\p{N}])0+(?=\p{N})/gu, '');
  return text;
}

/** Some 53 bits of a hash: of a million records, two that differ have the same with a chance of 1 in 18,000. */
function hashOf(texts: readonly string[]): number {
  const digest = hash('sha256', JSON.stringify(texts), 'hex');
  return (
    Number.parseInt(digest.slice(0, 12), 16) * 32 + (Number.parseInt(digest.slice(12, 14), 16) & 31)
  );
}

/** Keys are sorted in this many parts of their range, so that others have their turn in between. */
const RANGES = 256;
const RANGE = 2 ** 53 / RANGES;

/** Rows of `check_record_keys` as those of `check_keys`. */
export async function sortByKey(recordKeys: Rows): Promise<Rows> {
  const ranges = new Map<number, number[]>();
  for (let at = 0; at < recordKeys.length; at += 3) {
    const range =
      (recordKeys[at + 1] ?? 0) * RANGES + Math.floor((recordKeys[at + 2] ?? 0) / RANGE);
    const places = ranges.get(range);
    if (places) places.push(at);
    else ranges.set(range, [at]);
  }
  const sorted = new Float64Array(recordKeys.length);
  let end = 0;
  for (const [, places] of [...ranges].toSorted(([a], [b]) => a - b)) {
    places.sort((a, b) => (recordKeys[a + 2] ?? 0) - (recordKeys[b + 2] ?? 0) || a - b);
    for (const at of places) {
      sorted[end++] = recordKeys[at + 1] ?? 0;
      sorted[end++] = recordKeys[at + 2] ?? 0;
      sorted[end++] = recordKeys[at] ?? 0;
    }
    await yieldToEventLoop();
  }
  return sorted;
}

/** What records have in common: the place of a list of fields, and the hash of their values. */
export interface Key {
  readonly part: number;
  readonly key: number;
}

/** @param recordKeys rows of `check_record_keys` */
export function keysIn(recordKeys: Rows): (Key & { readonly id: number })[] {
  return Array.from({ length: recordKeys.length / 3 }, (_, i) => ({
    id: recordKeys[i * 3] ?? 0,
    part: recordKeys[i * 3 + 1] ?? 0,
    key: recordKeys[i * 3 + 2] ?? 0,
  }));
}
