import { beforeEach, describe, expect, it } from 'vitest';
import { apart } from '#server/apart/procedures.ts';
import type { Database } from '#server/db/database.ts';
import { openSqliteDatabase } from '#server/db/sqlite-database.ts';
import { createDatasets } from '#server/modules/datasets/datasets.service.ts';
import { listPage } from '#server/modules/records/lists.service.ts';
import type { Table } from '#server/db/records/thing.ts';
import { buildRecords, buildTable, buildWriter } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

describe('threads that read', () => {
  const databases = testDatabases('sqlite');
  let database: Database;
  let table: Table;
  beforeEach(async () => {
    const { dataDir } = await databases.prepare();
    database = await openSqliteDatabase(dataDir, 0);
    table = await buildTable(database, [{ name: 'name' }]);
    await buildRecords(database, table, [['Bern'], ['Graz'], ['Lyon']]);
    return () => database.close();
  });
  const names = async (parameters: [string, string][] = []) => {
    const page = await database.read((db) => apart.listPage(db, table, parameters));
    return page.records.map(({ values }) => values[0]);
  };

  it('answer what is read here', async () => {
    const parameters: [string, string][] = [['sort', '-name']];
    const here = await database.write((db) => listPage(db, table, parameters));
    const there = await database.read((db) => {
      expect(db.apart).not.toBeNull();
      return apart.listPage(db, table, parameters);
    });
    expect(there).toEqual(here);
  });

  it('see each write that was answered before, and refuse what is refused here', async () => {
    for (const name of ['Porto', 'Turku']) {
      await database.write((db) => createDatasets(db, table, buildWriter(), [{ name }]));
      expect(await names([['where[name][eq]', name]])).toEqual([name]);
    }
    await expect(names([['sort', 'street']])).rejects.toMatchObject({
      code: 'malformed',
      errors: { sort: [expect.any(String)] },
    });
  });

  it('do not hold up what is asked for at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => names()));
    expect(all).toEqual(all.map(() => ['Bern', 'Graz', 'Lyon']));
    expect(database.load().connections.waiting).toBe(0);
  });

  it('finish what they do before the database is closed', async () => {
    const reading = names();
    await database.close();
    expect(await reading).toHaveLength(3);
    await expect(names()).rejects.toThrow('The database is closed.');
  });

  it('are not begun for a small database', async () => {
    const small = await databases.open();
    expect(await small.read((db) => Promise.resolve(db.apart))).toBeNull();
  });
});
