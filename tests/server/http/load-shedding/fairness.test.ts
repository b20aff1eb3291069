/** @module-tag slow */
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineRead } from '#server/http/route.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { IS_LONG_RUN, sampled } from '#tests/support/effort.ts';
import { listenOn } from '#tests/support/event-client.ts';
import { withCostOfService } from '#tests/support/hashing-cost.ts';
import { RawClient } from '#tests/support/sockets.ts';

const SESSIONS = '/api/rest/v2/application/sessions';
const JSON_TYPE = 'Content-Type: application/json';
const MAX_REQUESTS = 50;

describe('a service whose capacity one client would like to have', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let port = 0;
  let anna: TestClient;
  let bert: TestClient;
  let release: () => void = () => undefined;
  let released: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    /** A call that lasts for as long as the test wants. */
    const held = defineRead({
      path: 'held',
      summary: 'Held',
      target: 'none',
      answer: null,
      status: 200,
      handle: () => Promise.resolve({ stream: () => released.then(() => Readable.from(['x'])) }),
    });
    t = await openApp(open, {
      maxRequests: MAX_REQUESTS,
      anonymousBodySeconds: 3_600,
      stallSeconds: 3_600,
      routes: [held],
    });
    for (const username of ['anna', 'bert']) await buildUser(t.database, { username });
    port = await listenOn(t);
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    // Who has had an answer before is known.
    for (const client of [anna, bert]) await client.get('application/sessions');
  });

  async function figure(name: string): Promise<number> {
    const { text } = await t.client().get('/metrics');
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    );
  }
  const signInBody = (username: string) => JSON.stringify({ username, password: PASSWORD });
  async function signInFrom(address: string, body: string): Promise<RawClient> {
    const client = await RawClient.open(port, address);
    client.send(`POST ${SESSIONS}`, [JSON_TYPE, `Content-Length: ${body.length}`], body);
    return client;
  }

  const places = sampled(1, [
    ['of the same address', '127.0.0.1'],
    ['of another address', '127.0.0.2'],
  ]);
  it.each(places)('serves others beside unfinished bodies %s', async (_, address) => {
    for (let i = 0; i < MAX_REQUESTS + 10; i += 1) {
      const client = await RawClient.open(port, address);
      client.send(`POST ${SESSIONS}`, [JSON_TYPE, 'Content-Length: 100'], '{');
    }
    await expect.poll(() => figure('indexdesk_requests_receiving')).toBeGreaterThan(20);
    for (let i = 0; i < 40; i += 1) {
      expect((await anna.get('application/sessions')).status).toBe(200);
    }
    expect((await bert.delete('application/sessions/none', {})).status).toBe(404);
    // Nor are later sign-ins kept out, which are there as a whole.
    const there = await signInFrom(address, signInBody('anna'));
    expect((await there.answer()).status).toBe(201);
    const elsewhere = await signInFrom('127.0.0.3', signInBody('anna'));
    expect((await elsewhere.answer()).status).toBe(201);
  });

  it('serves others beside a person with as much under way as the service takes', async () => {
    ({ promise: released, resolve: release } = Promise.withResolvers<void>());
    const answered: number[] = [];
    const flood = Array.from({ length: 2 * MAX_REQUESTS }, async () => {
      const { status, headers } = await anna.get('held');
      if (status !== 200) expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
      answered.push(status);
    });
    // Nothing of it is done yet, so what is answered is refused.
    await expect.poll(() => answered.length).toBeGreaterThanOrEqual(MAX_REQUESTS);
    expect(new Set(answered)).toEqual(new Set([503]));
    expect((await anna.get('application/sessions')).status).toBe(503);
    for (let i = 0; i < 10; i += 1) {
      expect((await bert.get('application/sessions')).status).toBe(200);
    }
    const stranger = t.client({ remoteAddress: '127.0.0.4' });
    expect((await stranger.get('application/sessions')).status).toBe(401);
    expect((await stranger.signIn('bert')).status).toBe(201);
    release();
    await Promise.all(flood);
    expect(answered.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect((await anna.get('application/sessions')).status).toBe(200);
  });
});

describe('a service to which one address holds as many connections as it gets', () => {
  const { open } = testDatabases('sqlite');

  it('takes those of others', async () => {
    const t = await openApp(open, { maxConnections: 10, headerSeconds: 300 });
    const port = await listenOn(t);
    for (let i = 0; i < 20; i += 1) await RawClient.open(port, '127.0.0.2');
    for (const address of ['127.0.0.1', '127.0.0.3']) {
      const client = await RawClient.open(port, address);
      client.send('GET /healthz', []);
      expect(await client.answer()).toMatchObject({ status: 200 });
    }
  });
});

describe('a service at which hundreds sign in at once', () => {
  const { open } = testDatabases('sqlite');
  const STRANGERS = IS_LONG_RUN ? 350 : 60;

  // Checks of passwords as costly as in operation: the strangers' must not be over before all have been sent.
  it('answers those whom it knows before strangers, and the others in turn', () =>
    withCostOfService(async () => {
      const t = await openApp(open);
      await buildUser(t.database, { username: 'dora' });
      const home = t.client({ remoteAddress: '127.0.0.9' });
      expect((await home.signIn('dora')).status).toBe(201);
      const port = await listenOn(t);
      const send = async (username: string, address: string) => {
        const body = JSON.stringify({ username, password: PASSWORD });
        const client = await RawClient.open(port, address);
        client.send(`POST ${SESSIONS}`, [JSON_TYPE, `Content-Length: ${body.length}`], body);
        return client;
      };
      const strangers: RawClient[] = [];
      let answered = 0;
      for (let i = 0; i < STRANGERS; i += 1) {
        const stranger = await send(`nobody-${i}`, `127.0.${1 + (i >> 7)}.${1 + (i & 127)}`);
        stranger.socket.once('data', () => (answered += 1));
        strangers.push(stranger);
      }
      const newcomer = await send('dora', '127.0.9.9');
      expect((await (await send('dora', '127.0.0.9')).answer()).status).toBe(201);
      expect(answered).toBeLessThan(STRANGERS);
      // Passwords of those who have left are not checked.
      for (const { socket } of strangers) socket.destroy();
      expect((await newcomer.answer()).status).toBe(201);
    }));
});
