import { sql } from 'kysely';
import type { Scalar } from '#shared/values/value-type.ts';
import { yieldToEventLoop } from '../cooperative-yield.ts';
import type { Transaction } from '../database.ts';
import { integerAt } from '../row-values.ts';
import { READ_CHUNK_SIZES, chunks } from './bulk-statements.ts';
import {
  fromStored,
  tableName,
  valueColumn,
  type CollectionRef,
  type StoredField,
} from './columns.ts';

/** The values of some fields of one record. */
export interface RecordValues {
  readonly id: number;
  /** in the order of the requested fields */
  readonly values: readonly Scalar[];
}

interface Page {
  /** an id */
  readonly after: number;
  readonly limit: number;
}

/**
 * The values of some fields of the records after an id, in the order of their ids.
 * @param fields of the database table, which the definition may lack
 */
export async function readValuesAfter(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  { after, limit }: Page,
): Promise<RecordValues[]> {
  const statement = {
    owner: readValuesAfter,
    name: `${tableName(collection)} ${fields.map(valueColumn).join()}`,
    build: () => sql`select ${selection(fields)} from ${sql.table(tableName(collection))}
      where _id > ${0} order by _id limit ${0}`,
  };
  return (await db.run(statement, [after, limit])).map((row) => toValues(fields, row));
}

/**
 * The values of some fields of the records with these ids; missing records are skipped.
 * @param lock inside a write: locks the records until its end, in the order of their ids
 */
export async function readValuesOf(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  ids: readonly number[],
  lock: 'lock' | 'no lock' = 'no lock',
): Promise<RecordValues[]> {
  const found: RecordValues[] = [];
  for (const chunk of chunks(ids, READ_CHUNK_SIZES)) {
    const statement = {
      owner: readValuesOf,
      name: `${tableName(collection)} ${fields.map(valueColumn).join()} ${chunk.length} ${lock}`,
      build: () => sql`select ${selection(fields)} from ${sql.table(tableName(collection))}
        where _id in (${sql.join(chunk)}) ${lock === 'lock' ? sql`order by _id ${db.adapter.lockRows}` : sql``}`,
    };
    const rows = await db.run(statement, [...chunk]);
    for (const row of rows) found.push(toValues(fields, row));
    if (chunk.length > 1) await yieldToEventLoop();
  }
  return found;
}

function selection(fields: readonly StoredField[]) {
  return sql.join(['_id', ...fields.map(valueColumn)].map((column) => sql.ref(column)));
}

function toValues(fields: readonly StoredField[], row: readonly unknown[]): RecordValues {
  return {
    id: integerAt(row, 0),
    values: fields.map((field, index) => fromStored(field, row[index + 1])),
  };
}
