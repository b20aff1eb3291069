/** @module-tag slow */
import { beforeAll, expect, it, vi } from 'vitest';
import { sweepSessions } from '#server/modules/accounts/session-ends.service.ts';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const HOUR = 60 * 60_000;
const WRONG = 'not the password';
const BROWSER = { 'sec-fetch-site': 'same-origin' };

describeOnOneDatabase('failed sign-ins', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await openApp(open);
    for (const username of ['anna', 'berta', 'clara', 'dora', 'emma', 'frieda']) {
      await buildUser(t.database, { username });
    }
  });

  let addresses = 0;
  /** A network that nobody has used yet. */
  const elsewhere = () => ({ remoteAddress: `203.0.113.${++addresses}` });

  async function fail(username: string, times: number, options: { remoteAddress: string }) {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) {
      statuses.push((await t.client(options).signIn(username, WRONG)).status);
    }
    return statuses;
  }

  /** Lets all counters look as if they were written this much earlier. */
  async function pass(milliseconds: number): Promise<void> {
    await t.database.write(async (db) => {
      await db.k
        .updateTable('sign_in_failures')
        .set((eb) => ({ last_at: eb('last_at', '-', milliseconds) }))
        .execute();
    });
  }

  /** Sends requests of which none comes when the wait of another is over, however slow the machine is. */
  async function atOneMoment<T>(send: () => Promise<T>): Promise<T> {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      return await send();
    } finally {
      vi.useRealTimers();
    }
  }

  it('waits after five, longer each time, at most a minute', async () => {
    const here = elsewhere();
    expect(await fail('anna', 5, here)).toEqual([401, 401, 401, 401, 401]);
    const refused = await t.client(here).signIn('anna');
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(refused.headers['retry-after']).toBe('1');
    const waits: (string | undefined)[] = [];
    for (let i = 0; i < 8; i++) {
      await pass(60_000);
      await fail('anna', 1, here);
      const next = await t.client(here).signIn('anna');
      waits.push(next.headers['retry-after']?.toString());
    }
    expect(waits).toEqual(['2', '4', '8', '16', '32', '60', '60', '60']);
    await pass(60_000);
    expect((await t.client(here).signIn('anna')).status).toBe(201);
    expect(await fail('anna', 5, here)).toEqual([401, 401, 401, 401, 401]);
  });

  it('counts guesses that are sent at the same time', async () => {
    const here = elsewhere();
    const answers = await atOneMoment(() =>
      Promise.all(Array.from({ length: 20 }, () => t.client(here).signIn('berta', WRONG))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  it('lets everyone in who signs in at the same time with the right password', async () => {
    const here = elsewhere();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => t.client(here).signIn('berta')),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  });

  it('keeps nobody out who comes from another address', async () => {
    await fail('clara', 8, elsewhere());
    expect((await t.client(elsewhere()).signIn('clara')).status).toBe(201);
  });

  it('keeps nobody out of another account, however often an address failed', async () => {
    const here = elsewhere();
    for (let i = 0; i < 40; i++) await fail(`nobody-${i}`, 1, here);
    const more = await t.client(here).signIn('nobody-else', WRONG);
    expect(more.status).toBe(429);
    expect(Number(more.headers['retry-after'])).toBeGreaterThan(0);
    expect((await t.client(here).signIn('dora')).status).toBe(201);
    expect((await fail('frieda', 2, here)).slice(1)).toEqual([429]);
    await pass(60 * 60_000);
    expect(await fail('frieda', 5, here)).toEqual([401, 401, 401, 401, 401]);
  });

  it('counts the browsers of a user on their own', async () => {
    const here = elsewhere();
    const browser = t.client({ ...here, headers: BROWSER });
    const first = await browser.signIn('emma');
    expect(first.headers['set-cookie']?.[1]).toMatch(
      /^indexdesk_device_\d+=[\w-]{43}; Max-Age=31536000; Path=\/api\/rest\/v2\/application\/sessions; HttpOnly; SameSite=Lax$/,
    );
    browser.cookies.delete('indexdesk_session');
    await fail('emma', 8, here);
    expect((await t.client(here).signIn('emma')).status).toBe(429);
    const again = await browser.signIn('emma');
    expect(again.status).toBe(201);
    // It is known already and gets no other cookie.
    expect(again.headers['set-cookie']).toEqual(expect.stringMatching(/^indexdesk_session=/));
    // Its own failures count, and the cookie is worth nothing for another account.
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await browser.signIn('emma', WRONG)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await browser.signIn('anna')).status).toBe(201);
  });

  it('gives programs the session cookie alone', async () => {
    const answer = await t.client(elsewhere()).signIn('dora');
    expect(answer.headers['set-cookie']).toEqual(expect.any(String));
  });

  it('stores no name and no address that was typed', async () => {
    const here = elsewhere();
    await fail('my-secret-password', 1, here);
    const rows = await t.database.read((db) =>
      db.k.selectFrom('sign_in_failures').selectAll().execute(),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/my-secret|203\.0/);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    for (let i = 1; i <= 5; i++) {
      await fail('dora', 1, { remoteAddress: `2001:db8:1:2::${i}` });
    }
    const next = await t.client({ remoteAddress: '2001:db8:1:2:ffff::9' }).signIn('dora');
    expect(next.status).toBe(429);
    const other = await t.client({ remoteAddress: '2001:db8:1:3::1' }).signIn('dora');
    expect(other.status).toBe(201);
  });

  it('counts guesses sent at the same time from many addresses of one IPv6 network', async () => {
    const answers = await atOneMoment(() =>
      Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          t.client({ remoteAddress: `2001:db8:7:7::${i + 1}` }).signIn('clara', WRONG),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  it('lets a colleague in while somebody guesses from the same, suspect address', async () => {
    const here = elsewhere();
    for (let i = 0; i < 31; i++) await fail(`noone-${i}`, 1, here);
    const guesses = Array.from({ length: 6 }, (_, i) =>
      t.client(here).signIn(`somebody-${i}`, WRONG),
    );
    const colleague = await t.client(here).signIn('dora');
    expect(colleague.status).toBe(201);
    expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(
      Array.from({ length: 6 }, () => 429),
    );
  });

  it('forgives an address one failure in half a minute, however the failures are spread', async () => {
    const here = elsewhere();
    // Every 20 seconds one fails: of the 40, two in three are left, below the limit.
    for (let i = 0; i < 40; i++) {
      await fail(`spread-${i}`, 1, here);
      await pass(20_000);
    }
    expect(await fail('spread-40', 2, here)).toEqual([401, 401]);
  });

  it('counts guesses at the current password, sent at the same time', async () => {
    const client = t.client(elsewhere());
    await client.signIn('frieda');
    const change = { current: WRONG, password: 'another good horse' };
    const answers = await atOneMoment(() =>
      Promise.all(
        Array.from({ length: 12 }, () => client.put('application/users/frieda/password', change)),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 422)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  });

  it('forgets old failures, also where no session is over', async () => {
    await fail('nobody-at-all', 1, elsewhere());
    const count = () =>
      t.database.read(
        async (db) => (await db.k.selectFrom('sign_in_failures').select('key').execute()).length,
      );
    await sweepSessions(t.database);
    expect(await count()).toBeGreaterThan(0);
    await pass(HOUR + 1000);
    await sweepSessions(t.database);
    expect(await count()).toBe(0);
  });

  it('heeds X-Forwarded-For of trusted proxies alone, without ports', async () => {
    const forwarded = (value: string) => ({ headers: { 'x-forwarded-for': value } });
    const proxied = await openApp(open, { trustedProxies: ['127.0.0.1'] });
    await buildUser(proxied.database);
    const guess = async (app: TestApp, remoteAddress: string, value: string) =>
      (await app.client({ ...forwarded(value), remoteAddress }).signIn('clerk', WRONG)).status;
    const told = (app: TestApp, remoteAddress: string, values: string[]) =>
      values.reduce<Promise<number[]>>(
        async (before, value) => [...(await before), await guess(app, remoteAddress, value)],
        Promise.resolve([]),
      );
    const six = [1, 2, 3, 4, 5, 6];
    const counted = [401, 401, 401, 401, 401, 429];
    const free = [401, 401, 401, 401, 401, 401];
    // By a trusted proxy: by the address it names, whatever the client wrote before it, whatever the port.
    expect(
      await told(
        proxied,
        '127.0.0.1',
        six.map((i) => `198.51.100.${i}`),
      ),
    ).toEqual(free);
    expect(
      await told(
        proxied,
        '127.0.0.1',
        six.map((i) => `10.9.8.${i}, 192.0.2.1`),
      ),
    ).toEqual(counted);
    expect(
      await told(
        proxied,
        '127.0.0.1',
        six.map((i) => `192.0.2.2:${4000 + i}`),
      ),
    ).toEqual(counted);
    expect(
      await told(
        proxied,
        '127.0.0.1',
        six.map((i) => `[2001:db8:9::${i}]:80`),
      ),
    ).toEqual(counted);
    // By anybody else: not at all.
    expect(
      await told(
        proxied,
        '192.0.2.77',
        six.map((i) => `198.51.100.${i}`),
      ),
    ).toEqual(counted);
  });
});
