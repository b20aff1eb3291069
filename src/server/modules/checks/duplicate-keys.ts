import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import type { ComparedRecords, RecordKey } from '#server/database/records/compared-records.ts';
import type { Check } from '#server/database/records/check.ts';
import { newestRevisionTests, ruleSetting } from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fromStored, tableName, valueColumn } from '#server/database/records/columns.ts';
import { allOf, type Sql } from '#server/database/records/comparisons.ts';
import { parametersOf } from '#server/database/records/statement-parameters.ts';
import { integerAt } from '#server/database/row-values.ts';
import type { IgnoredInDuplicates } from '#shared/rules/check-words.ts';
import { fold } from '#shared/values/fold.ts';
import { hashText } from '#shared/values/hash-text.ts';
import { isText } from '#shared/values/registry.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { joinRows, packRows, type PackedRows } from './counted-rows.ts';
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
): Promise<PackedRows> {
  const { duplicates } = check;
  if (!duplicates) return packRows([]);
  const table = tableName(collection);
  const id = sql.ref(`${table}._id`);
  const { duplicateKeys } = db.adapter;
  if (among && duplicateKeys) {
    const compared = comparedRecords(db, collection, check);
    const keys = await duplicateKeys.compute(db, compared, among);
    return packRows(keys.flatMap((found) => [found.id, found.part, found.key]));
  }
  const names = [...new Set(duplicates.lists.flat())];
  const fields = names.flatMap(
    (name) => collection.fields.find((field) => field.name === name) ?? [],
  );
  const lists = duplicates.lists.map((list) =>
    list.map((name) => fields.findIndex((field) => field.name === name)),
  );
  const tests = comparedSql(db, collection, check);
  const columns = sql.join([id, ...fields.map((field) => sql.ref(valueColumn(field)))]);
  const ranges = among
    ? [sql<boolean>`${id} ${db.adapter.isAmong(among)}`]
    : recordRanges(db, collection);
  const ignored = ignoredCharacters(duplicates.ignore);
  const found: PackedRows[] = [];
  for await (const range of ranges) {
    const query = sql`select ${columns} from ${sql.table(table)}
      where ${allOf([range, ...tests])} order by ${id}`;
    const rows = await db.run(
      { owner: query, name: '', build: () => query },
      parametersOf(db, query),
    );
    const keys = new Float64Array(rows.length * lists.length * WIDTH);
    let end = 0;
    for (const row of rows) {
      const compared = fields.map((field, i) =>
        comparable(field, fromStored(field, row[i + 1]), duplicates.ignore, ignored),
      );
      for (const [part, list] of lists.entries()) {
        const values = list.map((index) => compared[index] ?? '');
        if (values.includes('')) continue;
        keys[end] = integerAt(row, 0);
        keys[end + 1] = part;
        keys[end + 2] = hashText(JSON.stringify(values));
        end += WIDTH;
      }
    }
    found.push(keys.slice(0, end));
  }
  return joinRows(found);
}

/** What the database computes the keys of a check for duplicates from (`Adapter.duplicateKeys`). */
export function comparedRecords(
  db: Transaction,
  collection: Collection,
  check: Check,
): ComparedRecords {
  const { lists = [], ignore = [] } = check.duplicates ?? {};
  const fieldsOf = (list: readonly string[]) =>
    list.flatMap((name) => collection.fields.find((field) => field.name === name) ?? []);
  const conditions = comparedSql(db, collection, check);
  return { collection, lists: lists.map(fieldsOf), ignore, conditions };
}

/** The conditions of the records that are compared. */
function comparedSql(db: Transaction, collection: Collection, check: Check): Sql[] {
  const when = check.duplicates?.when;
  const setting = ruleSetting(collection, [check]);
  return [
    ...newestRevisionTests(collection),
    ...(when ? [sql<boolean>`(${db.adapter.ruleTruth(collection, when, setting)} is true)`] : []),
  ];
}

/** The numbers of a row of `check_keys`, and of `check_record_keys`. */
const WIDTH = 3;

function comparable(
  field: Collection['fields'][number],
  value: Scalar,
  ignore: readonly IgnoredInDuplicates[],
  ignored: RegExp | null,
): string {
  if (value === null || value === '') return '';
  if (!isText(field)) return String(equalityKey(field.type, value));
  let text = String(value);
  if (ignore.includes('case')) text = fold(text);
  if (ignored) text = text.replaceAll(ignored, '');
  // Runs last, on the text without punctuation: `RE-007` has become `RE007` and is now `RE7`; `2024-007` has become
  // `2024007`, which has no leading zero.
  if (ignore.includes('leading zeros')) text = text.replaceAll(/(?<!\p{N})0+(?=\p{N})/gu, '');
  return text;
}

/** What matches the characters that are ignored: one expression, as each takes about a microsecond for each text. */
function ignoredCharacters(ignore: readonly IgnoredInDuplicates[]): RegExp | null {
  const classes = [
    ...(ignore.includes('spaces') ? [String.raw`\s`] : []),
    ...(ignore.includes('punctuation') ? [String.raw`\p{P}\p{S}`] : []),
  ];
  return classes.length === 0 ? null : new RegExp(`[${classes.join('')}]+`, 'gu');
}

const KEY_BITS = 53;
/** Of a million rows, few are in the same range. */
const MAX_RANGE_BITS = 16;
/** Rows of one pass between two yields to the event loop. */
const BATCH_SIZE = 20_000;

/**
 * The numbers of rows of `check_record_keys` in the order of their keys. They are first distributed to ranges of keys, which
 * hashes fill evenly: sorting all at once takes several times as long, and blocks the event loop.
 */
export async function orderByKey(recordKeys: PackedRows): Promise<Uint32Array> {
  const count = recordKeys.length / WIDTH;
  const bits = Math.min(MAX_RANGE_BITS, Math.ceil(Math.log2(count + 1)));
  const size = 2 ** (KEY_BITS - bits);
  const keyOf = (row: number) => recordKeys[row * WIDTH + 2] ?? 0;
  const ranges = new Uint32Array(count);
  let last = 0;
  for (let row = 0; row < count; row++) {
    const range = (recordKeys[row * WIDTH + 1] ?? 0) * 2 ** bits + Math.floor(keyOf(row) / size);
    ranges[row] = range;
    last = Math.max(last, range);
    if (row % BATCH_SIZE === 0) await yieldToEventLoop();
  }
  // The index of the next row of each range, at last the end of the range (counting sort).
  const nextIndexes = new Uint32Array(last + 2);
  for (const range of ranges) nextIndexes[range + 1] = (nextIndexes[range + 1] ?? 0) + 1;
  for (let range = 1; range <= last; range++) {
    nextIndexes[range] = (nextIndexes[range] ?? 0) + (nextIndexes[range - 1] ?? 0);
  }
  await yieldToEventLoop();
  const order = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const range = ranges[row] ?? 0;
    const index = nextIndexes[range] ?? 0;
    order[index] = row;
    nextIndexes[range] = index + 1;
    if (row % BATCH_SIZE === 0) await yieldToEventLoop();
  }
  for (let range = 0, begin = 0; range <= last; range++) {
    const end = nextIndexes[range] ?? 0;
    order.subarray(begin, end).sort((a, b) => keyOf(a) - keyOf(b) || a - b);
    begin = end;
    if (range % 256 === 255) await yieldToEventLoop();
  }
  return order;
}

/** Rows of `check_record_keys` as those of `check_keys`. */
export async function sortByKey(recordKeys: PackedRows, order?: Uint32Array): Promise<PackedRows> {
  const sorted = new Float64Array(recordKeys.length);
  let end = 0;
  for (const row of order ?? (await orderByKey(recordKeys))) {
    sorted[end] = recordKeys[row * WIDTH + 1] ?? 0;
    sorted[end + 1] = recordKeys[row * WIDTH + 2] ?? 0;
    sorted[end + 2] = recordKeys[row * WIDTH] ?? 0;
    end += WIDTH;
    if (end % BATCH_SIZE === 0) await yieldToEventLoop();
  }
  return sorted;
}

/** What equal records have in common: the index of a list of fields, and the hash of their values. */
export type Key = Pick<RecordKey, 'part' | 'key'>;

/** Distinguishes groups of equal records. */
export function groupName({ part, key }: Key): string {
  return `${part} ${key}`;
}

/** @param recordKeys rows of `check_record_keys` */
export function keysIn(recordKeys: PackedRows): RecordKey[] {
  return Array.from({ length: recordKeys.length / WIDTH }, (_, i) => ({
    id: recordKeys[i * WIDTH] ?? 0,
    part: recordKeys[i * WIDTH + 1] ?? 0,
    key: recordKeys[i * WIDTH + 2] ?? 0,
  }));
}
