import { randomBytes } from 'node:crypto';
import { chownSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#server/database/open-database.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { createCluster } from '#tests/support/postgres-cluster.ts';
import { administer, databaseUrl } from '#tests/support/postgres-server.ts';
import { mountDisk, obstacleToDisks } from '#tests/support/small-disk.ts';

const MIB = 1024 * 1024;
const FULL = /^The disk of the service is full\. Nothing was saved\./;
const FAILING = /^The disk of the service failed, so the change may be lost\./;

const refusal = (message: RegExp) => ({
  status: 503,
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
  body: { code: 'unavailable', errors: { '-': [expect.stringMatching(message)] } },
});

/** An archive of one revision in a database, and somebody who may change it. */
async function archiveIn(url: string) {
  const database = await openDatabase({ dataDir: '', databaseUrl: url });
  onTestFinished(() => database.close());
  const built = await buildArchive(database, [{ name: 'NOTE' }]);
  await buildRecords(database, built, [['first']]);
  await buildUser(database, { role: 'administrator' });
  const { app, signedIn } = await openApp(() => Promise.resolve(database));
  onTestFinished(() => app.close());
  return { client: await signedIn('clerk'), path: archivePath(built), built };
}

function patch(client: TestClient, path: string, text: string) {
  const indexFields = [{ name: 'NOTE', value: text }];
  return client.patch(`${path}/documents/1/indexdata`, { indexFields });
}

async function isShown(client: TestClient, path: string, text: string): Promise<void> {
  const shown = await client.get(`${path}/documents/1`);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain(JSON.stringify(text));
  const list = await client.get(`${path}/index?limit=10`);
  expect(list.status).toBe(200);
}

describe.skipIf(isMissing(obstacleToDisks()))('a full disk of PostgreSQL', () => {
  it('is told to who writes, loses nothing that was answered, and reads go on', async () => {
    const cluster = await createCluster();
    onTestFinished(() => cluster.remove());
    await cluster.start();
    const disk = mountDisk(40);
    await administer(cluster.url, async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('show data_directory');
      const { uid, gid } = statSync(rows[0]?.data_directory ?? '');
      chownSync(disk.path, uid, gid);
      await client.query(`create tablespace small location '${disk.path}'`);
      await client.query('create database small tablespace small');
    });
    const { client, path } = await archiveIn(databaseUrl(cluster.url, 'small'));
    const filler = join(disk.path, 'filler');
    await expect(writeFile(filler, Buffer.alloc(40 * MIB))).rejects.toThrow('ENOSPC');

    let [saved, sent] = ['first', 'a'];
    let answer = await patch(client, path, sent);
    for (let i = 0; answer.status === 200; i += 1) {
      expect(i).toBeLessThan(200);
      saved = sent;
      // Nothing that can be compressed.
      sent = randomBytes(20_000).toString('hex');
      answer = await patch(client, path, sent);
    }
    expect(answer).toMatchObject(refusal(FULL));
    await isShown(client, path, saved);
    expect((await patch(client, path, randomBytes(20_000).toString('hex'))).status).toBe(503);

    await rm(filler);
    expect((await patch(client, path, 'there is room again')).status).toBe(200);
    await isShown(client, path, 'there is room again');
  });
});

describe('an error of the disk that PostgreSQL tells of', () => {
  const { prepare } = testDatabases('postgres');

  it.each([
    ['no room', '53100', 'at once', FULL],
    ['no room', '53100', 'at the commit', FULL],
    ['an I/O error', '58030', 'at once', FAILING],
    ['an I/O error', '58030', 'at the commit', FAILING],
  ])('is told to who writes, and reads go on: %s (%s) %s', async (_, code, when, message) => {
    const { databaseUrl: url = '' } = await prepare();
    const { client, path, built } = await archiveIn(url);
    const table = `archive_${built.id}`;
    await administer(url, async (admin) => {
      await admin.query(`create function failing() returns trigger language plpgsql as
        $$ begin raise exception 'could not write' using errcode = '${code}'; end $$`);
      const deferred = when === 'at the commit';
      await admin.query(`create ${deferred ? 'constraint' : ''} trigger failing
        after update on ${table} ${deferred ? 'initially deferred' : ''}
        for each row execute function failing()`);
    });
    expect(await patch(client, path, 'second')).toMatchObject(refusal(message));
    await isShown(client, path, 'first');
    await administer(url, (admin) => admin.query(`drop trigger failing on ${table}`));
    expect((await patch(client, path, 'third')).status).toBe(200);
    await isShown(client, path, 'third');
  });
});
