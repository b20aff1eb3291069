import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import {
  findingSql,
  newestRevisionSql,
  ruleSetting,
} from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { readValuesAfter, readValuesOf } from '#server/database/records/iterate-values.ts';
import { fold } from '#shared/values/fold.ts';
import { isText } from '#shared/values/registry.ts';
import { equalityKey, type Scalar } from '#shared/values/values.ts';

/**
 * The records that a rule finds.
 * @param among only these; null: all
 */
export async function findRecords(
  db: Transaction,
  collection: Collection,
  check: Check,
  among: readonly number[] | null,
): Promise<number[]> {
  const test = findingSql(db, collection, check, ruleSetting(collection, [check]));
  const id = sql.ref(`${tableName(collection)}._id`);
  const these = among ? sql`${id} ${db.adapter.isAmong(among)} and` : sql``;
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${sql.table(tableName(collection))} where ${these} ${test}`.execute(
    db.k,
  );
  return rows.map((row) => row.id);
}

/** The key of a record in one list of fields of a duplicate check. */
export interface DuplicateKey {
  readonly part: number;
  readonly key: number;
  readonly rowId: number;
}

const PAGE = 2_000;

/**
 * The keys of records in a duplicate check; records with an empty field in a list have no key in it.
 * @param among only these; null: all
 */
export async function duplicateKeys(
  db: Transaction,
  collection: Collection,
  check: Check,
  among: readonly number[] | null,
): Promise<DuplicateKey[]> {
  const { duplicates } = check;
  if (!duplicates) return [];
  const names = [...new Set(duplicates.lists.flat())];
  const fields = names.flatMap((name) => {
    const field = collection.fields.find((one) => one.name === name);
    return field ? [field] : [];
  });
  const takesPart = await participants(db, collection, check, among);
  const keys: DuplicateKey[] = [];
  const take = (records: Awaited<ReturnType<typeof readValuesOf>>) => {
    for (const { id, values } of records) {
      if (takesPart && !takesPart.has(id)) continue;
      for (const [part, list] of duplicates.lists.entries()) {
        const compared = list.map((name) => {
          const place = names.indexOf(name);
          const field = fields[place];
          return field ? comparable(field, values[place] ?? null, duplicates.ignore) : '';
        });
        if (!compared.includes('')) keys.push({ part, key: hashOf(compared), rowId: id });
      }
    }
  };
  if (among) take(await readValuesOf(db, collection, fields, among));
  else {
    for (let after = Number.MIN_SAFE_INTEGER; ;) {
      const records = await readValuesAfter(db, collection, fields, after, PAGE);
      const last = records.at(-1);
      if (!last) break;
      take(records);
      after = last.id;
      await yieldToEventLoop();
    }
  }
  return keys;
}

/** The newest revisions that meet the condition of the check; null: all records take part. */
async function participants(
  db: Transaction,
  collection: Collection,
  check: Check,
  among: readonly number[] | null,
): Promise<ReadonlySet<number> | null> {
  const newest = newestRevisionSql(collection);
  const when = check.duplicates?.when ?? null;
  const setting = ruleSetting(collection, [check]);
  const tests = [
    ...(newest ? [newest] : []),
    ...(when ? [sql<boolean>`(${db.adapter.ruleTruth(collection, when, setting)} is true)`] : []),
  ];
  if (tests.length === 0) return null;
  const id = sql.ref(`${tableName(collection)}._id`);
  const these = among ? sql`${id} ${db.adapter.isAmong(among)} and` : sql``;
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${sql.table(tableName(collection))} where ${these} ${allOf(tests)}`.execute(
    db.k,
  );
  return new Set(rows.map((row) => row.id));
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

/** 53 bits of a hash: among a million records the chance that two different ones share a key is 1 in 18,000. */
function hashOf(texts: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest();
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] ?? 0) & 31);
}

/** The pairs of records with an exception from the duplicate check. */
export async function exceptedPairs(
  db: Transaction,
  { kind, id }: Collection,
  name: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.k
    .selectFrom('check_exceptions')
    .select(['row_id', 'with_id'])
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('name', '=', name)
    .execute();
  return new Set(rows.map(({ row_id, with_id }) => `${row_id} ${with_id}`));
}

/** The records that have a duplicate among the given ones, except for pairs with an exception. */
export function duplicatesAmong(
  keys: readonly DuplicateKey[],
  excepted: ReadonlySet<string>,
): Set<number> {
  const found = new Set<number>();
  for (const group of Map.groupBy(keys, ({ part, key }) => `${part} ${key}`).values()) {
    if (group.length < 2) continue;
    for (const one of group) {
      const hasOther = group.some(
        (other) => other !== one && !excepted.has(`${one.rowId} ${other.rowId}`),
      );
      if (hasOther) found.add(one.rowId);
    }
  }
  return found;
}
