import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { SqliteConnection } from '#server/database/sqlite/sqlite-connection.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { testDatabases } from '#tests/support/databases.ts';

const { open, prepare } = testDatabases('sqlite');

/** A table of one text column with one row. */
const createProbe = (database: Database) =>
  database.write(async (db) => {
    await sql`create table probe (a text) ${db.adapter.columnTypes.strict}`.execute(db.k);
    await sql`insert into probe values ('old')`.execute(db.k);
  });

const addInteger = (database: Database, then: () => void) =>
  database.write(async (db) => {
    await db.adapter.addColumns(db, 'probe', [{ number: 1, type: 'integer' }]);
    then();
  });

it('A column is added to a SQLite table without a check of its rows', async () => {
  const database = await open();
  await database.write(async (db) => {
    const { strict } = db.adapter.columnTypes;
    await sql`create table probe (a text check (a <> 'wrong')) ${strict}`.execute(db.k);
    // SQLite would find this row if it looked at the rows.
    await sql`pragma ignore_check_constraints = on`.execute(db.k);
    await sql`insert into probe values ('wrong')`.execute(db.k);
    await sql`pragma ignore_check_constraints = off`.execute(db.k);
    await db.adapter.addColumns(db, 'probe', [{ number: 1, type: 'date' }]);
    await sql`update probe set f1 = 'stored'`.execute(db.k);
    const { rows } = await sql`select f1 from probe`.execute(db.k);
    expect(rows).toEqual([{ f1: 'stored' }]);
  });
});

it('A column that is added to a SQLite table with rows is empty there, and takes values of its type', async () => {
  const config = await prepare();
  const database = await open(config);
  await createProbe(database);
  const reader = await SqliteConnection.open(join(config.dataDir, SQLITE_FILE), 'read worker');
  onTestFinished(() => reader.close());
  const read = () => reader.rowsOf('select * from probe', []);
  expect(read()).toEqual([['old']]);
  await addInteger(database, () => undefined);
  expect(read()).toEqual([['old', null]]);
  const insert = (b: unknown) =>
    database.write((db) => sql`insert into probe values ('new', ${b})`.execute(db.k));
  await expect(insert('text')).rejects.toThrow('cannot store TEXT value in INTEGER column');
  await insert(7);
  expect(read()).toEqual([
    ['old', null],
    ['new', 7],
  ]);
  expect(reader.rowsOf('pragma integrity_check', [])).toEqual([['ok']]);
});

it('A column of a SQLite table is not added by a transaction that fails', async () => {
  const database = await open();
  await createProbe(database);
  const fail = () => {
    throw new Error('refused');
  };
  await expect(addInteger(database, fail)).rejects.toThrow('refused');
  const { rows } = await database.read((db) => sql`select * from probe`.execute(db.k));
  expect(rows).toEqual([{ a: 'old' }]);
  await addInteger(database, () => undefined);
});
