import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { fieldIndexes } from '#server/database/records/record-tables.ts';
import { openSqliteDatabase } from '#server/database/sqlite/sqlite-database.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const databases = testDatabases('sqlite');

/** A database whose indexes are created in threads, with a table whose field has lost its indexes. */
async function openWithoutIndexes() {
  const { dataDir } = await databases.prepare();
  const database = await openSqliteDatabase(dataDir, { workersFrom: 0 });
  const table = await buildTable(database, [{ name: 'name' }]);
  await buildRecords(database, table, [['Bern'], ['Graz']]);
  const shapes = table.fields.flatMap((field) => fieldIndexes(database, table, field));
  await database.write(async (db) => {
    for (const { name } of shapes) await sql`drop index ${sql.ref(name)}`.execute(db.k);
  });
  return { database, table, names: shapes.map(({ name }) => name) };
}

const indexNames = (database: Database, table: string) =>
  database.read(async (db) => {
    const { rows } = await sql<{ name: string }>`select name from sqlite_schema
      where type = 'index' and tbl_name = ${table}`.execute(db.k);
    return rows.map(({ name }) => name);
  });

const put = (database: Database, key: string) =>
  database.write((db) => db.k.insertInto('installation').values({ key, value: 'mine' }).execute());

it('creates the missing indexes of a large database in threads, between writes', async () => {
  const { database, table, names } = await openWithoutIndexes();
  const created: string[] = [];
  const writes: Promise<unknown>[] = [];
  await database.completeIndexes(table, (name) => {
    created.push(name);
    writes.push(put(database, name));
  });
  await Promise.all(writes);
  expect(created).toEqual(names);
  expect(await indexNames(database, tableName(table))).toEqual(expect.arrayContaining(names));
  await database.completeIndexes(table, () => expect.unreachable());
  await database.close();
});

it('reports why an index cannot be created, and later writes succeed', async () => {
  const { database, table } = await openWithoutIndexes();
  await database.write((db) => sql`drop table ${sql.table(tableName(table))}`.execute(db.k));
  await expect(database.completeIndexes(table, () => undefined)).rejects.toThrow('no such table');
  await put(database, 'a');
  await database.close();
});
