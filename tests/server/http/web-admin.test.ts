import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApp, type TestApp } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';

const SCRIPT = 'console.log("the web admin");'.repeat(50);

describe('the web admin', () => {
  const { open } = testDatabases('sqlite');
  const webDir = mkdtempSync(join(tmpdir(), 'indexdesk-web-'));
  let t: TestApp;
  let origin: string;

  beforeAll(async () => {
    mkdirSync(join(webDir, 'assets'));
    mkdirSync(join(webDir, '.vite'));
    writeFileSync(join(webDir, '.vite/license.md'), 'hidden');
    const page = `<!doctype html><meta\n name="indexdesk"\n content='{"base":"/x/"}'\n/><title>Indexdesk</title>`;
    writeFileSync(join(webDir, 'index.html'), page);
    writeFileSync(join(webDir, 'favicon.svg'), '<svg/>');
    const script = join(webDir, 'assets/index-abc123.js');
    writeFileSync(script, SCRIPT);
    writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT));
    writeFileSync(`${script}.gz`, gzipSync(SCRIPT));
    t = await openApp(open, { webDir, archiveModule: 'papers', dataModule: 'lists' });
    await t.app.listen({ host: '127.0.0.1', port: 0 });
    const address: AddressInfo | string | null = t.app.server.address();
    origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  });
  afterAll(() => rmSync(webDir, { recursive: true, force: true }));

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(origin + path, { headers, redirect: 'manual' });

  it('answers its page at every path that is no file, with the settings in it', async () => {
    for (const path of [
      '/',
      '/index.html',
      '/archives/INVOICES?sort=NO',
      '/assets/gone.js',
      '/apis',
    ]) {
      const answer = await get(path, { accept: 'text/html,*/*;q=0.8' });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      const html = await answer.text();
      const content = /content="([^"]*)"/.exec(html)?.[1]?.replaceAll('&quot;', '"') ?? '';
      expect(JSON.parse(content)).toEqual({
        base: '/api/rest/v2/',
        archiveModule: 'papers',
        dataModule: 'lists',
      });
      expect(html).not.toContain("'/x/'");
    }
  });

  it('keeps scripts and frames of others away', async () => {
    for (const path of ['/', '/favicon.svg', '/assets/index-abc123.js']) {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src|unsafe-eval/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  it('serves assets compressed, to be kept for ever, and other files to be asked for again', async () => {
    const path = '/assets/index-abc123.js';
    for (const encoding of ['br', 'gzip']) {
      const answer = await get(path, { 'accept-encoding': encoding });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('vary')).toBe('accept-encoding');
      expect(answer.headers.get('content-type')).toMatch(/javascript/);
      expect(await answer.text()).toBe(SCRIPT);
    }
    const plain = await get(path, { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
    const icon = await get('/favicon.svg');
    expect(icon.headers.get('cache-control')).toBe('no-cache');
    const etag = icon.headers.get('etag') ?? '';
    // Node's own fetch would add that nothing cached may be used.
    const again = await t.client().get('/favicon.svg', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it('shows nothing but its own files', async () => {
    for (const path of [
      '/.vite/license.md',
      '/assets/../../package.json',
      '/..%2fpackage.json',
      '/assets/%2e%2e/index.html',
    ]) {
      const answer = await get(path, { accept: 'application/json' });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(await answer.json()).toMatchObject({ code: 'not_found' });
    }
    const post = await fetch(`${origin}/archives`, { method: 'POST', body: 'x' });
    expect(post.status).toBe(404);
    expect(await post.json()).toMatchObject({ code: 'not_found' });
  });

  it('answers HEAD, and tells that the service is alive', async () => {
    const head = await fetch(`${origin}/favicon.svg`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '6']);
    expect((await fetch(`${origin}/archives`, { method: 'HEAD' })).status).toBe(200);
    const health = await get('/healthz');
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
  });

  it('is not there where it was not built, but the service is', async () => {
    const bare = await openApp(open, { webDir: join(webDir, 'nothing') });
    expect((await bare.client().get('/')).status).toBe(404);
    expect((await bare.client().get('/healthz')).status).toBe(200);
  });
});
