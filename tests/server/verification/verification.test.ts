import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadSample } from '#server/cli/first-start.ts';
import type { Transaction } from '#server/database/database.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import { buildInstallation, tamper, type Installation } from './installation.ts';

describeOnOneDatabase('verify', (_, databases) => {
  let t: Installation;
  beforeAll(async () => {
    t = await buildInstallation(databases);
  });
  afterEach(() => t.restore());
  const run = (query: ReturnType<typeof sql>) => t.database.write((db) => query.execute(db.k));
  const records = () => sql.table(`table_${t.table.id}`);
  const revisions = () => sql.table(`archive_${t.archive.id}`);
  const revision = (id: number) => `Archive ${t.archive.name}, revision ${id}`;
  const dataset = (id: number) => `Table ${t.table.name}, dataset ${id}`;
  const newest = async (collection: { kind: string; id: number }, row: number) => {
    const entry = await t.database.read((db) => newestEntry(db, collection, row));
    return `; the newest entry is history ${entry.id} of ${entry.username}.`;
  };

  it(
    'finds nothing where everything was done through the service',
    { tags: ['slow'] },
    async () => {
      expect(await t.findings({ contents: true, deep: true })).toEqual([]);
      if (IS_LONG_RUN) expect(await t.findings({ contents: true, usesThreads: true })).toEqual([]);
    },
  );

  it('finds nothing in the sample', { tags: ['long'] }, async () => {
    const config = await databases.prepare();
    const database = await databases.open(config);
    const quiet = () => undefined;
    const files = openFileStore({ ...config, files: undefined });
    await loadSample(database, files, { timeZone: 'UTC' }, { out: quiet, err: quiet });
    const lines: string[] = [];
    const report = { progress: quiet, info: (line: string) => lines.push(line), fail: quiet };
    const options = { contents: true, deep: true, since: null };
    expect(
      await verifyInstallation(
        database,
        config,
        openFileStore({ ...config, files: undefined }),
        options,
        report,
      ),
    ).toBe(0);
    expect(lines.join('\n')).toMatch(
      /Records: 2[0-9]{2} records compared(?:.|\n)*Files: 200 files read/,
    );
  });

  it.runIf(databases.dialect === 'postgres')('uses amcheck where it is there', async () => {
    await run(sql`create extension if not exists amcheck`);
    const lines: string[] = [];
    const quiet = () => undefined;
    const report = { progress: quiet, info: (line: string) => lines.push(line), fail: quiet };
    for (const deep of [false, true]) {
      const options = { contents: false, deep, since: null };
      expect(
        await verifyInstallation(
          t.database,
          t.config,
          openFileStore({ ...t.config, files: undefined }),
          options,
          report,
        ),
      ).toBe(0);
    }
    expect(lines.filter((line) => line.startsWith('Database'))).toEqual([
      expect.stringContaining('checked by amcheck, not against each other (--deep): no findings'),
      expect.stringContaining('checked by amcheck: no findings'),
    ]);
  });

  it.runIf(databases.dialect === 'sqlite')(
    'names what is damaged in the database itself',
    async () => {
      const config = await databases.prepare();
      const path = join(config.dataDir, 'indexdesk.sqlite');
      const file = new DatabaseSync(join(t.config.dataDir, 'indexdesk.sqlite'));
      file.exec(`vacuum into '${path}'`);
      file.close();
      const copy = new DatabaseSync(path, { enableForeignKeyConstraints: false });
      copy.exec(`insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
        values ('stray', 'x', 99, 1, 1, 9)`);
      const pageOf = (name: string) =>
        Number(
          copy.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.['rootpage'],
        );
      const [unused, records] = [pageOf('stored_answers_created'), pageOf(`table_${t.table.id}`)];
      const size = Number(copy.prepare('pragma page_size').get()?.['page_size']);
      copy.close();
      const damage = async (page: number) => {
        const bytes = await open(path, 'r+');
        await bytes.write(Buffer.alloc(size), 0, size, (page - 1) * size);
        await bytes.close();
        const database = await openDatabase(config);
        const lines: string[] = [];
        const quiet = () => undefined;
        const report = { progress: quiet, info: quiet, fail: (line: string) => lines.push(line) };
        await verifyInstallation(
          database,
          config,
          openFileStore({ ...config, files: undefined }),
          { contents: false, deep: false, since: null },
          report,
        );
        await database.close();
        return lines.filter((line) => !line.startsWith('File'));
      };
      expect(await damage(unused)).toEqual([
        expect.stringMatching(`^The database: .*page ${unused}`),
        expect.stringMatching(
          /^The database: row [0-9]+ of sessions refers to a row of users that does not exist\.$/,
        ),
        'Session stray of user 99: it exists, but not in the history.',
      ]);
      expect(await damage(records)).toContain(
        'The records could not be verified to the end: database disk image is malformed.',
      );
    },
  );

  it.runIf(databases.dialect === 'postgres')('names totals that are not kept right', async () => {
    await run(
      sql`insert into record_counts (collection, change) values (${`table_${t.table.id}`}, 4)`,
    );
    expect(await t.findings()).toEqual([
      `Table ${t.table.name}: its total is 7 records, but 3 are stored.`,
    ]);
    await run(sql`delete from record_counts where change = 4`);
  });

  it('names records that are not what their history says', async () => {
    await run(sql`update ${records()} set f1 = 'forged' where _id = 1`);
    await run(sql`update ${records()} set _version = 9 where _id = 2`);
    await run(sql`delete from ${records()} where _id = 3`);
    await run(sql`insert into ${records()} (_id, _version, _created_at, _changed_at, _changed_by, _search)
      values (9, 1, 1, 1, 'nobody', '')`);
    await run(sql`insert into ${records()} (_id, _version, _created_at, _changed_at, _changed_by, _search)
      values (4, 3, 1, 1, 'nobody', '')`);
    await run(sql`update ${revisions()} set _locked_by = 'other' where _id = 2`);
    await run(sql`update ${sql.table(`archive_${t.archive.id}_keywords`)} set value = 'black'
      where _id = 3 and position = 0`);
    await run(sql`update files set name = 'forged.txt' where row_id = 4`);
    const [a, b] = [t.archive, t.table];
    // On PostgreSQL two connections tell of theirs as they find them.
    expect((await t.findings()).toSorted()).toEqual([
      expect.stringMatching(`^${revision(2)}: lock is .*"by":"other".*, but .*"by":"clerk"`),
      `${revision(3)}: K is ["black","blue"], but ["red","blue"] in the history${await newest(a, 3)}`,
      `${revision(4)}: files is ["forged.txt"], but ["one again.txt"] in the history${await newest(a, 4)}`,
      `${dataset(1)}: T is "forged", but "a" in the history${await newest(b, 1)}`,
      `${dataset(2)}: version is 9, but 2 in the history${await newest(b, 2)}`,
      `${dataset(3)}: it is missing${await newest(b, 3)}`,
      `${dataset(4)}: it exists, but was deleted in the history${await newest(b, 4)}`,
      `${dataset(9)}: it exists, but not in the history.`,
    ]);
  });

  it('names users, rights, definitions and sessions that are not what the history says', async () => {
    await run(sql`update users set role = 'administrator' where username = 'clerk'`);
    await run(sql`update user_rights set access = 'read' where kind = 'table'`);
    await run(sql`insert into users (username, username_key, display_name, role, password_hash, disabled, created_at, updated_at)
      values ('forged', 'forged', 'Forged', 'clerk', '', 0, 1, 1)`);
    await run(sql`insert into sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at)
      values ('forged', 'x', 1, 1, 1, 9999999999999)`);
    await run(sql`insert into access_tokens
      (id, token_hash, user_id, name, prefix, access, configuration, created_at, expires_at)
      values ('forged', 'x', 1, 'forged', 'idx_', 'manage', 1, 1, 9999999999999)`);
    await run(sql`update data_tables set definition = replace(definition, 'decimal', 'integer')`);
    await run(sql`update archives set retired_at = 5`);
    expect(await t.findings()).toEqual([
      'User "clerk": role is "administrator", but "clerk" in the history.',
      `User "clerk": right.table.${t.table.id} is "read", but "manage" in the history.`,
      'User "forged": it exists, but not in the history.',
      `The definition of archive ${t.archive.id}: retiredAt is 5, but null in the history.`,
      `The definition of table ${t.table.id}: definition.definition.columns.1.type is "integer", but "decimal" in the history.`,
      'Session forged of user 1: it exists, but not in the history.',
      'Token forged of user 1: it exists, but not in the history.',
    ]);
  });

  it('names users who are found by another name, and keywords of nothing', async () => {
    const keywords = sql.table(`archive_${t.archive.id}_keywords`);
    await run(sql`update users set username_key = 'forged' where username = 'clerk'`);
    await run(sql`insert into ${keywords} (_id, field, position, value, value_fold)
      select _id, 99, 0, 'forged', 'forged' from ${keywords} where _id = 3 and position = 0`);
    await run(sql`insert into ${keywords} (_id, field, position, value, value_fold)
      select 77, field, 0, 'forged', 'forged' from ${keywords} where _id = 3 and position = 0 and field < 99`);
    expect(await t.findings()).toEqual([
      'User "clerk": the name for sign-in is "forged".',
      `Archive ${t.archive.name}: 2 keywords of no revision or no keyword field, the first of revision 3.`,
    ]);
  });

  it('looks at the records of retired archives and tables too', async () => {
    await run(sql`update archives set retired_at = 5`);
    await run(sql`update ${revisions()} set _version = 9 where _id = 2`);
    const { version } = await t.database.read((db) => newestEntry(db, t.archive, 2));
    expect(await t.findings()).toEqual([
      `${revision(2)}: version is 9, but ${version} in the history${await newest(t.archive, 2)}`,
      `The definition of archive ${t.archive.id}: retiredAt is 5, but null in the history.`,
    ]);
  });

  it('names entries that contradict each other', async () => {
    const first = await t.database.read((db) => newestEntry(db, t.table, 1));
    await tamper(t.database, (db) =>
      db.k
        .updateTable('history')
        .set({ changes: first.changes.replace('"a"', '"z"'), version: 4 })
        .where('id', '=', first.id)
        .execute(),
    );
    const found = (await t.findings()).filter((line) => line.startsWith('Table'));
    expect(found).toEqual([
      `${dataset(1)}, history ${first.id}: its version is 4 after 0.`,
      `${dataset(1)}: T is "a", but "z" in the history${await newest(t.table, 1)}`,
      `${dataset(1)}: version is 1, but 4 in the history${await newest(t.table, 1)}`,
    ]);
  });

  it('names files that are missing or not what was stored', async () => {
    const stored = await t.database.read((db) =>
      db.k.selectFrom('files').selectAll().orderBy('id').execute(),
    );
    const path = (i: number) => join(t.config.dataDir, 'files', stored[i]?.location ?? '');
    await rm(path(0));
    await writeFile(path(1), 'short');
    await writeFile(path(2), 'x'.repeat(stored[2]?.size ?? 0));
    const lines = [
      `File ${stored[0]?.id}, "one.txt": its content ${stored[0]?.location} is missing.`,
      `File ${stored[1]?.id}, "two.txt": its content ${stored[1]?.location} has 5 bytes and not ${stored[1]?.size}.`,
    ];
    expect(await t.findings()).toEqual(lines);
    expect(await t.findings({ contents: true })).toEqual([
      ...lines,
      `File ${stored[2]?.id}, "three.txt": its content ${stored[2]?.location} was changed.`,
    ]);
  });
});

function newestEntry(db: Transaction, { kind, id }: { kind: string; id: number }, row: number) {
  return db.k
    .selectFrom('history')
    .selectAll()
    .where('scope', '=', kind === 'archive' ? 'archive' : 'table')
    .where('thing_id', '=', id)
    .where('row_id', '=', row)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}
