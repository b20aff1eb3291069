import type { Message } from '#shared/messages/message.ts';
import * as texts from '#messages/service/records.ts';
import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import { findByName } from '#shared/rules/names.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import { lockValues } from './unique-locks.ts';
import {
  checkUniqueTogether,
  UNIQUE_COMBINATION,
  type UniqueCandidate,
} from './unique-together.ts';

/**
 * Checks the unique columns, alone and together, of records about to be written, against stored records and each other.
 * A unique column may contain several nulls (docs/interface/decisions.md, section 4).
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
  const isVisible = ({ name }: { readonly name: string }) =>
    findByName(visibleCollection.fields, name) !== undefined;
  for (const column of collection.fields.filter(({ unique }) => unique)) {
    const index = collection.fields.indexOf(column);
    const same = (value: Scalar) => equalityKey(column.type, value);
    const wanted = candidates.flatMap((candidate) => {
      const value = candidate.after.values[index] ?? null;
      return value !== null && candidate.before?.values[index] !== value
        ? [{ candidate, value }]
        : [];
    });
    if (wanted.length === 0) continue;
    const keys = new Set(wanted.map(({ value }) => same(value)));
    taken.set(index, keys);
    await lockValues(db, collection, [index], [...keys]);

    const written = new Set(candidates.map(({ after }) => after.id));
    const values = wanted.map(({ value }) => value);
    const holders = await findRecordsWithValues(
      db,
      collection,
      index,
      values,
      (id) => !written.has(id),
    );
    const inBatch = new Map<Scalar, number>();
    for (const { after } of candidates) {
      const value = after.values[index] ?? null;
      if (value !== null) inBatch.set(same(value), (inBatch.get(same(value)) ?? 0) + 1);
    }
    for (const { candidate, value } of wanted) {
      const holder = holders.get(same(value));
      const { paths } = candidate;
      const where = isVisible(column) ? paths.field(column.name) : paths.whole;
      if (holder !== undefined) {
        errors.add('conflict', where, valueTakenMessage(holder));
      } else if ((inBatch.get(same(value)) ?? 0) > 1) {
        errors.add('conflict', where, texts.valueNotUniqueInRequest);
      }
    }
  }
  if (await checkUniqueTogether(db, collection, candidates, { errors, isVisible })) {
    taken.set(UNIQUE_COMBINATION, new Set());
  }
  return taken;
}

/** @param holder the id of the record with the value */
export function valueTakenMessage(holder: number): Message {
  return texts.valueTaken({ record: holder });
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
    const conditions = await db.lists.conditions(collection, {
      where: [{ column, op: 'in', values: chunk }],
      q: '',
    });
    const { rows } = await sql<{ id: number }>`
      select _id as id from ${sql.table(tableName(collection))} where ${allOf(conditions)}`.execute(
      db.k,
    );
    ids.push(...rows.map(({ id }) => id));
    await yieldToEventLoop();
  }
  return ids;
}
