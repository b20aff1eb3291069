import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { formBody } from '#server/http/form.ts';
import { defineRoute, definePreparedRoute, type AnyRoute } from '#server/http/route.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

const logLine = z.object({
  msg: z.string(),
  reqId: z.string().optional(),
  account: z.string().optional(),
  accountDigest: z.string().optional(),
  address: z.string().optional(),
  reason: z.string().optional(),
});

const SECRET = 'select * from users where password_hash = /var/lib/indexdesk';

const failing = (method: 'GET' | 'POST'): AnyRoute =>
  defineRoute({
    method,
    path: 'test/failing',
    summary: 'Fail',
    target: 'none',
    access: 'read',
    answer: null,
    handle: () => Promise.reject(new Error(SECRET)),
  });

let beforeAnswer = () => Promise.resolve();
/** Takes a form; the answer is so long that it is sent as a stream. */
const uploading = definePreparedRoute({
  method: 'POST',
  path: 'test/uploads',
  summary: 'Upload',
  target: 'none',
  access: 'read',
  body: formBody,
  answer: null,
  status: 200,
  async prepare() {
    await beforeAnswer();
    return () => Promise.resolve({ body: { text: 'x'.repeat(100_000) } });
  },
});

describe('a defect of the service', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let client: TestClient;
  beforeAll(async () => {
    t = await openApp(open, { routes: [failing('GET'), failing('POST')], logLevel: 'info' });
    await buildUser(t.database);
    client = await t.signedIn('clerk');
  });
  afterEach(() => vi.restoreAllMocks());

  function logged(): { lines: string[] } {
    const lines: string[] = [];
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    return { lines };
  }

  it('is answered without its cause, which the log tells', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { lines } = logged();
      const answer = await client.send(method, 'test/failing');
      vi.restoreAllMocks();
      expect(answer.status).toBe(500);
      const { code, errors, requestId } = errorBodySchema.parse(answer.body);
      expect(code).toBe('internal');
      expect(Object.keys(errors)).toEqual(['-']);
      expect(answer.text).not.toMatch(/select|password|\/var|stack|\.ts/);
      const line = lines.find((text) => text.includes(SECRET)) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({
        reqId: requestId,
        level: 50,
        err: { message: SECRET },
      });
    }
  });

  it('logs sign-ins with the account, or a digest of what is none', async () => {
    const { lines } = logged();
    await t.client().signIn('Clerk');
    await t.client().signIn('clerk', 'a secret password');
    for (const name of ['typed-into-the-wrong-field', 'Typed-Into-the-wrong-field']) {
      await t.client().signIn(name, 'a secret password');
    }
    vi.restoreAllMocks();
    const signIns = lines
      .map((line) => logLine.parse(JSON.parse(line)))
      .filter(({ msg }) => msg.startsWith('sign'));
    const reason = 'invalid_credentials';
    const address = '127.0.0.1';
    const accountDigest = expect.stringMatching(/^[\w-]{16}$/);
    expect(signIns).toEqual([
      { msg: 'signed in', account: 'clerk', address, reqId: expect.any(String) },
      { msg: 'sign-in refused', account: 'clerk', address, reason, reqId: expect.any(String) },
      { msg: 'sign-in refused', accountDigest, address, reason, reqId: expect.any(String) },
      { msg: 'sign-in refused', accountDigest, address, reason, reqId: expect.any(String) },
    ]);
    expect(signIns[3]?.accountDigest).toBe(signIns[2]?.accountDigest);
    expect(lines.join('')).not.toMatch(/typed-into|a secret password/i);
  });

  it('tells the log of each request, but nothing secret', async () => {
    const { lines } = logged();
    const token = client.cookies.get('indexdesk_session') ?? '';
    await client.get('application/sessions?q=private-search');
    await t.client().signIn('clerk', 'a secret password');
    await vi.waitFor(() => expect(lines.length).toBeGreaterThanOrEqual(2));
    vi.restoreAllMocks();
    const text = lines.join('');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'GET',
      path: '/api/rest/v2/application/sessions',
      status: 400,
      error: 'malformed',
      user: 'clerk',
      reqId: expect.any(String),
    });
    expect(text).not.toMatch(/private-search|a secret password|cookie/);
    expect(text).not.toContain(token);
  });

  it('is not that a client goes away during an upload, or before its answer', async () => {
    let [leave, beforeScan] = [() => Promise.resolve(), () => Promise.resolve()];
    const scanner = createServer((socket) => {
      socket.once('data', (command) => {
        const isScan = String(command).startsWith('zINSTREAM');
        void (isScan ? beforeScan() : Promise.resolve()).then(() => socket.end('stream: OK\0'));
      });
    });
    await once(scanner.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void scanner.close());
    const own = await openApp(open, {
      routes: [uploading],
      logLevel: 'info',
      malwareScanner: `127.0.0.1:${portOf(scanner)}`,
    });
    await buildUser(own.database);
    const { cookie } = await own.signedIn('clerk');
    const incoming = join(own.config.dataDir, 'files', 'incoming');
    const left = () => readdir(incoming).catch(() => []);
    await own.app.listen({ host: '127.0.0.1', port: 0 });
    const form = formOf([['files', { name: 'scan.pdf', bytes: 'x'.repeat(200_000) }]]);

    /** Sends so many bytes of an upload, and goes away when `leave` is called. */
    const upload = (bytes: number): Promise<void> => {
      const socket = connect(portOf(own.app.server), '127.0.0.1');
      socket.on('error', () => undefined);
      const closed = new Promise<void>((resolve) => {
        own.app.server.once('request', (_request: IncomingMessage, response: ServerResponse) => {
          leave = async () => {
            socket.destroy();
            if (!response.closed) await once(response, 'close');
          };
          response.once('close', resolve);
        });
      });
      socket.write(
        `POST /api/rest/v2/test/uploads HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n` +
          `Content-Type: ${form.headers['content-type']}\r\nContent-Length: ${form.body.length}\r\n\r\n`,
      );
      socket.write(form.body.subarray(0, bytes));
      return closed;
    };

    const { lines } = logged();
    const during = upload(150_000);
    await expect.poll(left).toHaveLength(1);
    await leave();
    await during;
    beforeScan = () => leave();
    await upload(form.body.length);
    await expect.poll(left).toEqual([]);
    beforeScan = () => Promise.resolve();
    beforeAnswer = () => leave();
    await upload(form.body.length);
    await expect.poll(left).toEqual([]);
    // Requests that are answered after them are in the log; they are not.
    await (await own.signedIn('clerk')).get('application/sessions');
    vi.restoreAllMocks();
    const levels = lines.map((line) => z.object({ level: z.number() }).parse(JSON.parse(line)));
    expect(lines.filter((_, i) => (levels[i]?.level ?? 0) > 30)).toEqual([]);
    expect(lines.length).toBeGreaterThan(0);
  });
});

function portOf(server: Pick<Server, 'address'>): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
