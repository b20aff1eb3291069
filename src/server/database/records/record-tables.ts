import { isText } from '#shared/values/registry.ts';
import type { ColumnKind } from '#shared/values/value-type.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Archive, Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import {
  columnsOf,
  comparedColumn,
  DOCUMENT_COLUMNS,
  keywordTable,
  META_COLUMNS,
  tableName,
  type CollectionRef,
  type StoredField,
} from './columns.ts';
import { clearColumns } from './clear-fields.ts';
import { changedByKeySql, longKeySql } from './sort-key.ts';

/** Declares a column. */
export function declareColumn(
  db: Transaction,
  [name, kind]: readonly [string, ColumnKind],
): RawBuilder<unknown> {
  return sql`${sql.ref(name)} ${db.adapter.recordTypes[kind]}`;
}

/** Declares the columns of a field, also computed ones. */
export function declareField(db: Transaction, field: StoredField): RawBuilder<unknown>[] {
  return [
    ...columnsOf(field).map((column) => declareColumn(db, column)),
    ...db.adapter.computedColumns(field),
  ];
}

/**
 * Creates the database tables of an archive or data table from its definition. Indexes are created separately
 * (`createIndexes`), because filling an indexed table row by row takes several times as long.
 */
export async function createRecordTable(db: Transaction, collection: Collection): Promise<void> {
  const columns = [
    db.adapter.recordId,
    ...META_COLUMNS.map((column) => declareColumn(db, column)),
    ...(collection.kind === 'archive'
      ? DOCUMENT_COLUMNS.map((column) => declareColumn(db, column))
      : []),
    ...collection.fields.flatMap((field) => declareField(db, field)),
  ];
  await sql`create table ${sql.table(tableName(collection))} (${sql.join(columns)})
    ${db.adapter.columnTypes.strict}`.execute(db.k);
  if (collection.kind === 'archive') await createKeywordTable(db, collection);
  await db.adapter.createCompanions(db, collection);
}

async function createKeywordTable(db: Transaction, archive: Archive): Promise<void> {
  const { text, integer } = db.adapter.recordTypes;
  await sql`create table ${sql.table(keywordTable(archive))} (
      _id ${integer} not null, field ${integer} not null, position ${integer} not null,
      value ${text} not null, value_fold ${text} not null,
      primary key (_id, field, position)) ${db.adapter.columnTypes.strictByKey}`.execute(db.k);
}

/** The index in the order of a field's values; for a meta column by its name. */
export function orderIndex(
  collection: CollectionRef,
  of: number | 'changed_at' | 'changed_by',
): string {
  return `${tableName(collection)}_${typeof of === 'number' ? `f${of}` : of}`;
}

/**
 * Creates the indexes for filtering and sorting by each field and meta column, and for the search. Records that existed
 * before the first call can then be found by search.
 */
export async function createIndexes(db: Transaction, collection: Collection): Promise<void> {
  const name = tableName(collection);
  const index = (suffix: string, on: RawBuilder<unknown>) =>
    sql`create index if not exists ${sql.ref(`${name}_${suffix}`)} on ${sql.table(name)} ${on}`.execute(
      db.k,
    );
  await db.adapter.createTableIndexes(db, collection);
  const { idInIndexes } = db.adapter;
  await index('changed_at', sql`(_changed_at${idInIndexes})`);
  await index('changed_by', sql`((${changedByKeySql(db.adapter)})${idInIndexes})`);
  for (const field of collection.fields) {
    for (const shape of fieldIndexes(db, collection, field)) {
      await createIndex(db, collection, shape);
    }
    await db.adapter.createUniqueness(db, collection, field);
  }
  if (collection.kind === 'archive') {
    await index('document', sql`(_document_id, _revision)`);
    const keywords = keywordTable(collection);
    await sql`create index if not exists ${sql.ref(`${keywords}_value`)}
      on ${sql.table(keywords)} (field, value, _id)`.execute(db.k);
  }
}

/** An index on a record table. */
interface IndexShape {
  readonly name: string;
  readonly on: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

/** The indexes of one field; those of all records are created with the table. */
export function fieldIndexes(
  { adapter }: Pick<Transaction, 'adapter'>,
  collection: CollectionRef,
  field: StoredField,
): IndexShape[] {
  const name = orderIndex(collection, field.number);
  const index = (suffix: string, on: RawBuilder<unknown>, where: RawBuilder<unknown> = sql``) => ({
    name: name + suffix,
    on,
    where,
  });
  if (!isText(field))
    return [index('', sql`(${sql.ref(comparedColumn(field))}${adapter.idInIndexes})`)];
  return [
    index('', sql`((${adapter.sortKey(field)})${adapter.idInIndexes})`),
    index('_long', sql`(_id)`, sql`where ${longKeySql(field)}`),
  ];
}

/** @param how `concurrently`: without blocking writes, on PostgreSQL outside of transactions */
export async function createIndex(
  db: Transaction,
  collection: CollectionRef,
  shape: IndexShape,
  how?: RawBuilder<unknown>,
): Promise<void> {
  await createIndexSql(collection, shape, how).execute(db.k);
}

/** The statement of `createIndex`. */
export function createIndexSql(
  collection: CollectionRef,
  { name, on, where }: IndexShape,
  how: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`create index ${how} if not exists ${sql.ref(name)} on ${sql.table(tableName(collection))}
    ${on} ${where}`;
}

/**
 * Adds the columns of new fields of a definition; existing records have no values in them. PostgreSQL changes only its
 * catalogue, however many records there are, but waits for every user of the table, and blocks all others meanwhile:
 * call it in `changeTables`. The indexes are created later (`completeIndexes`).
 */
export async function addFields(
  db: Transaction,
  collection: Collection,
  fields: readonly StoredField[],
  uniqueness: 'with uniqueness' | 'without uniqueness' = 'with uniqueness',
): Promise<void> {
  if (fields.length === 0) return;
  await removeAbandonedColumns(db, collection, fields);
  await db.adapter.addColumns(db, tableName(collection), fields);
  if (fields.some(isText)) {
    await db.adapter.createSortKeys(db, collection, collection.fields);
  }
  if (uniqueness === 'without uniqueness') return;
  for (const field of fields) await db.adapter.createUniqueness(db, collection, field);
}

/** Removes the columns that a change could not remove after it failed: no field has had numbers as high as these. */
async function removeAbandonedColumns(
  db: Transaction,
  collection: Collection,
  added: readonly StoredField[],
): Promise<void> {
  const first = Math.min(...added.map(({ number }) => number));
  const name = tableName(collection);
  const abandoned = (await db.adapter.tableColumns(db)).flatMap(({ table, column }) => {
    const number = Number(/^f(\d+)(?:_|$)/.exec(column)?.[1]);
    return table === name && number >= first ? [{ number, column }] : [];
  });
  if (abandoned.length === 0) return;
  const numbers = new Set(abandoned.map(({ number }) => number));
  // A text has the indexes that fields of other types have, and more.
  const fields = [...numbers].map((number) => ({ number, type: 'text' as const }));
  const remaining = collection.fields.filter(({ number }) => number < first);
  await dropCompanions(db, collection, fields, remaining);
  const columns = abandoned.map(({ column }) => column);
  if (db.adapter.keepsColumns) await clearColumns(db, collection, columns);
  await db.adapter.removeColumns(db, name, columns);
}

/**
 * Removes the columns of fields that are not part of the definition any more, or never were, with their indexes.
 * @param collection with these fields among the others
 * @param fields without values, where columns are kept (`RecordTables.keepsColumns`)
 */
export async function removeFields(
  db: Transaction,
  collection: Collection,
  fields: readonly StoredField[],
): Promise<void> {
  const numbers = new Set(fields.map(({ number }) => number));
  const remaining = collection.fields.filter(({ number }) => !numbers.has(number));
  await dropCompanions(db, collection, fields, remaining);
  const columns = fields.flatMap((field) => [
    ...columnsOf(field).map(([name]) => name),
    ...db.adapter.computedColumnNames(field),
  ]);
  await db.adapter.removeColumns(db, tableName(collection), columns);
}

/** Drops the indexes of fields. */
export async function dropFieldIndexes(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
): Promise<void> {
  for (const field of fields) {
    for (const { name } of fieldIndexes(db, collection, field)) {
      await sql`drop index if exists ${sql.ref(name)}`.execute(db.k);
    }
  }
}

/** Drops what depends on the columns of fields. @param remaining the fields of the table without these */
async function dropCompanions(
  db: Transaction,
  collection: Collection,
  fields: readonly StoredField[],
  remaining: readonly StoredField[],
): Promise<void> {
  if (fields.some(isText)) await db.adapter.createSortKeys(db, collection, remaining);
  await dropFieldIndexes(db, collection, fields);
}
