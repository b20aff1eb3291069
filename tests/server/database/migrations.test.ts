import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, inject, it, onTestFinished } from 'vitest';
import type { Database, Transaction } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { createValueAliases } from '#server/database/migrations/value-alias-table.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { searchTable, tableName } from '#server/database/records/columns.ts';
import { orderIndex } from '#server/database/records/record-tables.ts';
import { listPage } from '#server/modules/records/lists.service.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import {
  readSequencedEntries,
  sequenceAllEntries,
} from '#server/modules/history/history.service.ts';
import { readBulkEdits } from '#server/modules/bulk-edits/bulk-edits.store.ts';
import { createUser } from '#server/modules/accounts/users.service.ts';
import { listAliases } from '#server/modules/value-aliases/value-aliases.ts';
import { BUILDER, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import { revertMigrations } from '#tests/support/revert-migrations.ts';
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

const CURRENT = { key: 'schema_version', value: String(SCHEMA_VERSION) };

/** The sixth and seventh begin with the same 300 characters. */
const TITLES = [
  'Beta',
  'alpha',
  'Émile',
  `${'x'.repeat(400)}a`,
  '',
  `${'X'.repeat(400)}b`,
  'émile',
  null,
];

function settings(database: Database): Promise<{ key: string; value: string }[]> {
  return database.read((db) =>
    db.k.selectFrom('installation').selectAll().orderBy('key').execute(),
  );
}

describeOnBothDatabases('migrations', (open, { dialect, onOneDatabase, prepare }) => {
  it('make the tables beside what an extension has brought, once, and keep what is in them', async () => {
    const config = await withoutTables(await prepare());
    if (config.databaseUrl !== undefined) {
      await administer(config.databaseUrl, (client) =>
        client.query('create extension pg_stat_statements'),
      );
    }
    const first = await openDatabase(config);
    // With trigrams, which every new database of PostgreSQL has.
    expect(await first.read((db) => Promise.resolve(db.adapter.trigram))).toBe(
      dialect === 'postgres',
    );
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
    const databases = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const database = await openDatabase(config);
        onTestFinished(() => database.close());
        return database;
      }),
    );
    for (const database of databases) {
      expect(await settings(database)).toContainEqual(CURRENT);
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

  it('refuse a database that another program has made tables in, and make none there', async () => {
    const config = await prepare();
    const names = 'create table users (id integer); create table installation (id integer)';
    if (config.databaseUrl === undefined) {
      const path = join(config.dataDir, SQLITE_FILE);
      const others = new DatabaseSync(path);
      others.exec(names);
      await expect(openDatabase(config)).rejects.toThrow(
        `The database ${path} contains tables of another program: installation, users. Choose another directory with --data.`,
      );
      expect(others.prepare('select name from sqlite_schema').all()).toHaveLength(2);
      others.close();
      return;
    }
    const { databaseUrl } = await withoutTables(config);
    await administer(config.databaseUrl, async (client) => {
      await client.query(names);
      await expect(openDatabase({ ...config, databaseUrl })).rejects.toThrow(
        /^The database \w+ \(schema public\) of --database-url contains tables of another program: installation, users\. Indexdesk needs a separate database: `createdb --owner \w+ NAME`/,
      );
      const { rows } = await client.query(
        "select from pg_class where relnamespace = 'public'::regnamespace",
      );
      expect(rows).toHaveLength(2);
    });
  });

  it.runIf(dialect === 'postgres')('say what a user lacks who may not make tables', async () => {
    const config = await withoutTables(await prepare());
    const own = config.databaseUrl ?? '';
    const role = `without_right_${randomBytes(6).toString('hex')}`;
    await administer(own, (client) =>
      client.query(
        `create role ${role} login password 'secret'; grant usage on schema public to ${role}`,
      ),
    );
    onTestFinished(async () => {
      await administer(inject('postgres').url, (client) => client.query(`drop role ${role}`));
    });
    const limited = new URL(own);
    limited.username = role;
    limited.password = 'secret';
    await expect(openDatabase({ ...config, databaseUrl: limited.href })).rejects.toThrow(
      `\`grant create on schema public to ${role}\``,
    );
    limited.searchParams.set('options', '-c search_path=nowhere');
    await expect(openDatabase({ ...config, databaseUrl: limited.href })).rejects.toThrow(
      `may use is in its search_path`,
    );
  });

  it.runIf(dialect === 'sqlite')(
    'give the record tables of version 7 their ids in order',
    async () => {
      const config = await prepare();
      const old = await openDatabase(config);
      await old.write(async (db) => {
        await sql`create table a9 (_id integer primary key, _changed_at integer, a text, b text, c text, d text)`.execute(
          db.k,
        );
        await sql`create index a9_changed_at on a9 (_changed_at, _id)`.execute(db.k);
        await sql`alter table history_blocks drop column marks`.execute(db.k);
        await sql`drop table if exists search_due`.execute(db.k);
        await db.k
          .updateTable('installation')
          .set({ value: '7' })
          .where('key', '=', 'schema_version')
          .execute();
      });
      await old.close();
      const database = await open(config);
      const { rows } = await database.read((db) =>
        sql<{
          detail: string;
        }>`explain query plan select _id from a9 order by _id limit 9 offset 9`.execute(db.k),
      );
      expect(rows.map(({ detail }) => detail)).toEqual(['SCAN a9 USING COVERING INDEX a9_id']);
    },
  );

  it('give the texts of version 11 their sort keys', async () => {
    const config = await prepare();
    const old = await openDatabase(config);
    const archive = await buildArchive(old, [
      { name: 'TITLE' },
      { name: 'N', type: 'integer' },
      { name: 'NOTE' },
    ]);
    await buildRecords(
      old,
      archive,
      TITLES.map((title, i) => [title, i, `note ${i % 3}`]),
    );
    const lists = (database: Database) =>
      database.read(async (db) => {
        const pages: number[][] = [];
        for (const sort of ['TITLE', '-TITLE', 'NOTE', '-NOTE,TITLE', 'changedBy']) {
          for (const offset of ['0', '3', '6']) {
            const page = await listPage(db, archive, [
              ['sort', sort],
              ['offset', offset],
              ['limit', '3'],
            ]);
            pages.push(page.records.map(({ id }) => id));
          }
        }
        return pages;
      });
    const before = await lists(old);
    expect(before.slice(0, 3)).toEqual([
      [5, 2, 1],
      [3, 7, 4],
      [6, 8],
    ]);
    await old.write(async (db) => {
      const table = tableName(archive);
      if (dialect === 'postgres') {
        await sql.raw(`drop function ${table}_sort_keys cascade`).execute(db.k);
      }
      for (const field of archive.fields) {
        if (dialect === 'sqlite' || field.type !== 'text') continue;
        const name = `f${field.number}`;
        await sql
          .raw(
            `alter table ${table} drop column ${name}_key;
            create index ${table}_${name} on ${table} ((case when length(${name}_fold) > 300
              then left(${name}_fold, 300) || chr(1114111)
              else left(${name}_fold, 300) || chr(1) || left(${name}, 300) end), _id)`,
          )
          .execute(db.k);
      }
      await db.k
        .updateTable('installation')
        .set({ value: '11' })
        .where('key', '=', 'schema_version')
        .execute();
    });
    await old.close();
    const [database] = await Promise.all([open(config), open(config)]);
    if (!database) throw new Error('None was opened.');
    expect(await lists(database)).toEqual(before);
    if (dialect === 'sqlite') return;
    const key = `f${archive.fields[0]?.number}_key`;
    const plan = await database.read(async (db) => {
      await sql`set local enable_seqscan to off`.execute(db.k);
      const { rows } = await sql<{ 'QUERY PLAN': string }>`
        explain (costs off) select _id from ${sql.table(tableName(archive))}
        order by ${sql.ref(key)}, _id limit 3 offset 3`.execute(db.k);
      return rows.map((row) => row['QUERY PLAN'].trim());
    });
    expect(plan).toContain(
      `->  Index Only Scan using ${orderIndex(archive, archive.fields[0]?.number ?? 0)} on ${tableName(archive)}`,
    );
    // Written anew, no page of it counted as one that all see.
    const { rows } = await database.read((db) =>
      sql<{ pages: number; visible: number }>`select relpages as pages, relallvisible as visible
        from pg_class where relname = ${tableName(archive)}`.execute(db.k),
    );
    expect(rows[0]?.visible).toBe(rows[0]?.pages);
  });

  it.runIf(dialect === 'postgres')('leave the sort keys of version 13 to a trigger', async () => {
    const config = await prepare();
    const old = await openDatabase(config);
    const archive = await buildArchive(old, [{ name: 'TITLE' }, { name: 'NOTE' }]);
    await buildRecords(
      old,
      archive,
      TITLES.map((title, i) => [title, `note ${i % 3}`]),
    );
    const table = tableName(archive);
    const keys = archive.fields.map(({ number }) => `f${number}_key`);
    const describe = (db: Transaction) =>
      sql<{ file: number; generated: number }>`
        select pg_relation_filenode(${table}::regclass)::bigint as file,
          count(*) filter (where attgenerated <> '') as generated
        from pg_attribute where attrelid = ${table}::regclass`.execute(db.k);
    const stored = (db: Transaction) =>
      sql`select ${sql.join(keys.map((key) => sql.ref(key)))} from ${sql.table(table)} order by _id`.execute(
        db.k,
      );
    const before = await old.read(stored);
    await old.write(async (db) => {
      await sql.raw(`drop function ${table}_sort_keys cascade`).execute(db.k);
      for (const { number } of archive.fields) {
        const [text, folded] = [`f${number}`, `f${number}_fold`];
        await sql
          .raw(
            `alter table ${table} drop column f${number}_key, add column f${number}_key text collate "C" generated always
              as (case when length(${folded}) > 300 then left(${folded}, 300) || chr(1114111)
              else left(${folded}, 300) || chr(1) || left(${text}, 300) end) stored;
            create index ${table}_f${number} on ${table} (f${number}_key, _id)`,
          )
          .execute(db.k);
      }
      await sql`update installation set value = '13' where key = 'schema_version'`.execute(db.k);
    });
    const [generated] = (await old.read(describe)).rows;
    expect(generated?.generated).toBe(2);
    await old.close();

    const database = await open(config);
    expect((await database.read(describe)).rows).toEqual([{ file: generated?.file, generated: 0 }]);
    expect(await database.read(stored)).toEqual(before);
    const [added] = await buildRecords(database, archive, [['Zeta', null]]);
    const { records } = await database.read((db) =>
      listPage(db, archive, [
        ['sort', '-TITLE'],
        ['limit', '1'],
      ]),
    );
    expect(records.map(({ id }) => id)).toEqual([added]);
  });

  it('add the entries of version 17 to the outbox that no block has', async () => {
    const config = await prepare();
    const old = await openDatabase(config);
    const add = (rows: readonly number[]) => (db: Transaction) =>
      db.k
        .insertInto('history')
        .values(
          rows.map((row_id) => ({
            at: 1,
            username: 'u',
            call: row_id === 5 ? 'load a.json' : 'PATCH',
            scope: 'table' as const,
            thing_id: 1,
            row_id,
            version: 1,
            kind: 'change' as const,
            changes: '[]',
          })),
        )
        .execute();
    await old.write(add([1, 2]));
    await sequenceAllEntries(old);
    await old.write(async (db) => {
      await dropOutbox(db);
      await sql`alter table history_blocks add column progress text`.execute(db.k);
      if (dialect === 'postgres') {
        await sql`alter table history add column xid xid8`.execute(db.k);
        await sql`create index history_xid on history (xid) where xid is not null`.execute(db.k);
      }
      await add([3, 4, 5])(db);
      await db.k
        .updateTable('installation')
        .set({ value: '17' })
        .where('key', '=', 'schema_version')
        .execute();
    });
    await old.close();
    const [database] = await Promise.all([open(config), open(config)]);
    if (!database) throw new Error('None was opened.');
    await sequenceAllEntries(database);
    await database.write(add([6]));
    await sequenceAllEntries(database);
    const { entries } = await database.read((db) => readSequencedEntries(db, 0, 10));
    expect(entries.map(({ rowId }) => rowId)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('keep the views and bulk edits of version 3', async () => {
    const config = await prepare();
    const old = await openDatabase(config);
    await old.write(async (db) => {
      await dropOutbox(db);
      await sql`drop table history_blocks`.execute(db.k);
      await sql`drop table if exists search_due`.execute(db.k);
      await sql`drop table views`.execute(db.k);
      await sql`drop table last_views`.execute(db.k);
      const id =
        dialect === 'sqlite'
          ? sql`integer primary key autoincrement`
          : sql`integer generated by default as identity primary key`;
      await sql`create table views (id ${id}, archive_id integer not null, user_id integer, name text not null,
        name_key text not null, shared integer not null, search text not null,
        constraint views_name unique (archive_id, user_id, name_key))`.execute(db.k);
      await sql`create table last_views (archive_id integer not null, user_id integer not null,
        search text not null, constraint last_views_key primary key (archive_id, user_id))`.execute(
        db.k,
      );
      const { id: user } = await createUser(
        db,
        {
          username: 'clerk',
          displayName: 'A Clerk',
          role: 'clerk',
          rights: [],
          passwordHash: await hashPassword('correct horse battery', ''),
        },
        BUILDER,
      );
      await sql`insert into views (id, archive_id, user_id, name, name_key, shared, search) values
        (7, 1, ${user}, 'Open', 'open', 0, 'q=a'), (9, 2, null, 'All', 'all', 1, '')`.execute(db.k);
      await sql`insert into last_views values (1, ${user}, 'q=b')`.execute(db.k);
      await sql`drop index bulk_edits_owner`.execute(db.k);
      await sql`alter table bulk_edits drop column scope`.execute(db.k);
      await sql`alter table bulk_edits rename column thing_id to archive_id`.execute(db.k);
      await sql`create index bulk_edits_owner on bulk_edits (archive_id, owner_id, id)`.execute(
        db.k,
      );
      await sql`insert into bulk_edits (archive_id, owner_id, owner_name, kind, state, phase, edits, counts, on_changed,
        created_at, lease_until) values (2, ${user}, 'clerk', 'edit', 'done', 'apply', '[]', '{}', 'refuse', 1, 0)`.execute(
        db.k,
      );
      await db.k
        .updateTable('installation')
        .set({ value: '3' })
        .where('key', '=', 'schema_version')
        .execute();
    });
    await old.close();
    const database = await open(config);
    const views = await database.read((db) =>
      db.k.selectFrom('views').select(['id', 'scope', 'thing_id', 'name']).orderBy('id').execute(),
    );
    expect(views).toEqual([
      { id: 7, scope: 'archive', thing_id: 1, name: 'Open' },
      { id: 9, scope: 'archive', thing_id: 2, name: 'All' },
    ]);
    const last = await database.read((db) => db.k.selectFrom('last_views').selectAll().execute());
    expect(last).toMatchObject([{ scope: 'archive', thing_id: 1, search: 'q=b' }]);
    const jobs = await database.read((db) =>
      db.k.selectFrom('bulk_edits').select(['scope', 'thing_id', 'owner_name']).execute(),
    );
    expect(jobs).toEqual([{ scope: 'archive', thing_id: 2, owner_name: 'clerk' }]);
    const { id } = await database.write((db) =>
      db.k
        .insertInto('views')
        .values({
          scope: 'table',
          thing_id: 1,
          user_id: null,
          name: 'Open',
          name_key: 'open',
          shared: 1,
          search: '',
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    expect(id).toBe(10);
  });

  it(
    'keep the aliases of version 36 as corrections in their order',
    // The same statements on both; the upgrades of stored releases run them on PostgreSQL too.
    onOneDatabase,
    async () => {
      const config = await prepare();
      await revertMigrations(config, 36, async (db) => {
        await sql`drop table value_corrections`.execute(db.k);
        await createValueAliases(db);
        await sql`insert into value_aliases (id, scope, thing_id, field, alias, value, bulk_edit_id, created_at, created_by)
        values (7, 'table', 1, 2, 'b', 'c', 4, 6, 'anna'), (3, 'table', 1, 2, 'a', 'c', 3, 5, 'clerk')`.execute(
          db.k,
        );
      });
      const database = await open(config);
      const aliases = await database.read((db) => listAliases(db, { kind: 'table', id: 1 }, 2));
      expect(aliases).toEqual([
        { id: 1, alias: 'a', value: 'c', createdAt: 5, createdBy: 'clerk' },
        { id: 2, alias: 'b', value: 'c', createdAt: 6, createdBy: 'anna' },
      ]);
    },
  );

  it('keep the imports of version 40, whose files have no names', async () => {
    const config = await prepare();
    await revertMigrations(config, 40, async (db) => {
      await sql`alter table bulk_edits drop column file_name`.execute(db.k);
      await sql`insert into bulk_edits (scope, thing_id, owner_id, owner_name, kind, state, phase, edits, counts, on_changed,
        created_at, lease_until) values ('table', 2, 3, 'clerk', 'import', 'done', 'apply', '[]', '{}', 'refuse', 1, 0)`.execute(
        db.k,
      );
    });
    const database = await open(config);
    const imports = await database.read((db) =>
      readBulkEdits(db, { kind: 'table', id: 2 }, 3, null, 10),
    );
    expect(imports).toMatchObject([{ ownerName: 'clerk', kind: 'import', fileName: null }]);
  });

  it('keep the exceptions of version 39, and let there be several about different fields', async () => {
    const config = await prepare();
    const old = await openDatabase(config);
    const exception = (fields: string) => ({
      scope: 'archive' as const,
      thing_id: 1,
      row_id: 2,
      name: '_lookup',
      with_id: 0,
      fields,
      reason: 'right',
      made_by: 'anna',
      made_at: 3,
    });
    const add = (database: Database, fields: string) =>
      database.write((db) =>
        db.k.insertInto('check_exceptions').values(exception(fields)).execute(),
      );
    await add(old, ',4,');
    await old.close();
    await revertMigrations(config, 39);
    const database = await open(config);
    await add(database, ',5,');
    const all = await database.read((db) =>
      db.k.selectFrom('check_exceptions').selectAll().orderBy('fields').execute(),
    );
    expect(all).toEqual([exception(',4,'), exception(',5,')]);
  });

  it.runIf(dialect === 'sqlite')(
    'merge the large segments of the full-text indexes of version 37 less often',
    async () => {
      const config = await prepare();
      const old = await open(config);
      const archive = await buildArchive(old, [{ name: 'NO' }]);
      await old.close();
      const search = searchTable(archive);
      await revertMigrations(config, 37, (db) =>
        sql`insert into ${sql.table(search)} (${sql.ref(search)}, rank)
          values ('usermerge', 4), ('deletemerge', 10)`.execute(db.k),
      );
      const database = await open(config);
      const { rows } = await database.read((db) =>
        sql`select k, v from ${sql.table(`${search}_config`)} where k in ('usermerge', 'deletemerge')`.execute(
          db.k,
        ),
      );
      expect(rows).toEqual([
        { k: 'deletemerge', v: 50 },
        { k: 'usermerge', v: 16 },
      ]);
    },
  );
});

function addEntry(db: Transaction, row: number): Promise<unknown> {
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
    const attempts: ((db: Transaction) => Promise<unknown>)[] = [
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

/** Removes what version 18 adds. */
async function dropOutbox(db: Transaction): Promise<void> {
  await sql`drop table history_outbox`.execute(db.k);
  await (
    db.adapter.dialect === 'sqlite'
      ? sql`drop trigger history_adds_to_outbox`
      : sql`drop function add_to_history_outbox cascade`
  ).execute(db.k);
}
