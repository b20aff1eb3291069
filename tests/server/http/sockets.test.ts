import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, PASSWORD, type TestApp } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';

interface Received {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

const MIB = 1024 * 1024;

describe('the service on a real socket', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let port: number;
  let cookie: string;

  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'clerk' });
    await t.app.listen({ host: '127.0.0.1', port: 0 });
    const address: AddressInfo | string | null = t.app.server.address();
    port = typeof address === 'object' && address ? address.port : 0;
    const client = t.client();
    await client.signIn('clerk', PASSWORD);
    cookie = `Cookie: indexdesk_session=${client.cookies.get('indexdesk_session')}`;
  });

  /** Sends text and bytes as they are, and only then reads one response to its end, as simple clients do. */
  async function exchange(head: string, body: Iterable<Buffer> = []): Promise<Received> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head);
    for (const chunk of body) {
      if (socket.destroyed) break;
      if (!socket.write(chunk)) await drained(socket);
    }
    const answer = await readResponse(socket);
    socket.destroy();
    return answer;
  }

  function* chunks(bytes: number): Iterable<Buffer> {
    const chunk = Buffer.alloc(64 * 1024, 'x');
    for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  }

  const head = (request: string, ...headers: string[]) =>
    [`${request} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

  /** Status and code of an error, which has the decided body. */
  const told = (answer: Received) => {
    const type = /content-type: (.*)/i.exec(answer.headers)?.[1] ?? '';
    const { code } = errorBodySchema.parse(JSON.parse(answer.body));
    return `${answer.status} ${code} ${type.split(';')[0]}`;
  };
  const error = (status: number, code: string) => `${status} ${code} application/json`;

  const early = sampled<[string, string, number, string]>(3, [
    ['Connection: keep-alive', 'POST /api/rest/v2/application/sessions', 413, 'too_large'],
    ['Connection: close', 'POST /elsewhere', 404, 'not_found'],
    [
      'Connection: close',
      'PATCH /api/rest/v2/application/archiveapp/archives/X/indexdata',
      401,
      'unauthenticated',
    ],
    ['Connection: close', 'POST /api/rest/v2/application/sessions', 413, 'too_large'],
    ['Connection: keep-alive', 'POST /api/rest/v2/nothing', 401, 'unauthenticated'],
    ['Connection: close', 'POST /api/rest/v1/nothing', 404, 'unknown_version'],
  ]);
  it.each(early)(
    'answers a body of 40 MiB, still being sent (%s, %s)',
    async (connection, request, status, code) => {
      const length = `Content-Length: ${40 * MIB}`;
      const answer = await exchange(
        head(request, length, 'Content-Type: application/json', connection),
        chunks(40 * MIB),
      );
      expect(told(answer)).toBe(error(status, code));
    },
  );

  it('answers a body of unknown length once it is too large', async () => {
    const socket = connect(port, '127.0.0.1');
    const received = readResponse(socket);
    socket.write(
      head(
        'PUT /api/rest/v2/application/users/clerk/password',
        'Transfer-Encoding: chunked',
        'Content-Type: application/json',
        cookie,
      ),
    );
    for (const chunk of chunks(40 * MIB)) {
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      if (!socket.write('\r\n')) await drained(socket);
    }
    socket.write('0\r\n\r\n');
    expect(told(await received)).toBe(error(413, 'too_large'));
    // The connection goes on.
    const next = readResponse(socket);
    socket.write(head('GET /api/rest/v2/application/sessions', cookie));
    expect((await next).status).toBe(200);
    socket.destroy();
  });

  it('goes on with the connection after an answer that came before the body', async () => {
    const socket = connect(port, '127.0.0.1');
    const first = readResponse(socket);
    socket.write(
      head(
        'POST /api/rest/v2/nothing',
        `Content-Length: ${MIB}`,
        'Content-Type: text/plain',
        cookie,
      ),
    );
    expect(told(await first)).toBe(error(404, 'not_found'));
    const second = readResponse(socket);
    for (const chunk of chunks(MIB)) socket.write(chunk);
    socket.write(head('GET /healthz'));
    expect(await second).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    socket.destroy();
  });

  it.each([
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no HTTP at all', '\u0016\u0003\u0001 hello\r\n\r\n', 400],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['an address without end', `GET /${'y'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'a length beside chunks',
      'POST /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: x\r\nX: y\r\nhost: x\r\n\r\n', 400],
    ['no host', 'GET /api/rest/v2/application/sessions HTTP/1.1\r\n\r\n', 400],
  ])('refuses %s with the decided body', async (_, text, status) => {
    expect(told(await exchange(text))).toBe(error(status, 'malformed'));
  });

  it('ignores an expectation that it does not know, and a method without a route', async () => {
    const path = '/api/rest/v2/application/sessions';
    expect(told(await exchange(head(`GET ${path}`, 'Expect: wonders')))).toBe(
      error(401, 'unauthenticated'),
    );
    expect((await exchange(head(`GET ${path}`, 'Expect: wonders', cookie))).status).toBe(200);
    expect(told(await exchange(head(`PROPFIND ${path}`, cookie)))).toBe(
      error(405, 'method_not_allowed'),
    );
    expect(told(await exchange(head('PROPFIND /api/rest/v2/nothing', cookie)))).toBe(
      error(404, 'not_found'),
    );
    expect(told(await exchange(head('PROPFIND /elsewhere')))).toBe(error(404, 'not_found'));
  });

  it('takes chunks of nothing for no body', async () => {
    const chunked = ['Transfer-Encoding: chunked', 'Content-Type: text/plain', cookie];
    const end = [Buffer.from('0\r\n\r\n')];
    const needed = head('PUT /api/rest/v2/application/users/clerk/password', ...chunked);
    expect(told(await exchange(needed, end))).toBe(error(422, 'validation_failed'));
    for (const type of ['garbage', 'text/', 'a/b/c', ';', '']) {
      const odd = head(
        'PUT /api/rest/v2/application/users/clerk/password',
        'Transfer-Encoding: chunked',
        `Content-Type: ${type}`,
        cookie,
      );
      expect([type, told(await exchange(odd, end))]).toEqual([
        type,
        error(422, 'validation_failed'),
      ]);
    }
    const another = t.client();
    await another.signIn('clerk', PASSWORD);
    const id = `indexdesk_session=${another.cookies.get('indexdesk_session')}`;
    const out = head(
      'DELETE /api/rest/v2/application/sessions',
      ...chunked.slice(0, 2),
      `Cookie: ${id}`,
    );
    expect((await exchange(out, end)).status).toBe(204);
    const some = [Buffer.from('3\r\nabc\r\n'), ...end];
    expect(told(await exchange(needed, some))).toBe(error(415, 'unsupported_media_type'));
    const json = head(
      'PUT /api/rest/v2/application/users/clerk/password',
      'Transfer-Encoding: chunked',
      'Content-Type: application/json',
      cookie,
    );
    const body = [Buffer.from('1\r\n{\r\n'), Buffer.from('1\r\n}\r\n'), ...end];
    expect(told(await exchange(json, body))).toBe(error(422, 'validation_failed'));
  });

  it('takes an address with scheme and host', async () => {
    const answer = await exchange(
      head('GET http://localhost/api/rest/v2/application/sessions', cookie),
    );
    expect(answer.status).toBe(200);
  });

  it('goes on when a body ends too early', async () => {
    const begun = once(t.app.server, 'request');
    const socket = connect(port, '127.0.0.1');
    socket.write(
      head(
        'PUT /api/rest/v2/application/users/clerk/password',
        'Content-Length: 1000',
        'Content-Type: application/json',
        cookie,
      ),
    );
    socket.write('{"current": "');
    await begun;
    socket.destroy();
    expect((await exchange(head('GET /healthz'))).status).toBe(200);
  });
});

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const goOn = () => {
      socket.off('drain', goOn).off('close', goOn);
      resolve();
    };
    socket.on('drain', goOn).on('close', goOn);
  });
}

/** Reads one response; fails where the connection ends before the response does. */
function readResponse(socket: Socket): Promise<Received> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const headers = text.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
      const body = text.slice(end + 4);
      if (body.length < length) return;
      socket.off('data', onData);
      resolve({ status: Number(headers.split(' ')[1]), headers, body });
    };
    socket.on('data', onData);
    socket.once('close', () => reject(new Error(`The connection ended after “${text}”.`)));
    socket.on('error', () => undefined);
  });
}
