/** @module-tag long */
/** @module-tag slow */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCommandLine } from '#server/config.ts';
import { defineRead } from '#server/http/route.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';

const BYTES = 64 * 1024 * 1024;

/** An answer that is larger than all buffers on its way. */
const large = defineRead({
  path: 'large',
  summary: 'Much',
  target: 'none',
  answer: 'bytes',
  handle: () => Promise.resolve({ stream: Buffer.alloc(BYTES, 'x') }),
});
const longEnds = Promise.withResolvers<void>();
/** A call that takes longer than a client may stall. */
const long = defineRead({
  path: 'long',
  summary: 'Long',
  target: 'none',
  answer: null,
  status: 200,
  async handle() {
    await longEnds.promise;
    return { body: {} };
  },
});

describe('a client that is slow', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let port = 0;
  let cookie = '';
  const sockets: Socket[] = [];

  beforeAll(async () => {
    // Much longer than a busy machine delays a client that goes on.
    t = await openApp(open, { headerSeconds: 1, stallSeconds: 4, routes: [large, long] });
    await buildUser(t.database);
    await t.app.listen({ host: '127.0.0.1', port: 0 });
    const address = t.app.server.address();
    port = typeof address === 'object' && address ? address.port : 0;
    const client = await t.signedIn('clerk');
    cookie = `Cookie: indexdesk_session=${client.cookies.get('indexdesk_session')}`;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  async function send(...lines: readonly string[]): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(lines.join('\r\n'));
    return socket;
  }
  /** @returns what came until the connection was closed */
  async function untilClosed(socket: Socket): Promise<string> {
    const received: Buffer[] = [];
    socket.on('data', (data) => received.push(data));
    await once(socket, 'close');
    return Buffer.concat(received).toString('latin1');
  }

  const beginBody = () =>
    send(
      'PUT /api/rest/v2/application/users/clerk/password HTTP/1.1',
      'Host: x',
      cookie,
      'Content-Type: application/json',
      'Content-Length: 10000',
      '',
      '{',
    );
  /** Until a client that began to stall now has been cut. */
  const untilStallIsCut = async () => untilClosed(await beginBody());

  it.each([
    ['says nothing', []],
    ['does not end its headers', ['GET /healthz HTTP/1.1', 'Host: x', '']],
  ])('is cut where it %s', async (_, lines) => {
    const text = await untilClosed(await send(...lines));
    expect(text).toMatch(/^HTTP\/1\.1 408 /);
  });

  it.each([
    ['sends nothing of a body', 60_000, 0],
    ['drips', 200, 2],
  ])('is cut where it %s', async (_, every, least) => {
    const socket = await beginBody();
    let drops = 0;
    const dripping = setInterval(() => socket.write(' ', () => drops++), every);
    await untilClosed(socket);
    clearInterval(dripping);
    expect(drops).toBeGreaterThanOrEqual(least);
  });

  it('is cut where it does not take its answer', async () => {
    const socket = await send('GET /api/rest/v2/large HTTP/1.1', 'Host: x', cookie, '', '');
    socket.pause();
    const count = () =>
      new Promise<number>((resolve) => t.app.server.getConnections((_, n) => resolve(n)));
    await expect.poll(count).toBe(0);
  });

  it('is not cut where the service is the slow one', async () => {
    const socket = await send(
      'GET /api/rest/v2/long HTTP/1.1',
      'Host: x',
      cookie,
      'Connection: close',
      '',
      '',
    );
    const answer = untilClosed(socket);
    await untilStallIsCut();
    longEnds.resolve();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is not cut where it takes its time but goes on', async () => {
    const socket = await send(
      'GET /api/rest/v2/large HTTP/1.1',
      'Host: x',
      cookie,
      'Connection: close',
      '',
      '',
    );
    let received = 0;
    let isSlow = true;
    socket.on('data', (data) => {
      received += data.length;
      if (!isSlow) return;
      socket.pause();
      setTimeout(() => socket.resume(), 20);
    });
    const closed = once(socket, 'close');
    await untilStallIsCut();
    isSlow = false;
    await closed;
    expect(received).toBeGreaterThan(BYTES);
  });
});

describe('the time for headers', () => {
  const { open } = testDatabases('sqlite');

  it.each(['0.5', '20', '300', '301', '3600'])('may be %s seconds', async (seconds) => {
    const { config } = readCommandLine(['--header-seconds', seconds], {});
    const { app } = await openApp(open, { headerSeconds: config.headerSeconds });
    expect(app.server.headersTimeout).toBe(Number(seconds) * 1_000);
    // Else node ends requests before their headers are late.
    expect(app.server.requestTimeout).toBeGreaterThan(app.server.headersTimeout);
  });
});
