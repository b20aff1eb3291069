import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/command-line/command-line.ts';
import { openDatabase, type Database } from '#server/db/database.ts';
import { SQLITE_FILE } from '#server/db/sqlite-database.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { buildFolder } from '#tests/support/load.ts';
import { isMissing } from '#tests/support/means.ts';
import { mountDisk, obstacleToDisks } from '#tests/support/small-disk.ts';

const PAGE = 4_096;
const MARK = 'to be damaged';

function patch(client: TestClient, archive: string, text: string) {
  return client.patch(`${archive}/documents/1/indexdata`, {
    indexFields: [{ name: 'NOTE', value: text }],
  });
}

const refusal = (message: RegExp) => ({
  status: 503,
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  body: { code: 'unavailable', errors: { '-': [expect.stringMatching(message)] } },
});

/** An archive of one revision with a note of this text; its path. */
async function archiveWith(database: Database, note: string): Promise<string> {
  const archive = await buildArchive(database, [{ name: 'NOTE' }]);
  await buildRecords(database, archive, [[note]]);
  return archivePath(archive);
}

const withoutDisks = isMissing(obstacleToDisks());

describe.skipIf(withoutDisks)('a full disk', () => {
  it('is told to who writes, loses nothing that was answered, and reads go on', async () => {
    const { path: dataDir } = mountDisk(12);
    const database = await openDatabase({ dataDir });
    const { signedIn } = await openApp(() => Promise.resolve(database), { dataDir });
    const archive = await archiveWith(database, 'first');
    await buildUser(database, { role: 'administrator' });
    const client = await signedIn('clerk');
    const filler = join(dataDir, 'filler');
    // Until not a byte is left.
    await expect(writeFile(filler, Buffer.alloc(12 * 1024 * 1024))).rejects.toThrow('ENOSPC');

    let [saved, answer] = ['first', await patch(client, archive, 'a')];
    for (let i = 0; answer.status === 200; i += 1) {
      expect(i).toBeLessThan(200);
      saved = `${i} ${'x'.repeat(50_000)}`;
      answer = await patch(client, archive, saved);
      if (answer.status === 200) continue;
      saved = i === 0 ? 'a' : `${i - 1} ${'x'.repeat(50_000)}`;
    }
    expect(answer).toMatchObject(refusal(/^The disk of the service is full/));
    const upload = formOf([['files', { name: 'page.bin', bytes: 'x'.repeat(200_000) }]]);
    expect(
      await client.post(`${archive}/documents`, upload.body, { headers: upload.headers }),
    ).toMatchObject(refusal(/^The disk of the service is full/));
    const shown = await client.get(`${archive}/documents/1`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain(JSON.stringify(saved));
    expect((await client.get(`${archive}/index?q=first`)).status).toBe(200);

    await rm(filler);
    expect((await patch(client, archive, 'there is room again')).status).toBe(200);
    await database.close();
    const again = await openDatabase({ dataDir });
    expect(
      JSON.stringify(await again.read((db) => db.k.selectFrom('history').selectAll().execute())),
    ).toContain('there is room again');
    await again.close();
  });
});

describe.skipIf(withoutDisks)('a full disk on which many write at once', () => {
  it('refuses nothing because of what was not saved', async () => {
    const { path: dataDir } = mountDisk(12);
    const database = await openDatabase({ dataDir });
    const { signedIn } = await openApp(() => Promise.resolve(database), { dataDir });
    const archive = await archiveWith(database, 'first');
    const table = await buildTable(database, [{ name: 'no', unique: true }]);
    await buildUser(database, { role: 'administrator' });
    const client = await signedIn('clerk');
    await expect(
      writeFile(join(dataDir, 'filler'), Buffer.alloc(12 * 1024 * 1024)),
    ).rejects.toThrow('ENOSPC');
    const large = 'x'.repeat(900_000);
    const headers = {
      'if-match': String((await client.get(`${archive}/documents/1`)).headers['etag']),
    };
    const changes = Array.from({ length: 12 }, (_, i) =>
      client.patch(
        `${archive}/documents/1/indexdata`,
        { indexFields: [{ name: 'NOTE', value: `${i} ${large}` }] },
        { headers },
      ),
    );
    const creations = Array.from({ length: 12 }, () =>
      client.post(datasetsPath(table), { dataset: { no: large } }),
    );
    const answers = await Promise.all([...changes, ...creations]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await client.get(`${archive}/documents/1`)).text).toContain('"first"');
    expect((await client.get(`${datasetsPath(table)}/count`)).body).toEqual({ count: 0 });
    await rm(join(dataDir, 'filler'));
    expect((await patch(client, archive, 'there is room again')).status).toBe(200);
    await database.close();
  });
});

describe.skipIf(withoutDisks)('a full disk that a backup is to be written to', () => {
  it('is told with the place and the remedy, and nothing stays', async () => {
    const dataDir = buildFolder();
    await (await openDatabase({ dataDir })).close();
    const disk = mountDisk(1);
    // What is left is enough to begin.
    await writeFile(join(disk.path, 'filler'), Buffer.alloc(950 * 1024));
    const err: string[] = [];
    const console = { out: () => undefined, err: (line: string) => void err.push(line) };
    const file = join(disk.path, 'backup.tar');
    expect(await runCommandLine(['backup', file, '--data', dataDir], {}, console)).toBe(1);
    expect(err.join('\n')).toMatch(
      /^There is no room on a disk: .*of the file that the command makes.* Make room and run/,
    );
    expect(await readdir(disk.path)).toEqual(['filler']);
  });
});

describe.skipIf(withoutDisks)('a disk that can only be read', () => {
  it('is told with the remedy when the service is to start', async () => {
    const disk = mountDisk(12);
    const database = await openDatabase({ dataDir: disk.path });
    await database.close();
    disk.makeReadOnly();
    const err: string[] = [];
    const console = { out: () => undefined, err: (line: string) => void err.push(line) };
    const code = await runCommandLine(['serve', '--port', '0', '--data', disk.path], {}, console);
    expect(code).toBe(1);
    expect(err.join('\n')).toMatch(/may not be written to\. Give this user the right/);
    await expect(openDatabase({ dataDir: disk.path })).rejects.toThrow(
      /may not be written to\. Give this user the right|cannot be opened\. Look after the disk and the rights/,
    );
  });
});

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
      /is damaged, or is no database.*restore/,
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

describe('PostgreSQL that may only be read', () => {
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
      refusal(/^The service may only read where its data is kept/),
    );
    const shown = await client.get(`${archive}/documents/1`);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('"first"');
  });
});
