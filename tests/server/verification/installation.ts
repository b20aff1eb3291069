import { sql } from 'kysely';
import type { Database, Transaction } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import {
  verifyInstallation,
  type VerificationOptions,
} from '#server/modules/verification/verification.service.ts';
import {
  recordSystemHistory,
  sequenceAllEntries,
} from '#server/modules/history/history.service.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import {
  archivePath,
  BUILDER,
  buildArchive,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { readTableShapes } from '#server/database/copying/schema-introspection.ts';
import { ended, planAt } from '#tests/support/bulk-edits.ts';
import type { TestDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

export interface Installation {
  readonly database: Database;
  readonly config: DatabaseConfig;
  readonly archive: Archive;
  readonly table: Table;
  /** Verifies it. @returns what was found */
  findings(options?: Partial<VerificationOptions>): Promise<string[]>;
  /** Makes all tables what they were at the end of the building. */
  restore(): Promise<void>;
}

/** An installation in which every kind of change was made through the service. */
export async function buildInstallation({ open, prepare }: TestDatabases): Promise<Installation> {
  const config = await prepare();
  // The files of the documents lie with the database.
  const { dataDir } = config;
  const t = await openApp(() => open(config), { dataDir });
  const archive = await buildArchive(
    t.database,
    [{ name: 'NAME' }, { name: 'N', type: 'integer' }],
    ['K'],
  );
  const table = await buildTable(t.database, [
    { name: 'T' },
    { name: 'D', type: 'decimal', scale: 14 },
    { name: 'B', type: 'boolean' },
    { name: 'AT', type: 'datetime' },
  ]);
  await buildUser(t.database, { rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')] });
  const clerk = await t.signedIn('clerk');
  const expectOk = async (answer: ReturnType<typeof clerk.get>) => {
    const { status, text, body } = await answer;
    if (status >= 300) throw new Error(`${status} ${text}`);
    return Object(body);
  };

  const documents = `${archivePath(archive)}/documents`;
  const document = (name: string, keywords = '') =>
    formOf([
      ['indexFields[0][name]', 'NAME'],
      ['indexFields[0][value]', name],
      ['keywordFields[0][name]', 'K'],
      ['keywordFields[0][keywords]', keywords],
      ['files', { name: `${name}.txt`, bytes: `the text of ${name}` }],
    ]);
  const add = (path: string, { body, headers }: ReturnType<typeof document>) =>
    expectOk(clerk.post(path, body, { headers }));
  for (const name of ['one', 'two', 'three']) await add(documents, document(name, 'red,blue'));
  await add(`${documents}/1`, document('one again'));
  await expectOk(
    clerk.patch(`${documents}/2/indexdata`, {
      indexFields: [{ name: 'N', value: 22 }],
      keywordFields: [{ name: 'K', keywords: 'green' }],
    }),
  );
  await expectOk(clerk.patch(`${documents}/2`, { locked: true }));
  await expectOk(clerk.patch(`${documents}/3`, { locked: true }));
  await expectOk(clerk.patch(`${documents}/3`, { locked: false }));
  await expectOk(clerk.delete(`${documents}/1`));
  const edits = [{ field: 'NAME', do: 'append', text: '!' }];
  const planned = await planAt(clerk, `${archivePath(archive)}/bulkedits`, { filter: '' }, edits);
  await expectOk(clerk.post(`${planned}/apply`, { onChanged: 'refuse' }));
  await ended(clerk, planned);

  const datasets = datasetsPath(table);
  const values = { T: 'a', D: 1e-14, B: true, AT: '2024-01-01T01:00:00.120+01:00' };
  for (let i = 0; i < 4; i++) await expectOk(clerk.post(datasets, { dataset: values }));
  await expectOk(clerk.put(`${datasets}/2`, { dataset: { T: 'b', B: null } }));
  await expectOk(clerk.delete(datasets, { datasets: [{ jrid: 3 }, { jrid: 4 }] }));
  const { history } = await expectOk(clerk.get(`${datasets}/3/history`));
  await expectOk(clerk.post(`${datasets}/undo`, { historyIds: [history[0].historyId] }));

  await buildUser(t.database, { username: 'root', role: 'administrator' });
  const root = await t.signedIn('root');
  const fields = { right: 'write', fields: { NAME: 'read', 'keyword.K': 'hidden' } };
  const rights = { archives: { [archive.name]: fields }, tables: { [table.guid]: 'read' } };
  const configure = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) =>
    expectOk(root.send(method, `configuration/${path}`, body));
  const someone = { username: 'someone', email: 'someone@example.org', rights };
  await configure('POST', 'users', { user: someone });
  for (const name of ['STAYING', 'LEAVING']) {
    await configure('POST', 'groups', { group: { name, rights, members: ['someone', 'clerk'] } });
  }
  await configure('PATCH', 'groups/STAYING', { group: { label: 'Staying', rights: {} } });
  await configure('DELETE', 'groups/LEAVING');
  await configure('PATCH', 'users/clerk', { user: { displayName: 'Clerk', groups: [] } });
  await configure('POST', 'users', {
    user: { ...someone, username: 'leaver', groups: ['STAYING'] },
  });
  await configure('POST', 'users/leaver/password', {});
  await configure('DELETE', 'users/leaver');

  // The sequencer must not run while the tests tamper with the database.
  await t.app.close();
  const { database } = t;
  await sequenceAllEntries(database);
  for (const name of ['first', 'second', 'third']) {
    await append(database, name);
    await sequenceAllEntries(database);
  }
  const { keep, restore } = keptTables(database, [
    'history',
    'history_blocks',
    'history_outbox',
    'installation',
    'archives',
    'data_tables',
    'users',
    'user_rights',
    'user_groups',
    'group_members',
    'group_rights',
    'sessions',
    'access_tokens',
    'files',
    `archive_${archive.id}`,
    `archive_${archive.id}_keywords`,
    `table_${table.id}`,
  ]);
  await keep();
  return {
    database,
    config,
    archive,
    table,
    restore,
    async findings(options = {}) {
      const lines: string[] = [];
      const count = await verifyInstallation(
        database,
        config,
        openFileStore({ ...config, files: undefined }),
        { contents: false, deep: false, since: null, ...options },
        { progress: () => undefined, info: () => undefined, fail: (line) => lines.push(line) },
      );
      if (count !== lines.length) throw new Error(`${count} findings and ${lines.length} lines`);
      return lines;
    },
  };
}

/** Appends two entries with which nothing else is compared: of a session that has begun and was ended. */
export function append(database: Database, sessionId: string): Promise<void> {
  return database.write(async (db) => {
    const about = { scope: 'session', rowId: 1 } as const;
    const [before, after] = [{ sessionId }, null];
    await recordSystemHistory(db, BUILDER, Date.now(), {
      ...about,
      kind: 'create',
      before: after,
      after: before,
    });
    await recordSystemHistory(db, BUILDER, Date.now(), { ...about, kind: 'delete', before, after });
  });
}

function keptTables(database: Database, names: readonly string[]) {
  const kept = (name: string) => sql.table(`kept_${name}`);
  // Without those that PostgreSQL computes, which cannot be written.
  const columnsIn = async (db: Transaction) => {
    const shapes = await readTableShapes(db);
    return (name: string) =>
      sql.join((shapes.get(name)?.columns ?? []).map((column) => sql.ref(column)));
  };
  return {
    keep: () =>
      database.write(async (db) => {
        const columns = await columnsIn(db);
        for (const name of names)
          await sql`create table ${kept(name)} as select ${columns(name)} from ${sql.table(name)}`.execute(
            db.k,
          );
      }),
    restore: () =>
      tamper(database, async (db) => {
        const columns = await columnsIn(db);
        for (const name of names.toReversed())
          await sql`delete from ${sql.table(name)}`.execute(db.k);
        for (const name of names)
          await sql`insert into ${sql.table(name)} (${columns(name)}) select ${columns(name)} from ${kept(name)}`.execute(
            db.k,
          );
      }),
  };
}

/** Does what an administrator of the database can: change the history without being refused. */
export async function tamper(
  database: Database,
  work: (db: Transaction) => Promise<unknown>,
): Promise<void> {
  await database.write(async (db) => {
    const tables = ['history', 'history_blocks'];
    if (db.adapter.isShared) {
      for (const name of tables)
        await sql`alter table ${sql.table(name)} disable trigger user`.execute(db.k);
      await work(db);
      for (const name of tables)
        await sql`alter table ${sql.table(name)} enable trigger user`.execute(db.k);
      return;
    }
    const { rows } = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_schema where type = 'trigger' and tbl_name in ('history', 'history_blocks')`.execute(
      db.k,
    );
    for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(db.k);
    await work(db);
    for (const trigger of rows) await sql.raw(trigger.sql).execute(db.k);
  });
}
