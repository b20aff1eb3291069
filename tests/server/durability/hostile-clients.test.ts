/** @module-tag slow */
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { WAIT_LIMIT } from '#tests/support/effort.ts';
import { eventually, ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { ARCHIVE, prepareLedger, USERNAME } from './ledger-content.ts';

const MIB = 1024 * 1024;
const INDEX_DATA = `/api/rest/v2/${ARCHIVE}/documents/1/indexdata`;
const DOCUMENTS = `/api/rest/v2/${ARCHIVE}/documents`;

describe('a service whose clients do not behave', () => {
  let dataDir = '';
  let service: ServiceProcess;
  let client: ServiceClient;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-hostile-'));
    await prepareLedger({ dataDir });
    service = await startService({ dataDir, args: ['--empty'] });
    client = new ServiceClient(service.url);
    await client.signIn(USERNAME, PASSWORD);
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  afterAll(async () => {
    await service.kill();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A connection that says what it likes. */
  async function open(): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    sockets.add(socket);
    await once(socket, 'connect');
    socket.on('error', () => socket.destroy());
    return socket;
  }

  function head(method: string, path: string, headers: Readonly<Record<string, string>>): string {
    const all = { Host: 'localhost', Cookie: client.cookie, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  }

  /** The one answer to what is sent; the connection is closed after it. */
  async function exchange(...parts: readonly (string | Buffer)[]) {
    const socket = await open();
    const received: Buffer[] = [];
    socket.on('data', (data) => received.push(data));
    for (const part of parts) {
      if (socket.destroyed) break;
      if (!socket.write(part)) await drained(socket);
    }
    let text = '';
    const answered = await eventually(async () => {
      text = Buffer.concat(received).toString();
      return /\r\n\r\n\{.*\}$/s.test(text);
    }, WAIT_LIMIT);
    if (!answered) throw new Error(`No whole answer: ${text}`);
    const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
    const { code } = errorBodySchema.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))));
    return { status, code };
  }

  /** Whether others are served. */
  async function goesOn(): Promise<boolean> {
    const { status } = await client.send({ method: 'GET', path: `${ARCHIVE}/index?limit=1` });
    return status === 200 && service.runs();
  }

  const json = { 'Content-Type': 'application/json' };

  test('refuses 40 MB of JSON whose length is said', { tags: ['long'] }, async () => {
    const announced = { ...json, 'Content-Length': String(40 * MIB) };
    const body = Array.from({ length: 40 }, () => Buffer.alloc(MIB, ' '));
    const answer = await exchange(head('PATCH', INDEX_DATA, announced), ...body);
    expect(answer).toEqual({ status: 413, code: 'too_large' });
    expect(await goesOn()).toBe(true);
  });

  test('refuses 40 MB of JSON whose length is not said', async () => {
    const chunked = { ...json, 'Transfer-Encoding': 'chunked' };
    const chunk = Buffer.concat([
      Buffer.from(`${MIB.toString(16)}\r\n`),
      Buffer.alloc(MIB, ' '),
      Buffer.from('\r\n'),
    ]);
    const body = Array.from({ length: 40 }, () => chunk);
    const answer = await exchange(head('PATCH', INDEX_DATA, chunked), ...body, '0\r\n\r\n');
    expect(answer).toEqual({ status: 413, code: 'too_large' });
    expect(await goesOn()).toBe(true);
  });

  test.each([
    ['arrays', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['arrays without an end', '['.repeat(20_000)],
  ])('refuses 20,000 nested %s', async (_name, body) => {
    const length = { ...json, 'Content-Length': String(body.length) };
    const answer = await exchange(head('PATCH', INDEX_DATA, length), body);
    expect(answer).toEqual({ status: 400, code: 'malformed' });
    expect(await goesOn()).toBe(true);
  });

  test.each([
    ['a request line that is none', 'NONSENSE\r\n\r\n'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
    ],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header with NUL', 'GET / HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n'],
    ['no Host', 'GET /api/rest/v2/application/sessions HTTP/1.1\r\n\r\n'],
  ])('refuses %s', async (_name, request) => {
    expect(await exchange(request)).toEqual({ status: 400, code: 'malformed' });
    expect(await goesOn()).toBe(true);
  });

  test('serves others while 400 requests stop in the midst of their headers or bodies', async () => {
    const inHeaders = `PATCH ${INDEX_DATA} HTTP/1.1\r\nHost: localhost\r\nCookie: ${client.cookie.slice(0, 20)}`;
    const inBody = `${head('PATCH', INDEX_DATA, { ...json, 'Content-Length': '1000' })}{"indexFields":[`;
    for (let i = 0; i < 200; i += 1) {
      (await open()).write(inHeaders);
      (await open()).write(inBody);
    }
    for (let i = 0; i < 20; i += 1) expect(await goesOn()).toBe(true);
    const { status } = await client.send({
      method: 'PATCH',
      path: `${ARCHIVE}/documents/2/indexdata`,
      json: { indexFields: [{ name: 'TOKEN', value: 'meanwhile' }] },
    });
    expect(status).toBe(200);
  });

  test('leaves nothing of uploads whose clients disappear', async () => {
    const incoming = join(dataDir, 'files', 'incoming');
    const left = () => readdir(incoming).catch(() => []);
    const before = await documents();
    const part =
      '--x\r\nContent-Disposition: form-data; name="files[0]"; filename="a.pdf"\r\n' +
      'Content-Type: application/pdf\r\n\r\n';
    const headers = {
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': String(20 * MIB),
    };
    for (let i = 0; i < 16; i += 1) {
      const socket = await open();
      socket.write(head('POST', DOCUMENTS, headers) + part);
      socket.write(Buffer.alloc(MIB, 'a'));
    }
    expect(await eventually(async () => (await left()).length === 16, WAIT_LIMIT)).toBe(true);
    for (const socket of sockets) {
      // Half of them with a reset, half with an end.
      if (sockets.size % 2 === 0) socket.resetAndDestroy();
      else socket.end();
      sockets.delete(socket);
    }
    expect(await eventually(async () => (await left()).length === 0, WAIT_LIMIT)).toBe(true);
    expect(await documents()).toBe(before);
    expect(await goesOn()).toBe(true);
  });

  test('has logged none of it as an error of its own, and stops when it is told', async () => {
    expect(service.log()).not.toMatch(/"level":[56]0/);
    expect(await service.stop()).toBe(0);
  });

  async function documents(): Promise<number> {
    const { body } = await client.send({ method: 'GET', path: `${ARCHIVE}/index/count` });
    return typeof body === 'object' && body !== null && 'count' in body ? Number(body.count) : -1;
  }
});

/** Waits until more can be sent, or nothing any more. */
async function drained(socket: Socket): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]);
  settled.abort();
}
