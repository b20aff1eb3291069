import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openDatabase, type Database, type DatabaseConfig, type Db } from '#server/db/database.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { administer } from '#tests/support/postgres-server.ts';

/** The databases that are handed out have been migrated already on PostgreSQL; this one has no tables at all. */
async function withoutTables(config: DatabaseConfig): Promise<DatabaseConfig> {
  if (config.databaseUrl !== undefined) {
    await administer(config.databaseUrl, (client) =>
      client.query('drop schema public cascade; create schema public'),
    );
  }
  return config;
}

function settings(database: Database): Promise<{ key: string; value: string }[]> {
  return database.read((db) =>
    db.k.selectFrom('installation').selectAll().orderBy('key').execute(),
  );
}

describeOnBothDatabases('migrations', (open, { dialect, prepare }) => {
  it('make the tables, once, and keep what is in them', async () => {
    const config = await withoutTables(await prepare());
    const first = await openDatabase(config);
    await first.write((db) =>
      db.k.insertInto('sign_in_failures').values({ key: 'k', failures: 1, last_at: 2 }).execute(),
    );
    const before = await settings(first);
    await first.close();
    const second = await open(config);
    expect(await settings(second)).toEqual(before);
    expect(
      await second.read((db) => db.k.selectFrom('sign_in_failures').selectAll().execute()),
    ).toEqual([{ key: 'k', failures: 1, last_at: 2 }]);
  });

  it('may be begun by many at once', async () => {
    const config = await withoutTables(await prepare());
    const databases = await Promise.all(Array.from({ length: 5 }, () => open(config)));
    for (const database of databases) {
      expect(await settings(database)).toContainEqual({ key: 'schema_version', value: '3' });
    }
  });

  it('refuse a database of a newer version and leave it as it is', async () => {
    const config = await prepare();
    const database = await open(config);
    await database.write((db) =>
      db.k
        .updateTable('installation')
        .set({ value: '99' })
        .where('key', '=', 'schema_version')
        .execute(),
    );
    await expect(openDatabase(config)).rejects.toThrow('version 99');
    expect(await settings(database)).toContainEqual({ key: 'schema_version', value: '99' });
  });

  it('say whether trigrams can be used', async () => {
    const database = await open(await withoutTables(await prepare()));
    expect(await database.read((db) => Promise.resolve(db.trigram))).toBe(dialect === 'postgres');
  });
});

function addEntry(db: Db, row: number): Promise<unknown> {
  return db.k
    .insertInto('history')
    .values({
      at: 1_790_000_000_000,
      user_id: null,
      username: 'someone',
      address: null,
      call: 'PATCH',
      scope: 'archive',
      thing_id: 1,
      row_id: row,
      version: 1,
      kind: 'change',
      changes: '[]',
    })
    .execute();
}

describeOnBothDatabases('the history', (open, { dialect }) => {
  it('only grows', async () => {
    const database = await open();
    await database.write((db) => addEntry(db, 1));
    await database.write((db) => addEntry(db, 2));
    const attempts: ((db: Db) => Promise<unknown>)[] = [
      (db) => db.k.updateTable('history').set({ username: 'other' }).execute(),
      (db) => db.k.deleteFrom('history').where('row_id', '=', 1).execute(),
      dialect === 'sqlite'
        ? (db) => sql`replace into history select * from history`.execute(db.k)
        : (db) => sql`truncate history`.execute(db.k),
    ];
    for (const attempt of attempts) {
      await expect(database.write(attempt)).rejects.toThrow('append-only');
    }
    const rows = await database.read((db) =>
      db.k.selectFrom('history').select(['id', 'username', 'at']).orderBy('id').execute(),
    );
    expect(rows).toEqual([
      { id: 1, username: 'someone', at: 1_790_000_000_000 },
      { id: 2, username: 'someone', at: 1_790_000_000_000 },
    ]);
  });
});
