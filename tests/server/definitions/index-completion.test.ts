/** @module-tag slow */
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { dropFieldIndexes, orderIndex } from '#server/database/records/record-tables.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const NO = { name: 'NO', type: 'text' };
const CITY = { name: 'CITY', type: 'text' };
const TOTAL = { name: 'TOTAL', type: 'text' };
/** So many that their indexes are not created at once. */
const MANY = Array.from({ length: 20_001 }, (_, i) => [`A-${i}`, String(i)]);
const MINUTE = 60_000;

/** A database on which no moment is quiet, for those who would wait for long, until `becomeQuiet` is called. */
function withoutQuiet(database: Database) {
  const quiet = Promise.withResolvers<void>();
  const wrapped = wrapDatabase(database, {
    untilQuiet: (_, maxWait, signal) => {
      if (maxWait <= MINUTE || signal.aborted) return Promise.resolve();
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
      return Promise.race([quiet.promise, aborted]);
    },
  });
  return { wrapped, becomeQuiet: () => quiet.resolve() };
}

async function hasIndex(database: Database, collection: Collection, number: number) {
  const name = orderIndex(collection, number);
  return database.read(async (db) => {
    const { rows } = await sql`select 1 from sqlite_schema where name = ${name}`.execute(db.k);
    return rows.length > 0;
  });
}

async function putTable(admin: TestClient, table: Table, definition: object) {
  const path = `configuration/tables/${table.guid}`;
  const headers = { 'if-match': '*' };
  return admin.put(path, { table: { name: table.name, ...definition } }, { headers });
}

describe('a field that is added to a large table on SQLite', () => {
  const { open } = testDatabases('sqlite');
  const openWithoutQuiet = async () => {
    const { wrapped, becomeQuiet } = withoutQuiet(await open());
    const t = await openApp(() => Promise.resolve(wrapped));
    onTestFinished(becomeQuiet);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    return { ...t, admin: await t.signedIn('admin'), becomeQuiet };
  };

  it('is used at once, and gets its index when nobody writes', async () => {
    const { database, admin, becomeQuiet } = await openWithoutQuiet();
    const built = await buildArchive(database, [NO, TOTAL]);
    await buildRecords(database, built, MANY);
    const archive = new ArchiveAdministration(admin, built.name);
    expect((await archive.put([NO, TOTAL, CITY])).status).toBe(200);
    expect(await hasIndex(database, built, 3)).toBe(false);

    const path = archivePath(built);
    const saved = await admin.patch(`${path}/documents/7/indexdata`, {
      indexFields: [{ name: 'CITY', value: 'Ulm' }],
    });
    expect(saved.status).toBe(200);
    const found = async (query: string) => (await admin.get(`${path}/index?limit=2&${query}`)).body;
    const filtered = await found('where[CITY][eq]=Ulm');
    expect(filtered).toMatchObject({ archivedocuments: [{ revisionId: '7' }] });
    const sorted = await found('sort=CITY');
    expect(sorted).toMatchObject({
      archivedocuments: [{ revisionId: '7' }, { revisionId: '1' }],
    });

    becomeQuiet();
    await expect.poll(() => hasIndex(database, built, 3)).toBe(true);
    expect(await found('where[CITY][eq]=Ulm')).toEqual(filtered);
    expect(await found('sort=CITY')).toEqual(sorted);
  });

  it('has its index at once if its values are unique, alone or together', async () => {
    const { database, admin } = await openWithoutQuiet();
    const table = await buildTable(database, [NO, TOTAL]);
    await buildRecords(database, table, MANY);
    const columns = [NO, TOTAL, CITY, { name: 'A', type: 'integer', unique: true }];
    const more = [{ name: 'B', type: 'integer' }];
    const uniqueTogether = [['CITY', 'NO']];
    const put = await putTable(admin, table, { columns: [...columns, ...more], uniqueTogether });
    expect(put.status).toBe(200);
    expect(await hasIndex(database, table, 3)).toBe(true);
    expect(await hasIndex(database, table, 4)).toBe(true);
    expect(await hasIndex(database, table, 5)).toBe(false);
  });

  it('has its index as soon as saves look up values in it', async () => {
    const { database, admin } = await openWithoutQuiet();
    const table = await buildTable(database, [NO, TOTAL]);
    await buildRecords(database, table, MANY);
    expect((await putTable(admin, table, { columns: [NO, TOTAL, CITY] })).status).toBe(200);
    const built = await buildArchive(database, [NO]);
    const archive = new ArchiveAdministration(admin, built.name);
    expect(await hasIndex(database, table, 3)).toBe(false);
    const checks = [{ name: 'KNOWN', rule: `NO in ${table.name}.CITY` }];
    expect((await archive.put([NO], { checks })).status).toBe(200);
    await expect.poll(() => hasIndex(database, table, 3)).toBe(true);
  });

  it('has its index at once if values were converted into it', async () => {
    const { database, admin } = await openWithoutQuiet();
    const built = await buildArchive(database, [NO, TOTAL]);
    await buildRecords(database, built, MANY);
    const archive = new ArchiveAdministration(admin, built.name);
    expect((await archive.put([NO, { ...TOTAL, type: 'integer' }])).status).toBe(200);
    expect(await hasIndex(database, built, 3)).toBe(true);
    expect(await archive.values(8)).toEqual({ NO: 'A-7', TOTAL: 7 });
  });
});

describe('a service on a SQLite database that lacks indexes', () => {
  const { open } = testDatabases('sqlite');

  it('creates them when nobody writes', async () => {
    const database = await open();
    const table: Table = await buildTable(database, [NO, TOTAL]);
    // As a load leaves it that was interrupted.
    await database.write((db) => dropFieldIndexes(db, table, table.fields));
    const { wrapped, becomeQuiet } = withoutQuiet(database);
    const { signedIn } = await openApp(() => Promise.resolve(wrapped));
    onTestFinished(becomeQuiet);
    await buildUser(database, { username: 'admin', role: 'administrator' });
    const admin = await signedIn('admin');
    const created = await admin.post(datasetsPath(table), { dataset: { NO: 'A-1' } });
    expect(created.status).toBe(200);
    expect(await hasIndex(database, table, 1)).toBe(false);
    becomeQuiet();
    await expect.poll(() => hasIndex(database, table, 1)).toBe(true);
    await expect.poll(() => hasIndex(database, table, 2)).toBe(true);
  });
});

describe('a service on a PostgreSQL database that lacks indexes', { tags: ['postgres'] }, () => {
  const { open } = testDatabases('postgres');

  it('creates them', async () => {
    const database = await open();
    const table: Table = await buildTable(database, [NO, TOTAL]);
    // As a load leaves it that was interrupted.
    await database.write((db) => dropFieldIndexes(db, table, table.fields));
    await openApp(() => Promise.resolve(database));
    const isComplete = () =>
      database.read(
        async (db) => (await db.adapter.fieldsWithoutIndexes(db, [table])).length === 0,
      );
    await expect.poll(isComplete).toBe(true);
  });
});
