import { beforeAll, describe, expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD, type TestApp } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { listenOn } from '#tests/support/event-client.ts';
import { RawClient } from '#tests/support/sockets.ts';

const SESSIONS = 'POST /api/rest/v2/application/sessions';
const INDEX_DATA = 'PATCH /api/rest/v2/application/archiveapp/archives/X/indexdata';
const JSON_TYPE = 'Content-Type: application/json';
const LIMIT = 16 * 1024;

describe('the body of a request without a session', () => {
  const { open } = testDatabases('sqlite');
  let t: TestApp;
  let port = 0;
  beforeAll(async () => {
    t = await openApp(open, { anonymousBodySeconds: 0.3, stallSeconds: 600 });
    await buildUser(t.database);
    port = await listenOn(t);
  });

  it('is refused above 16 KiB before it is read where its length is said', async () => {
    const client = await RawClient.open(port);
    client.send(SESSIONS, [JSON_TYPE, `Content-Length: ${LIMIT + 1}`]);
    expect(await client.answer()).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });

  it('is refused above 16 KiB while it is read where its length is not said', async () => {
    const client = await RawClient.open(port);
    const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`;
    client.send(SESSIONS, [JSON_TYPE, 'Transfer-Encoding: chunked'], chunk.repeat(4));
    client.socket.write('1\r\n \r\n');
    expect(await client.answer()).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });

  it('may have 16 KiB', async () => {
    const body = JSON.stringify({ username: 'clerk', password: PASSWORD }).padEnd(LIMIT);
    expect((await t.client().post('application/sessions', body)).status).toBe(201);
  });

  it.each([
    ['Content-Length: 100', '{'],
    ['Content-Length: 100', ''],
    ['Transfer-Encoding: chunked', '1\r\n{\r\n'],
    ['Transfer-Encoding: chunked', ''],
  ])('is given up where it is late (%s, %j)', async (length, body) => {
    const client = await RawClient.open(port);
    client.send(SESSIONS, [JSON_TYPE, length], body);
    expect(await client.answer()).toMatchObject({ status: 408, body: { code: 'malformed' } });
    await client.closed();
  });

  it('gains no time by single bytes', async () => {
    const client = await RawClient.open(port);
    client.send(SESSIONS, [JSON_TYPE, 'Content-Length: 16000'], '{');
    const sending = setInterval(() => client.socket.write(' '), 10);
    expect((await client.answer()).status).toBe(408);
    clearInterval(sending);
  });

  it('is not waited for at any other call either', async () => {
    const client = await RawClient.open(port);
    client.send(INDEX_DATA, [JSON_TYPE, 'Content-Length: 100'], '{');
    expect(await client.answer()).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const large = await RawClient.open(port);
    large.send(INDEX_DATA, [JSON_TYPE, `Content-Length: ${LIMIT + 1}`]);
    expect((await large.answer()).status).toBe(401);
  });

  it('may take longer where the session is valid', async () => {
    const signedIn = await t.signedIn('clerk');
    const slow = await RawClient.open(port);
    slow.send(INDEX_DATA, [JSON_TYPE, `Cookie: ${signedIn.cookie}`, 'Content-Length: 2'], '{');
    // The deadline of a request that began later has passed: the first one's has, too.
    const later = await RawClient.open(port);
    later.send(SESSIONS, [JSON_TYPE, 'Content-Length: 2'], '{');
    expect((await later.answer()).status).toBe(408);
    slow.socket.write('}');
    expect((await slow.answer()).status).toBe(404);
  });
});
