import { beforeAll, expect, it } from 'vitest';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import { hashToken } from '#server/modules/accounts/tokens.ts';
import { changeUser } from '#server/modules/accounts/users.service.ts';
import { BUILDER } from '#tests/support/builders.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import { cpuTime } from '#tests/support/cpu-time.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { withCostOfService } from '#tests/support/hashing-cost.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describeOnOneDatabase('sessions', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open, { trustedProxies: ['10.1.0.0/16'] });
    await buildUser(t.database);
  });

  /** Moves a client's session into the past. */
  async function age(client: TestClient, milliseconds: number): Promise<void> {
    const id = await sessionId(client);
    await t.database.write(async (db) => {
      await db.k
        .updateTable('sessions')
        .set((eb) => ({
          created_at: eb('created_at', '-', milliseconds),
          last_seen_at: eb('last_seen_at', '-', milliseconds),
          expires_at: eb('expires_at', '-', milliseconds),
        }))
        .where('id', '=', id)
        .execute();
    });
  }

  async function sessionOf(client: TestClient) {
    const answer = await client.get('application/sessions');
    return sessionsAnswer.parse(answer.body).sessions[0];
  }
  async function sessionId(client: TestClient): Promise<string> {
    return (await sessionOf(client))?.sessionId ?? '';
  }
  const statusOf = async (client: TestClient) => (await client.get('application/sessions')).status;

  it('signs in, tells the session, signs out', async () => {
    const client = t.client();
    expect(await statusOf(client)).toBe(401);
    const answer = await client.signIn('Clerk');
    expect(answer.status).toBe(201);
    const [session] = sessionsAnswer.parse(answer.body).sessions;
    expect(session).toMatchObject({ username: 'clerk', displayName: 'A Clerk', role: 'clerk' });
    const again = await client.get('application/sessions');
    expect(again.body).toEqual(answer.body);
    const cookies = new Map(client.cookies);
    const out = await client.delete('application/sessions');
    expect(out.status).toBe(204);
    expect(out.headers['set-cookie']).toBe(
      'indexdesk_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
    );
    for (const [name, value] of cookies) client.cookies.set(name, value);
    expect(await statusOf(client)).toBe(401);
  });

  it('sets the cookie as decided, Secure only over https', async () => {
    const plain = await t.client().signIn('clerk');
    expect(plain.headers['set-cookie']).toMatch(
      /^indexdesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const over = (remoteAddress: string) =>
      t.client().signIn('clerk', PASSWORD, {
        remoteAddress,
        headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' },
      });
    expect((await over('10.1.2.3')).headers['set-cookie']).toMatch(
      /^__Host-indexdesk_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const browser = t.client({
      remoteAddress: '10.1.2.3',
      headers: { 'x-forwarded-proto': 'https', 'sec-fetch-site': 'same-origin' },
    });
    for (const cookie of [(await browser.signIn('clerk')).headers['set-cookie'] ?? []].flat()) {
      expect(cookie).toMatch(/^__Host-indexdesk_(?:session|device_\d+)=[\w-]{43};/);
      expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    }
    expect([...browser.cookies.keys()].filter((name) => name.includes('device'))).toHaveLength(1);
    const plainToo = (await over('10.2.2.3')).headers['set-cookie'];
    expect(plainToo).not.toMatch(/Secure|__Host-/);
  });

  it('takes over https only the cookie that no neighbour can set', async () => {
    const https = {
      remoteAddress: '10.1.2.3',
      headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' },
    };
    const client = t.client(https);
    expect((await client.signIn('clerk')).status).toBe(201);
    expect(await statusOf(client)).toBe(200);
    const neighbour = t.client(https);
    const token = client.cookies.get('__Host-indexdesk_session') ?? '';
    neighbour.cookies.set('indexdesk_session', token);
    expect(await statusOf(neighbour)).toBe(401);
    const out = await client.delete('application/sessions');
    expect(out.headers['set-cookie']).toBe(
      '__Host-indexdesk_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
  });

  it('tells browsers to stay with https where it is certain, and to keep addresses', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
    for (const path of ['application/sessions', 'nothing', '/', '/healthz']) {
      const proxied = await t.client().get(path, { remoteAddress: '10.1.2.3', headers });
      expect([path, proxied.headers['strict-transport-security']]).toEqual([
        path,
        'max-age=31536000; includeSubDomains',
      ]);
      const plain = await t.client().get(path, { remoteAddress: '10.2.2.3', headers });
      expect([path, plain.headers['strict-transport-security']]).toEqual([path, undefined]);
      for (const answer of [proxied, plain]) {
        expect([path, answer.headers['referrer-policy']]).toEqual([path, 'same-origin']);
      }
    }
    expect((await t.client().get('/%zz')).headers['referrer-policy']).toBe('same-origin');
  });

  it('ends the session that the browser had before', async () => {
    await buildUser(t.database, { username: 'next' });
    const browser = await t.signedIn('clerk');
    const before = t.client();
    before.cookies.set('indexdesk_session', browser.cookies.get('indexdesk_session') ?? '');
    expect(await statusOf(before)).toBe(200);
    expect((await browser.signIn('next', 'not the password')).status).toBe(401);
    expect(await statusOf(before)).toBe(200);
    expect((await browser.signIn('next')).status).toBe(201);
    expect(await statusOf(before)).toBe(401);
    expect((await sessionOf(browser))?.username).toBe('next');
  });

  it('ends it also where its cookie is gone, as when the browser was closed', async () => {
    await buildUser(t.database, { username: 'early' });
    await buildUser(t.database, { username: 'late' });
    const start = (cookies: ReadonlyMap<string, string> = new Map()) => {
      const client = t.client({ headers: { 'sec-fetch-site': 'same-origin' } });
      for (const [name, value] of cookies) client.cookies.set(name, value);
      return client;
    };
    /** What a browser still has after it was closed. */
    const close = ({ cookies }: TestClient) =>
      start(new Map([...cookies].filter(([name]) => name.startsWith('indexdesk_device_'))));
    const [first, elsewhere] = [start(), start()];
    for (const client of [first, elsewhere]) await client.signIn('early');
    const again = close(first);
    await again.signIn('early');
    expect(await statusOf(first)).toBe(401);
    expect(await statusOf(again)).toBe(200);
    // Another user of the same browser ends it as well, and nobody's in another one.
    const other = close(again);
    await other.signIn('late', 'not the password');
    expect(await statusOf(again)).toBe(200);
    await other.signIn('late');
    expect(await statusOf(again)).toBe(401);
    expect(await statusOf(elsewhere)).toBe(200);
    const program = t.client();
    await program.signIn('early');
    await t.client().signIn('early');
    for (const client of [other, elsewhere, program]) expect(await statusOf(client)).toBe(200);
  });

  it('keeps a thousand sessions of a person, and each that was used within the last hour', async () => {
    const { id } = await buildUser(t.database, { username: 'forgetful' });
    const [oldest, unused] = [await t.signedIn('forgetful'), await t.signedIn('forgetful')];
    const inUse = await t.signedIn('forgetful');
    await age(oldest, 3 * HOUR);
    await age(unused, 2 * HOUR);
    await age(inUse, HOUR - MINUTE);
    await buildSessions(id, 997);
    const sessions = [await t.signedIn('forgetful')];
    expect(await isOpen(oldest)).toBe(false);
    expect(await isOpen(unused)).toBe(true);
    for (let i = 0; i < 3; i++) sessions.push(await t.signedIn('forgetful'));
    expect(await isOpen(unused)).toBe(false);
    for (const client of [inUse, ...sessions]) expect(await statusOf(client)).toBe(200);
  });

  it('ends at most a hundred sessions beyond these with each sign-in', async () => {
    const { id } = await buildUser(t.database, { username: 'program' });
    await buildSessions(id, 1_150, Date.now() - 2 * HOUR);
    const left: number[] = [];
    for (let i = 0; i < 3; i++) {
      await t.signedIn('program');
      const sessions = t.database.read((db) =>
        db.k.selectFrom('sessions').select('id').where('user_id', '=', id).execute(),
      );
      left.push((await sessions).length);
    }
    expect(left).toEqual([1_051, 1_000, 1_000]);
  });

  /** Builds sessions that were used last at a time. */
  async function buildSessions(userId: number, count: number, now = Date.now()): Promise<void> {
    const rows = Array.from({ length: count }, (_, number) => ({
      id: `built ${userId} ${number}`,
      token_hash: `of built ${userId} ${number}`,
      user_id: userId,
      created_at: now,
      last_seen_at: now,
      expires_at: Date.now() + HOUR,
      address: null,
      client: null,
      confirmed_at: now,
      provider_sid: null,
    }));
    await t.database.write((db) => db.k.insertInto('sessions').values(rows).execute());
  }
  /** Whether a client's session is stored, without using it. */
  async function isOpen(client: TestClient): Promise<boolean> {
    const token = client.cookies.get('indexdesk_session') ?? '';
    const row = await t.database.read((db) =>
      db.k
        .selectFrom('sessions')
        .select('id')
        .where('token_hash', '=', hashToken(token))
        .executeTakeFirst(),
    );
    return row !== undefined;
  }

  it('stores nothing that opens a session', async () => {
    const client = await t.signedIn('clerk');
    const token = client.cookies.get('indexdesk_session') ?? '';
    const rows = await t.database.read((db) =>
      db.k.selectFrom('sessions').selectAll().where('id', 'not like', 'built %').execute(),
    );
    expect(token).not.toBe('');
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const row of rows) {
      for (const value of [row.id, row.token_hash]) {
        const thief = t.client();
        thief.cookies.set('indexdesk_session', value);
        expect(await statusOf(thief)).toBe(401);
      }
    }
  });

  it('ends a session that is idle too long, or too old', { tags: ['slow'] }, async () => {
    const idle = await t.signedIn('clerk');
    await age(idle, 8 * HOUR - MINUTE);
    expect(await statusOf(idle)).toBe(200);
    const left = await t.signedIn('clerk');
    await age(left, 8 * HOUR + 1);
    expect(await statusOf(left)).toBe(401);

    const old = await t.signedIn('clerk');
    for (let day = 0; day < 7; day++) {
      for (let uses = 0; uses < 4; uses++) await useAfter(old, 354 * MINUTE);
    }
    await age(old, 7 * 24 * HOUR - 7 * 4 * 354 * MINUTE);
    expect(await statusOf(old)).toBe(401);
  });

  async function useAfter(client: TestClient, milliseconds: number): Promise<void> {
    await age(client, milliseconds);
    expect(await statusOf(client)).toBe(200);
    // The use is written down after the answer.
    await expect.poll(() => lastSeen(client)).toBeGreaterThan(Date.now() - MINUTE);
  }
  async function lastSeen(client: TestClient): Promise<number> {
    const id = await sessionId(client);
    const row = await t.database.read((db) =>
      db.k.selectFrom('sessions').select('last_seen_at').where('id', '=', id).executeTakeFirst(),
    );
    return row?.last_seen_at ?? 0;
  }

  it('tells the earlier of both ends', async () => {
    const client = await t.signedIn('clerk');
    const ends = async () => Date.parse((await sessionOf(client))?.expiresAt ?? '') - Date.now();
    expect((await ends()) / HOUR).toBeCloseTo(8, 1);
    await age(client, 2 * HOUR);
    expect((await ends()) / HOUR).toBeCloseTo(8, 1);
    const id = await sessionId(client);
    await t.database.write(async (db) => {
      const created = Date.now() - 7 * 24 * HOUR + 2 * HOUR;
      await db.k
        .updateTable('sessions')
        .set({ created_at: created, last_seen_at: Date.now() - HOUR })
        .where('id', '=', id)
        .execute();
    });
    expect((await ends()) / HOUR).toBeCloseTo(2, 1);
  });

  it('outlives a restart', async () => {
    const client = await t.signedIn('clerk');
    const second = await openApp(() => Promise.resolve(t.database));
    const there = second.client();
    for (const [name, value] of client.cookies) there.cookies.set(name, value);
    expect(await statusOf(there)).toBe(200);
  });

  it('ends only sessions of one’s own', async () => {
    await buildUser(t.database, { username: 'other' });
    const [mine, mineToo, other] = [
      await t.signedIn('clerk'),
      await t.signedIn('clerk'),
      await t.signedIn('other'),
    ];
    const foreign = await mine.delete(`application/sessions/${await sessionId(other)}`);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await statusOf(other)).toBe(200);
    const own = await mine.delete(`application/sessions/${await sessionId(mineToo)}`);
    expect(own.status).toBe(204);
    expect(own.headers['set-cookie']).toBeUndefined();
    expect(await statusOf(mineToo)).toBe(401);
    expect(await statusOf(mine)).toBe(200);
  });

  it('ends at once when the user is disabled or gets another role', async () => {
    const user = await buildUser(t.database, { username: 'leaving' });
    const client = await t.signedIn('leaving');
    await t.database.write((db) => changeUser(db, user, { role: 'reader' }, BUILDER));
    expect(await statusOf(client)).toBe(401);
    const again = await t.signedIn('leaving');
    expect((await sessionOf(again))?.role).toBe('reader');
    await t.database.write((db) => changeUser(db, user, { active: false }, BUILDER));
    expect(await statusOf(again)).toBe(401);
    const refused = await t.client().signIn('leaving');
    const unknown = await t.client().signIn('nobody');
    const wrong = await t.client().signIn('clerk', 'not the password');
    for (const answer of [refused, unknown, wrong]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({
        code: 'invalid_credentials',
        errors: { '-': ['The user name or the password is wrong.'] },
      });
    }
  });

  it('takes any user name and password without harm', async () => {
    for (const text of ['', '\u0000', "' or 1=1 --", 'x'.repeat(8_000), '__proto__']) {
      const answer = await t
        .client()
        .post('application/sessions', { username: text, password: text });
      expect([text.slice(0, 20), answer.status]).toEqual([text.slice(0, 20), 401]);
    }
    const half = { username: '\ud800', password: '\ud800' };
    for (const body of [{}, half, { username: 'clerk' }, { username: 1, password: PASSWORD }]) {
      expect((await t.client().post('application/sessions', body)).status).toBe(422);
    }
    const cookies = ['', 'x', '%zz', '"', 'x'.repeat(5000), '\u00ff'];
    for (const cookie of cookies) {
      const answer = await t.client().get('application/sessions', {
        headers: { cookie: `indexdesk_session=${cookie}; ;=; __proto__=1` },
      });
      expect([cookie.slice(0, 20), answer.status]).toEqual([cookie.slice(0, 20), 401]);
    }
  });

  it('takes as long for an unknown user as for a wrong password', { tags: ['slow'] }, async () => {
    const times = { unknown: [] as number[], wrong: [] as number[] };
    await withCostOfService(async () => {
      const passwordHash = await hashPassword(PASSWORD, '');
      await buildUser(t.database, { username: 'timed', passwordHash });
      for (let i = 0; i < 2; i++) {
        for (const [kind, name] of [
          ['unknown', `nobody-${i}`],
          ['wrong', 'timed'],
        ] as const) {
          const start = cpuTime();
          await t.client().signIn(name, 'not the password');
          times[kind].push(cpuTime() - start);
        }
      }
    });
    const [unknown, wrong] = [Math.min(...times.unknown), Math.min(...times.wrong)];
    // Without a hash to compare, the answer would come in a twentieth of the time.
    expect(unknown).toBeGreaterThan(wrong / 6);
  });

  it('refuses pages of other sites', async () => {
    const client = await t.signedIn('clerk');
    const path = `application/sessions/${crypto.randomUUID()}`;
    const status = async (headers: Record<string, string>, remoteAddress?: string) =>
      (
        await client.delete(path, undefined, {
          headers,
          ...(remoteAddress ? { remoteAddress } : {}),
        })
      ).status;
    const host = 'desk.example:8080';
    for (const headers of [
      { host, origin: 'http://desk.example:8080' },
      { host, origin: 'https://desk.example:8080' },
      { host, 'sec-fetch-site': 'same-origin' },
      { host, 'sec-fetch-site': 'none' },
      { host: 'desk.example', origin: 'https://desk.example' },
      { host: 'desk.example:443', origin: 'https://desk.example' },
    ]) {
      expect([headers, await status(headers)]).toEqual([headers, 404]);
    }
    for (const headers of [
      { host, origin: 'null' },
      { host, origin: '' },
      { host, origin: 'http://desk.example' },
      { host, origin: 'http://desk.example:8081' },
      { host, origin: 'http://www.desk.example:8080' },
      { host, origin: 'http://elsewhere.example' },
      { host, origin: 'http://desk.example:8080@elsewhere.example' },
      { host, origin: 'file://' },
      { host, origin: 'chrome-extension://desk.example:8080' },
      { host, 'sec-fetch-site': 'same-site' },
      { host, 'sec-fetch-site': 'cross-site' },
      { host, origin: 'http://desk.example:8080', 'sec-fetch-site': 'cross-site' },
    ]) {
      expect([headers, await status(headers)]).toEqual([headers, 403]);
    }
    // Over https the cookie has another name.
    client.cookies.set('__Host-indexdesk_session', client.cookies.get('indexdesk_session') ?? '');
    const secure = { host: 'desk.example', 'x-forwarded-proto': 'https' };
    expect(await status({ ...secure, origin: 'https://desk.example' }, '10.1.0.1')).toBe(404);
    expect(await status({ ...secure, origin: 'http://desk.example' }, '10.1.0.1')).toBe(403);
    const reading = { host, origin: 'http://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await client.get('application/sessions', { headers: reading })).status).toBe(200);
  });
});
