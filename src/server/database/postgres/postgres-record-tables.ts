import { sql } from 'kysely';
import { isText } from '#shared/values/registry.ts';
import type { RecordTables, Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import {
  comparedColumn,
  keyColumn,
  keywordTable,
  tableName,
  type CollectionRef,
  type StoredField,
} from '../records/columns.ts';
import { declareField } from '../records/record-tables.ts';
import { fieldsWithoutIndexes } from './complete-indexes.ts';
import { createCountTriggers, mergeCounts, readCount } from './record-counts.ts';
import { createSortKeyTrigger, dropSortKeyFunction, keyDeclaration } from './sort-key-trigger.ts';

export const RECORD_TABLES: RecordTables = {
  advanceIdCounter: continueIds,
  computedColumns: (field) => (isText(field) ? [keyDeclaration(field)] : []),
  computedColumnNames: (field) => (isText(field) ? [keyColumn(field)] : []),
  async addColumns(db, table, fields) {
    const added = fields
      .flatMap((field) => declareField(db, field))
      .map((column) => sql`add column ${column}`);
    await sql`alter table ${sql.table(table)} ${sql.join(added)}`.execute(db.k);
  },
  async removeColumns(db, table, columns) {
    if (columns.length === 0) return;
    const dropped = columns.map((column) => sql`drop column ${sql.ref(column)}`);
    await sql`alter table ${sql.table(table)} ${sql.join(dropped)}`.execute(db.k);
  },
  keepsColumns: false,
  createSortKeys: (db, collection, fields) =>
    createSortKeyTrigger(db, tableName(collection), fields),
  async createCompanions(db, collection) {
    await createSortKeyTrigger(db, tableName(collection), collection.fields);
    await createCountTriggers(db, tableName(collection));
  },
  async dropRecordTables(db, collection) {
    const table = tableName(collection);
    await sql`drop table if exists ${sql.table(table)}, ${sql.table(keywordTable(collection))}`.execute(
      db.k,
    );
    await dropSortKeyFunction(db, table);
    await db.k.deleteFrom('record_counts').where('collection', '=', table).execute();
  },
  async createTableIndexes(db, collection) {
    if (!db.adapter.trigram) return;
    await sql`create index if not exists ${sql.ref(searchIndex(collection))} on ${sql.table(tableName(collection))}
      using gin (_search gin_trgm_ops)`.execute(db.k);
  },
  createUniqueness,
  async dropUniqueness(db, collection, { number }) {
    await sql`alter table ${sql.table(tableName(collection))}
      drop constraint if exists ${sql.ref(uniqueName(collection, number))}`.execute(db.k);
  },
  fieldsWithoutIndexes,
  storedCount: readCount,
  mergeCounts,
};

async function continueIds(db: Transaction, collection: CollectionRef): Promise<void> {
  const table = tableName(collection);
  const sequence = `${table}__id_seq`;
  await sql`select setval(${sequence}::regclass, greatest(highest, last_value), is_called or highest >= last_value)
    from ${sql.table(sequence)}, (select coalesce(max(_id), 0) as highest from ${sql.table(table)}) as records`.execute(
    db.k,
  );
}

/**
 * Enforces the uniqueness of a column between concurrent writes, which do not see each other's values; `checkUnique`
 * finds and reports all other conflicts first. The constraint is checked at the end of a transaction, because a batch
 * may swap two values, and by a hash, because a text may be longer than a btree entry.
 */
async function createUniqueness(
  db: Transaction,
  collection: Collection,
  field: StoredField,
): Promise<void> {
  const column =
    collection.kind === 'table' && collection.fields.find(({ number }) => number === field.number);
  if (!column || !column.unique) return;
  const name = uniqueName(collection, field.number);
  const { rows } = await sql`select 1 from pg_constraint where conname = ${name}
    and conrelid = ${tableName(collection)}::regclass`.execute(db.k);
  if (rows.length > 0) return;
  await sql`alter table ${sql.table(tableName(collection))} add constraint ${sql.ref(name)}
    exclude using hash (${sql.ref(comparedColumn(field))} with =) deferrable initially deferred`.execute(
    db.k,
  );
}

function uniqueName(collection: CollectionRef, number: number): string {
  return `${tableName(collection)}_f${number}_unique`;
}

/** The trigram index over the search texts of an archive or table. */
export function searchIndex(collection: CollectionRef): string {
  return `${tableName(collection)}_search`;
}
