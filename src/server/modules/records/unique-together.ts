import * as texts from '#messages/service/records.ts';
import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf } from '#server/database/records/comparisons.ts';
import { columnOf } from '#server/database/records/list-column-source.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import { indexOfName } from '#shared/rules/names.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { ErrorPaths } from './sent-record.ts';
import { lockValues } from './unique-locks.ts';

/** A record about to be written, whose values have to be unique. */
export interface UniqueCandidate {
  /** null: a new record */
  readonly before: Pick<StoredRecord, 'values'> | null;
  readonly after: Pick<StoredRecord, 'id' | 'values'>;
  readonly paths: ErrorPaths;
}

interface ErrorReport {
  readonly errors: EntryErrors;
  /** whether the writer sees a column, so that errors may name it */
  readonly isVisible: (column: { readonly name: string }) => boolean;
}

/** Represents the columns that are unique together among the indexes of unique columns. */
export const UNIQUE_COMBINATION = -1;

/**
 * Checks the columns whose combination is unique. A record without a value in one of them may equal any other.
 * @returns whether a record gets values that must be unique
 */
export async function checkUniqueTogether(
  db: Transaction,
  collection: Collection,
  candidates: readonly UniqueCandidate[],
  report: ErrorReport,
): Promise<boolean> {
  let isAny = false;
  for (const fieldIndexes of uniqueCombinations(collection)) {
    isAny = (await checkCombination(db, collection, fieldIndexes, candidates, report)) || isAny;
  }
  return isAny;
}

/** The positions of the columns that are unique together, of each group. */
export function uniqueCombinations(collection: Collection): number[][] {
  return collection.uniqueTogether
    .map((names) => names.map((name) => indexOfName(collection.fields, name)))
    .filter((fieldIndexes) => !fieldIndexes.includes(-1));
}

/** Whether no two records may have the same value in a field, alone or together with others: each save looks for it. */
export function mustBeUnique(
  collection: Collection,
  { number }: { readonly number: number },
): boolean {
  const index = collection.fields.findIndex((field) => field.number === number);
  if (collection.fields[index]?.unique) return true;
  return uniqueCombinations(collection).some((fieldIndexes) => fieldIndexes.includes(index));
}

/** The ids of the records with these values in columns that are unique together, ascending. */
export async function findRecordsWithCombination(
  db: Transaction,
  collection: Collection,
  fieldIndexes: readonly number[],
  values: readonly Scalar[],
): Promise<number[]> {
  const fields = fieldIndexes.flatMap((index) => collection.fields[index] ?? []);
  const conditions = await db.lists.conditions(collection, {
    where: fields.map((field, i) => ({
      column: columnOf(collection, field),
      op: 'eq',
      value: values[i] ?? null,
    })),
    q: '',
  });
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${sql.table(tableName(collection))} where ${allOf(conditions)}
    order by _id`.execute(db.k);
  return rows.map(({ id }) => id);
}

async function checkCombination(
  db: Transaction,
  collection: Collection,
  fieldIndexes: readonly number[],
  candidates: readonly UniqueCandidate[],
  { errors, isVisible }: ErrorReport,
): Promise<boolean> {
  const fields = fieldIndexes.flatMap((index) => collection.fields[index] ?? []);
  const valuesOf = ({ values }: Pick<UniqueCandidate['after'], 'values'>): Scalar[] | null => {
    const found = fieldIndexes.map((index) => values[index] ?? null);
    return found.includes(null) ? null : found;
  };
  const keyOf = (values: readonly Scalar[]) =>
    JSON.stringify(fields.map(({ type }, i) => equalityKey(type, values[i] ?? null)));
  const wanted = candidates.flatMap((candidate) => {
    const values = valuesOf(candidate.after);
    const before = candidate.before && valuesOf(candidate.before);
    const isChanged = values !== null && (!before || keyOf(before) !== keyOf(values));
    return isChanged ? [{ candidate, values, key: keyOf(values) }] : [];
  });
  if (wanted.length === 0) return false;
  await lockValues(
    db,
    collection,
    fieldIndexes,
    wanted.map(({ key }) => key),
  );
  const written = new Set(candidates.map(({ after }) => after.id));
  const counts = new Map<string, number>();
  for (const { after } of candidates) {
    const values = valuesOf(after);
    if (values) counts.set(keyOf(values), (counts.get(keyOf(values)) ?? 0) + 1);
  }
  for (const { candidate, values, key } of wanted) {
    const holders = await findRecordsWithCombination(db, collection, fieldIndexes, values);
    const holder = holders.find((id) => !written.has(id));
    const visible = fields.filter(isVisible);
    const columns = visible.map(({ name }) => name).join(', ');
    const { paths } = candidate;
    for (const path of visible.length > 0
      ? visible.map(({ name }) => paths.field(name))
      : [paths.whole]) {
      if (holder !== undefined) {
        errors.add('conflict', path, texts.valuesTakenTogether({ columns, record: holder }));
      } else if ((counts.get(key) ?? 0) > 1) {
        errors.add('conflict', path, texts.valuesTwiceTogether({ columns }));
      }
    }
    await yieldToEventLoop();
  }
  return true;
}
