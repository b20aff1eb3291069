import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { BASE, buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

describe('answers on the wire', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    const records = Array.from({ length: 100 }, (_, i) => [`Number ${i}`]);
    await buildRecords(t.database, archive, records);
    await buildUser(t.database, { username: 'anna', rights: [rightOn(archive, 'manage')] });
    clerk = await t.signedIn('anna');
  });
  const ask = (path: string, encoding: string) =>
    t.app.inject({
      url: `${BASE}${archivePath(archive)}/${path}`,
      headers: {
        cookie: [...clerk.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'accept-encoding': encoding,
      },
    });

  it('are compressed for who takes that, with the same text for all', async () => {
    const plain = await ask('index?limit=100', 'identity');
    expect(plain.headers['vary']).toBe('accept-encoding');
    for (const encoding of ['gzip', 'br, GZIP;q=0.5', '*', 'deflate, *;q=0.1']) {
      const answer = await ask('index?limit=100', encoding);
      expect([encoding, answer.headers['content-encoding']]).toEqual([encoding, 'gzip']);
      expect(answer.headers['vary']).toBe('accept-encoding');
      expect(gunzipSync(answer.rawPayload).toString()).toBe(plain.body);
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    }
  });

  it('stay as they are for who does not, where they are short, and where they have an ETag', async () => {
    for (const encoding of ['', 'br', 'gzip;q=0', '*, gzip;q=0.00', 'gzipped']) {
      const answer = await ask('index?limit=100', encoding);
      expect([encoding, answer.headers['content-encoding']]).toEqual([encoding, undefined]);
      expect(answer.json().archivedocuments).toHaveLength(100);
    }
    for (const path of ['index?limit=1', 'documents/1']) {
      const answer = await ask(path, 'gzip');
      expect([path, answer.headers['content-encoding']]).toEqual([path, undefined]);
    }
  });
});
