import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorBodySchema } from '#shared/contract/errors.ts';
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
    writeFileSync(join(webDir, 'assets/read.worker-abc123.js'), SCRIPT);
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
        provider: '',
        passwordSignIn: true,
        timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      });
      expect(html).not.toContain('/x/');
    }
  });

  it('keeps scripts and frames of others away', async () => {
    for (const path of ['/', '/favicon.svg', '/assets/read.worker-abc123.js']) {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      // WebAssembly of our own decodes images in PDFs; no script from elsewhere, inline or by eval runs.
      const scripts = policy.split('; ').filter((rule) => rule.startsWith('script-src'));
      expect(scripts).toEqual(["script-src 'self' 'wasm-unsafe-eval'"]);
      expect(policy).not.toContain("'unsafe-eval'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  it('sends its page compressed', async () => {
    const plain = await (await get('/', { 'accept-encoding': 'identity' })).text();
    for (const encoding of ['gzip', 'br']) {
      const answer = await get('/', { 'accept-encoding': encoding });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('vary')).toBe('accept-encoding');
      expect(await answer.text()).toBe(plain);
    }
  });

  it('gives parts of a page a short policy, as a page has dozens of them', async () => {
    const { headers } = await get('/assets/index-abc123.js');
    expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
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

  /** What is answered to a request sent as it is written. */
  async function ask(request: string, ...headers: string[]) {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const lines = [`${request} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
    socket.write([...lines, '', ''].join('\r\n'));
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk;
    const end = text.indexOf('\r\n\r\n');
    const fields = new Map(
      text
        .slice(0, end)
        .split('\r\n')
        .slice(1)
        .map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 2),
        ]),
    );
    return { status: Number(text.split(' ')[1]), fields, body: text.slice(end + 4) };
  }
  const ASSET = '/assets/index-abc123.js';

  it.each([
    `/${ASSET}`,
    `//assets//index-abc123.js`,
    `${ASSET}/`,
    `${ASSET}//?v=1`,
    '/%61ssets/index%2Dabc123.js',
    '/assets%2Findex-abc123.js',
    `http://localhost${ASSET}`,
  ])('serves a file asked for as %s', async (path) => {
    const answer = await ask(`GET ${path}`);
    expect([answer.status, answer.body]).toEqual([200, SCRIPT]);
    expect((await ask(`HEAD ${path}`)).fields.get('content-length')).toBe(String(SCRIPT.length));
  });

  it.each([
    '/assets/',
    '/assets',
    '//',
    '/assets/%2e%2e/index.html',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/../assets/index-abc123.js',
    '/assets/./index-abc123.js',
    '/assets\\index-abc123.js',
    '/ASSETS/index-abc123.js',
    '/assets/index-abc123.js%00',
    '/assets/%zz',
    '/assets/%252e%252e/index.html',
    '/.vite/license.md',
    '/assets/..%2f.vite/license.md',
  ])('holds no file at %s', async (path) => {
    const answer = await ask(`GET ${path}`, 'Accept: application/json');
    expect(answer.status).toBe(404);
    expect(errorBodySchema.parse(JSON.parse(answer.body)).code).toBe('not_found');
    expect(answer.body).not.toContain(webDir);
    expect(answer.body).not.toContain('index-abc123');
  });

  it('answers parts of a file', async () => {
    const part = async (range: string, ...more: string[]) => {
      const { status, fields, body } = await ask(`GET ${ASSET}`, `Range: ${range}`, ...more);
      return [status, fields.get('content-range'), body];
    };
    const size = SCRIPT.length;
    expect(await part('bytes=0-3')).toEqual([206, `bytes 0-3/${size}`, SCRIPT.slice(0, 4)]);
    expect(await part('bytes=-3')).toEqual([
      206,
      `bytes ${size - 3}-${size - 1}/${size}`,
      SCRIPT.slice(-3),
    ]);
    for (const range of ['lines=1-2', 'bytes=0-1,4-5', '']) {
      expect([range, ...(await part(range))]).toEqual([range, 200, undefined, SCRIPT]);
    }
    expect(await part('bytes=0-3', 'If-Range: "other"')).toEqual([200, undefined, SCRIPT]);
  });

  it.each([
    ['Range: bytes=99999-', 416, 'range_not_satisfiable'],
    ['Range: bytes=5-2', 416, 'range_not_satisfiable'],
    ['Range: bytes=x', 416, 'range_not_satisfiable'],
    ['Range: bytes=-', 416, 'range_not_satisfiable'],
    ['Range: bytes=-0', 416, 'range_not_satisfiable'],
    ['If-Match: "other"', 412, 'changed_meanwhile'],
    ['If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT', 412, 'changed_meanwhile'],
  ])('answers %s with the decided body', async (header, status, code) => {
    for (const encoding of ['identity', 'br']) {
      const answer = await ask(`GET ${ASSET}`, header, `Accept-Encoding: ${encoding}`);
      expect(answer.status).toBe(status);
      expect(answer.fields.get('content-type')).toBe('application/json; charset=utf-8');
      expect(answer.fields.get('cache-control')).toBe('no-store');
      expect(answer.fields.has('content-encoding')).toBe(false);
      expect(answer.fields.has('etag')).toBe(false);
      const { code: told, errors, requestId } = errorBodySchema.parse(JSON.parse(answer.body));
      expect([told, Object.keys(errors)]).toEqual([code, ['-']]);
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      if (status === 416) expect(answer.fields.get('content-range')).toMatch(/^bytes \*\/\d+$/);
      const head = await ask(`HEAD ${ASSET}`, header, `Accept-Encoding: ${encoding}`);
      expect([head.status, head.body]).toEqual([status, '']);
    }
  });

  it('takes nothing at the address of a file', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      const answer = await ask(`${method} ${ASSET}`);
      expect([method, answer.status]).toEqual([method, 404]);
      expect(errorBodySchema.parse(JSON.parse(answer.body)).code).toBe('not_found');
    }
  });

  it('says plainly that a file is gone', async () => {
    const gone = join(webDir, 'favicon.svg');
    rmSync(gone);
    const answer = await ask('GET /favicon.svg');
    writeFileSync(gone, '<svg/>');
    expect(answer.status).toBe(404);
    expect(errorBodySchema.parse(JSON.parse(answer.body)).code).toBe('not_found');
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
    for (const path of ['/', '/archives/INVOICES']) {
      const answer = await bare.client().get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      const { errors } = errorBodySchema.parse(answer.body);
      expect(errors).toEqual({ '-': [expect.stringMatching(/not built.*npm run build/)] });
    }
    expect((await bare.client().get('/healthz')).status).toBe(200);
  });
});
