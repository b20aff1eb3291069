import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { RawClient } from '#tests/support/sockets.ts';

const OTHER_SITE = 'https://elsewhere.example';

describe('every answer', () => {
  const { open } = testDatabases('sqlite');
  const webDir = mkdtempSync(join(tmpdir(), 'indexdesk-web-'));
  let t: TestApp;
  let client: TestClient;
  let file: string;
  beforeAll(async () => {
    writeFileSync(join(webDir, 'index.html'), `<meta name="indexdesk" content=''><title></title>`);
    writeFileSync(join(webDir, 'favicon.svg'), '<svg/>');
    writeFileSync(join(webDir, 'index.js'), 'void 0;');
    t = await openApp(open, { webDir });
    const archive = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildUser(t.database, { rights: [rightOn(archive, 'manage')] });
    client = await t.signedIn('clerk');
    const form = formOf([['files', { name: 'a.html', type: 'text/html', bytes: '<p>' }]]);
    const documents = `${archivePath(archive)}/documents`;
    const created = await client.post(documents, form.body, { headers: form.headers });
    file = `${documents}/${Object(created.body).archivedocumentrevisions[0].revisionId}/file`;
  });
  afterAll(() => rmSync(webDir, { recursive: true, force: true }));

  it('forbids to frame it, to guess its type, to load what is not allowed and to read it from other sites', async () => {
    const answers = [
      await client.get('application/sessions'),
      await client.get('application/nothing'),
      await client.get('openapi.json'),
      await client.get('docs'),
      await client.get(file),
      await client.get('/healthz'),
      await client.get('/readyz'),
      await client.get('/metrics'),
      await client.get('/'),
      await client.get('/favicon.svg'),
      await client.get('/index.js'),
      await client.get('/%zz'),
      await client.send('OPTIONS', 'application/sessions', undefined, {
        headers: { origin: OTHER_SITE, 'access-control-request-method': 'DELETE' },
      }),
      await t.client().get('application/sessions', { headers: { origin: OTHER_SITE } }),
    ];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401, 404, 405]));
    for (const { headers } of answers) {
      expect(headers['content-security-policy']).toMatch(/frame-ancestors '(?:none|self)'/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('same-origin');
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  it('of data and documents is stored by no browser and no proxy', async () => {
    for (const path of ['application/sessions', 'openapi.json', file, 'application/nothing']) {
      expect([path, (await client.get(path)).headers['cache-control']]).toEqual([path, 'no-store']);
    }
  });

  it('to TRACE repeats nothing of the request', async () => {
    await t.app.listen({ host: '127.0.0.1', port: 0 });
    const address: AddressInfo | string | null = t.app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    for (const path of ['/', '/healthz', '/api/rest/v2/application/sessions']) {
      const raw = await RawClient.open(port);
      raw.send(`TRACE ${path}`, [`Cookie: ${client.cookie}`, 'X-Secret: one']);
      const { status, body } = await raw.answer();
      expect([404, 405]).toContain(status);
      expect(JSON.stringify(body)).not.toContain('one');
    }
  });
});
