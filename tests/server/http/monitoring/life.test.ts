/** @module-tag slow */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseError } from 'pg';
import { toLoggedError } from '#server/http/monitoring/logged-errors.ts';
import { NOT_BUILT } from '#server/http/web-admin.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';

const SECRET = 'correct horse battery';

describe('the process of the service', () => {
  const { prepare } = testDatabases('sqlite');
  let service: ServiceProcess;
  beforeEach(async () => {
    service = await startService({
      ...(await prepare()),
      args: ['--empty', '--log-level', 'trace'],
      environment: { INDEXDESK_ADMIN_PASSWORD: SECRET },
    });
  });
  afterEach(() => service.kill());

  /** A connection in the midst of a request, which the service has begun to read. */
  async function begin(path: string) {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n`);
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    return {
      async end() {
        socket.write('\r\n');
        await expect.poll(() => text).toMatch(/\}$/);
        return text;
      },
      closed: once(socket, 'close'),
    };
  }

  test('is not ready any more as soon as it is told to stop, and takes no connections', async () => {
    const ready = await begin('/readyz');
    const alive = await begin('/healthz');
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    const code = service.stop();
    // Signals within a second are one request: npm passes on what the terminal sends as well.
    process.kill(service.pid, 'SIGINT');
    await expect.poll(() => fetch(service.url).catch(() => 'refused')).toBe('refused');
    expect(await ready.end()).toMatch(
      /^HTTP\/1\.1 503 [^]*"reason":"the service is being stopped"/,
    );
    expect(await alive.end()).toMatch(/^HTTP\/1\.1 200 /);
    expect(await code).toBe(0);
  });

  test(
    'goes on answering for a moment while it is not ready, and tells connections to close',
    { tags: ['long'] },
    async () => {
      const draining = await startService({
        ...(await prepare()),
        args: ['--empty', '--drain-seconds', '2'],
        environment: { INDEXDESK_ADMIN_PASSWORD: SECRET },
      });
      try {
        const before = await fetch(`${draining.url}/healthz`);
        expect(before.headers.get('connection')).toBe('keep-alive');
        const code = draining.stop();
        await expect
          .poll(async () => (await fetch(`${draining.url}/readyz`)).status, { interval: 20 })
          .toBe(503);
        const client = new ServiceClient(draining.url);
        await client.signIn('admin', SECRET);
        const path = 'application/users/admin/archives';
        const served = await client.send({ method: 'GET', path });
        expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
        expect(await code).toBe(0);
      } finally {
        await draining.kill();
      }
    },
  );

  test('ends at once when it is told twice, whatever clients do', { tags: ['long'] }, async () => {
    await begin('/readyz');
    const code = service.stop();
    await expect.poll(() => fetch(service.url).catch(() => 'refused')).toBe('refused');
    expect(service.runs()).toBe(true);
    // Signals within a second of the first belong to it.
    const isStopped = () => {
      void service.stop();
      return !service.runs();
    };
    await expect.poll(isStopped).toBe(true);
    expect(await code).toBe(143);
  });

  test(
    'logs lines of JSON with ids of requests, and nothing that is secret',
    { tags: ['long'] },
    async () => {
      const client = new ServiceClient(service.url);
      await client.signIn('admin', SECRET);
      const cookie = client.cookie.split('=')[1] ?? '';
      const ask = async (id: string) =>
        (
          await fetch(`${service.url}/api/rest/v2/application/nowhere?q=MY-WORDS`, {
            headers: { cookie: client.cookie, 'x-request-id': id },
          })
        ).headers.get('x-request-id');
      expect(await ask('trace-1/a.b=')).toBe('trace-1/a.b=');
      for (const bad of ['with space', '"quoted"', 'x'.repeat(129), 'ü']) {
        expect(await ask(bad)).toMatch(/^[0-9a-f-]{36}$/);
      }
      const wrong = await client.send({
        method: 'POST',
        path: 'application/sessions',
        json: { username: 'TYPED-INTO-NAME', password: 'MY-PASSWORD' },
      });
      expect(wrong.body).toMatchObject({ requestId: wrong.headers.get('x-request-id') });
      expect(await service.stop()).toBe(0);

      // The web admin need not be built for this test, which the service then says.
      const lines = service.log().replace(`${NOT_BUILT.message}\n`, '').trim().split('\n');
      const parsed = lines.map((line): unknown => JSON.parse(line));
      expect(parsed).toContainEqual(
        expect.objectContaining({ reqId: 'trace-1/a.b=', status: 404, method: 'GET' }),
      );
      for (const secret of [SECRET, cookie, 'MY-WORDS', 'MY-PASSWORD', 'TYPED-INTO-NAME']) {
        expect(service.log()).not.toContain(secret);
      }
    },
  );
});

test('an error is logged without the values it is about', () => {
  const about = new DatabaseError('invalid input syntax for type integer: "VALUE"', 1, 'error');
  const ofServer = { severity: 'ERROR', code: '22P02', routine: 'pg_strtoint32_safe' };
  Object.assign(about, { ...ofServer, detail: 'Key (a)=(VALUE)', table: 'r_1', where: 'VALUE' });
  about.stack = `error: ${about.message}\n    at somewhere (file.ts:1:1)`;
  const logged = toLoggedError(new Error('It failed.', { cause: about }));
  expect(JSON.stringify(logged)).not.toContain('VALUE');
  expect(logged).toMatchObject({
    message: 'It failed.',
    cause: { code: '22P02', message: 'error 22P02 about data, table r_1' },
  });
  expect(logged.cause?.stack).toContain('file.ts:1:1');
});
