/** @module-tag slow */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readCount } from '#server/database/postgres/record-counts.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { deleteRecords, insertRecords } from '#server/database/records/write-records.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnBothDatabases, testDatabases } from '#tests/support/databases.ts';

/** Of each service: together so many that counts are merged. */
const WRITES = 28;
const STAMP = { at: 1, by: 'builder' };
const record = (value: string) => ({
  id: null,
  version: 1,
  values: [value],
  keywords: [],
  document: null,
});

describeOnBothDatabases('the total of a table', (open, { prepare, onOneDatabase }) => {
  /** Two services on one database, as two processes are. */
  let services: [TestApp, TestApp];
  let clients: [TestClient, TestClient];
  let table: Table;
  let archive: Archive;
  beforeEach(async () => {
    const config = await prepare();
    const service = () => openApp(() => open(config), { dataDir: config.dataDir });
    services = [await service(), await service()];
    const { database } = services[0];
    table = await buildTable(database, [{ name: 'no', unique: true }]);
    archive = await buildArchive(database, [{ name: 'NO' }]);
    await buildUser(database, { rights: [rightOn(table, 'manage'), rightOn(archive, 'manage')] });
    clients = [await services[0].signedIn('clerk'), await services[1].signedIn('clerk')];
  });

  /** All that tell how many datasets there are, by each service. */
  const totals = () =>
    Promise.all(
      clients.flatMap((client) => [
        client
          .get('application/dataapp/tables')
          .then(({ body }) => Object(body).tables[0].datasets),
        client
          .get(`${datasetsPath(table)}?limit=1`)
          .then(({ body }) => Object(body).meta.pagination.total),
        client.get(`${datasetsPath(table)}/count`).then(({ body }) => Object(body).count),
      ]),
    );
  const same = (total: number) => Array.from({ length: 6 }, () => total);

  it('is exact while two services create and delete, and counts are merged', async () => {
    const path = datasetsPath(table);
    const work = async (client: TestClient, service: number) => {
      const kept: string[] = [];
      for (let i = 0; i < WRITES; i++) {
        const created = await client.post(path, { dataset: { no: `${service} ${i}` } });
        expect(created.status).toBe(200);
        const { jrid } = Object(created.body).datasets[0];
        if (i % 4 === 3) {
          expect((await client.delete(path, { datasets: [{ jrid }] })).status).toBe(204);
        } else kept.push(jrid);
        if (i % 4 === 3) await services[0].database.adapter.mergeCounts(services[0].database);
      }
      return kept.length;
    };
    const kept = await Promise.all(clients.map(work));
    const left = (WRITES * 3) / 4;
    expect(kept).toEqual([left, left]);
    expect(await totals()).toEqual(same(2 * left));
    await Promise.all(services.map(({ database }) => database.adapter.mergeCounts(database)));
    expect(await totals()).toEqual(same(2 * left));
  });

  it(
    'counts nothing of what was refused, rolled back or changed, also in archives',
    onOneDatabase,
    async () => {
      const path = datasetsPath(table);
      const first = await clients[0].post(path, { datasets: [{ no: 'a' }, { no: 'b' }] });
      const [{ jrid }] = Object(first.body).datasets;
      expect((await clients[1].post(path, { datasets: [{ no: 'c' }, { no: 'a' }] })).status).toBe(
        409,
      );
      await clients[0].put(`${path}/${jrid}`, { dataset: { no: 'd' } });
      const { database } = services[1];
      const failing = database.write(async (db) => {
        const ids = await insertRecords(db, table, [record('x'), record('y')], STAMP);
        await deleteRecords(db, table, [...ids, Number(jrid)]);
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await totals()).toEqual(same(2));

      await buildRecords(services[0].database, archive, [['1'], ['2'], ['3']]);
      expect((await clients[1].delete(`${archivePath(archive)}/documents/2`)).status).toBe(204);
      const { body } = await clients[0].get('application/users/clerk/archives');
      expect(Object(body).users.archives).toMatchObject([{ documents: 2 }]);
      const list = await clients[0].get(`${archivePath(archive)}/index`);
      expect(Object(list.body).meta.pagination.total).toBe(2);
    },
  );
});

describe('on PostgreSQL the total of a table', { tags: ['postgres'] }, () => {
  const { prepare, open } = testDatabases('postgres');
  let config: DatabaseConfig;
  let database: Database;
  let table: Table;
  beforeEach(async () => {
    config = await prepare();
    database = await open(config);
    table = await buildTable(database, [{ name: 'no' }]);
    await buildRecords(database, table, [['a'], ['b'], ['c']]);
  });
  const rows = async () =>
    (await database.read((db) => db.k.selectFrom('record_counts').select('change').execute())).map(
      ({ change }) => change,
    );
  const total = () => database.read((db) => readCount(db, table));

  it('waits for no other write, and is of the snapshot', async () => {
    const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = database.write(async (db) => {
      await insertRecords(db, table, [record('x')], STAMP);
      begun.resolve();
      await finish.promise;
    });
    await begun.promise;
    // With a row that both change it would wait for the other one's end.
    await database.write((db) => insertRecords(db, table, [record('y'), record('z')], STAMP));
    expect(await total()).toBe(5);
    finish.resolve();
    await open;
    expect(await total()).toBe(6);
  });

  it('stays the same when many changes are merged into one', async () => {
    for (let i = 0; i < 70; i++) {
      await database.write((db) => insertRecords(db, table, [record(`${i}`)], STAMP));
    }
    expect((await rows()).length).toBeGreaterThan(70);
    await Promise.all([
      database.adapter.mergeCounts(database),
      database.adapter.mergeCounts(database),
    ]);
    expect((await rows()).length).toBeLessThanOrEqual(2);
    expect(await total()).toBe(73);
  });

  it('is counted once by the upgrade of a version without it', async () => {
    await database.write(async (db) => {
      await sql`drop table record_counts`.execute(db.k);
      await sql`drop function count_records cascade`.execute(db.k);
      await sql`delete from ${sql.table(tableName(table))} where _id = 1`.execute(db.k);
      await sql`update installation set value = '15' where key = 'schema_version'`.execute(db.k);
    });
    await database.close();
    database = await open(config);
    expect(await rows()).toEqual([2]);
    await buildRecords(database, table, [['d']]);
    expect(await total()).toBe(3);
  });
});
