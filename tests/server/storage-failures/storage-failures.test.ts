import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/database/open-database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { buildFolder } from '#tests/support/load.ts';
import { archiveWith, patch, refusal } from './revision-of-note.ts';

const PAGE = 4_096;
const MARK = 'to be damaged';

describe('a damaged SQLite database', () => {
  it('whose beginning is lost is refused with the remedy, and left as it is', async () => {
    const dataDir = buildFolder();
    await (await openDatabase({ dataDir })).close();
    const path = join(dataDir, SQLITE_FILE);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(100, 0x5a), 0, 100, 0);
    await file.close();
    const before = await readFile(path);
    await expect(openDatabase({ dataDir })).rejects.toThrow(
      /is damaged, or is not a database.*restore/,
    );
    expect((await readFile(path)).equals(before)).toBe(true);
  });

  it('shows what can still be read and writes nothing more', async () => {
    const dataDir = buildFolder();
    const whole = await openDatabase({ dataDir });
    const good = await archiveWith(whole, 'good');
    const bad = await archiveWith(whole, MARK);
    await buildUser(whole, { role: 'administrator' });
    // Else the indexing of the texts would meet the damage at once.
    await whole.write((db) => db.k.deleteFrom('search_due').execute());
    await whole.close();
    const path = join(dataDir, SQLITE_FILE);
    const bytes = await readFile(path);
    for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + 1)) {
      // The kind of the page, which no page of SQLite's has.
      bytes[at - (at % PAGE)] = 0x77;
    }
    await writeFile(path, bytes);

    const database = await openDatabase({ dataDir });
    const { signedIn } = await openApp(() => Promise.resolve(database), { dataDir });
    const client = await signedIn('clerk');
    expect((await patch(client, good, 'better')).status).toBe(200);
    const told = refusal(/^A part of the database is damaged/);
    expect(await client.get(`${bad}/documents/1`)).toMatchObject(told);
    expect(await patch(client, good, 'worse')).toMatchObject(told);
    const shown = await client.get(`${good}/documents/1`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('"better"');
    await database.close();
  });
});

describe('PostgreSQL that may only be read', { tags: ['postgres'] }, () => {
  const databases = testDatabases('postgres');
  let url = '';
  let client: TestClient;
  let archive = '';
  beforeAll(async () => {
    const config = await databases.prepare();
    url = config.databaseUrl ?? '';
    const database = await databases.open(config);
    archive = await archiveWith(database, 'first');
    await buildUser(database, { role: 'administrator' });
    const { signedIn } = await openApp(() => Promise.resolve(database));
    client = await signedIn('clerk');
  });

  it('is told to who writes, and reads go on', async () => {
    const admin = new Client({ connectionString: url });
    await admin.connect();
    await admin.query(`do $$ begin
      execute format('alter database %I set default_transaction_read_only to on', current_database());
      perform pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid(); end $$`);
    await admin.end();
    expect(await patch(client, archive, 'second')).toMatchObject(
      refusal(/^The storage of the service is read-only/),
    );
    const shown = await client.get(`${archive}/documents/1`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('"first"');
  });
});
