/** @module-tag slow */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import type { JWTPayload } from 'jose';
import { buildUser, openApp, type TestApp } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import {
  CLIENT_ID,
  returnFromProvider,
  GROUPS_CLAIM,
  PUBLIC_URL,
  settingsFor,
  signInByProvider,
  startProvider,
  type TestProvider,
} from '#tests/support/oidc-provider.ts';

const START = 'application/oidc/start';
const LOGOUT = 'application/oidc/backchannel-logout';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const HOUR = 3600;
const FORM = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };

describeOnOneDatabase('what a provider does wrong', (open) => {
  let t: TestApp;
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await startProvider(PUBLIC_URL);
    provider.people.set('a-1', { preferred_username: 'anna', [GROUPS_CLAIM]: [] });
    const groupMap = new Map([['clerks', ['CLERKS']]]);
    t = await openApp(open, { oidc: settingsFor(provider, { groupMap }) });
    await signInByProvider(t.client(), 'a-1');
  });
  afterEach(() => {
    provider.alterIdToken = null;
    provider.isForging = false;
  });
  afterAll(() => provider.close());

  const shifted = (seconds: number) => (claims: JWTPayload) => ({
    ...claims,
    iat: (claims.iat ?? 0) + seconds,
    exp: (claims.exp ?? 0) + seconds,
  });

  it.each<[string, string, (claims: JWTPayload) => JWTPayload]>([
    ['another issuer', 'is not valid', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['another client', 'is not valid', (claims) => ({ ...claims, aud: 'somebody else' })],
    ['another nonce', 'is not valid', (claims) => ({ ...claims, nonce: 'another' })],
    ['a clock hours behind', 'clock', shifted(-3 * HOUR)],
    ['a clock hours ahead', 'clock', (claims) => ({ ...claims, nbf: (claims.iat ?? 0) + HOUR })],
  ])('%s in the ID token is refused by a page', async (_name, text, alter) => {
    provider.alterIdToken = alter;
    const client = t.client();
    const refused = await signInByProvider(client, 'a-1');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(text)]);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused.headers['content-security-policy']).toContain("default-src 'none'");
    expect((await client.get('application/sessions')).status).toBe(401);
  });

  it('a signature of another key is refused, and clocks may differ a little', async () => {
    provider.isForging = true;
    const refused = await signInByProvider(t.client(), 'a-1');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('is not valid')]);
    provider.isForging = false;
    provider.alterIdToken = (claims) => ({ ...shifted(20)(claims), nbf: (claims.iat ?? 0) + 20 });
    expect((await signInByProvider(t.client(), 'a-1')).status).toBe(302);
  });

  it('a sign-in that is not as strong as the settings demand is refused', async () => {
    const requiredClaims = new Map([
      ['acr', ['mfa', 'phishing-resistant']],
      ['amr', ['otp', 'hwk']],
    ]);
    const strict = await openApp(open, { oidc: settingsFor(provider, { requiredClaims }) });
    const started = await strict.client().get(START);
    const { searchParams } = new URL(String(started.headers.location));
    expect(searchParams.get('acr_values')).toBe('mfa phishing-resistant');
    const signInWith = async (strength: object) => {
      provider.alterIdToken = (claims) => ({ ...claims, acr: undefined, ...strength });
      const { status, text } = await signInByProvider(strict.client(), 'a-1');
      return [status, /\((\w+)\), such as/.exec(text)?.[1]];
    };
    expect(await signInWith({})).toEqual([403, 'acr']);
    expect(await signInWith({ acr: '1', amr: ['otp'] })).toEqual([403, 'acr']);
    expect(await signInWith({ acr: 'mfa', amr: ['pwd'] })).toEqual([403, 'amr']);
    expect(await signInWith({ acr: 'mfa', amr: ['pwd', 'otp'] })).toEqual([302, undefined]);
    // What the provider tells beside the token is not signed.
    provider.people.set('s-1', { preferred_username: 'sven', acr: 'mfa', amr: ['otp'] });
    provider.alterIdToken = null;
    expect((await signInByProvider(strict.client(), 's-1')).status).toBe(403);
  });

  it.each<[string, string, object]>([
    ['groups that are left out', 'did not send all of your groups', { groups: undefined }],
    ['groups that are elsewhere', 'all of your groups', { _claim_names: { groups: 'src1' } }],
    ['the mark of too many groups', 'all of your groups', { hasgroups: true }],
    ['a missing name', 'did not send preferred_username', { preferred_username: undefined }],
  ])('%s: nobody is signed in', async (_name, text, claims) => {
    provider.people.set('g-1', { preferred_username: 'gina', groups: ['clerks'], ...claims });
    const refused = await signInByProvider(t.client(), 'g-1');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining(text)]);
  });

  it.each<[string, number, string, (url: URL) => void]>([
    ['another issuer', 403, 'is not valid', (url) => url.searchParams.set('iss', 'https://evil')],
    ['another code', 400, 'used already', (url) => url.searchParams.set('code', 'another')],
    ['no state', 400, 'another browser', (url) => url.searchParams.delete('state')],
    [
      'an error',
      403,
      'has refused to sign you in (access_denied&lt;b&gt;)',
      (url) => {
        url.searchParams.delete('code');
        url.searchParams.set('error', 'access_denied<b>');
      },
    ],
  ])('%s in the address of the callback is refused', async (_name, status, text, change) => {
    const client = t.client();
    const url = new URL(await returnFromProvider(client, 'a-1'), PUBLIC_URL);
    change(url);
    const refused = await client.get(url.pathname + url.search);
    expect([refused.status, refused.text]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each(['//evil.example/x', '/\\evil.example', 'https://evil.example', '/\t/evil.example'])(
    'does not lead to another site by %j',
    async (next) => {
      const done = await signInByProvider(t.client(), 'a-1', next);
      expect(done.headers.location).toBe(`${PUBLIC_URL}/`);
    },
  );

  it('another site begins no sign-in', async () => {
    const start = async (site: string) => {
      const headers = { 'sec-fetch-site': site };
      const { status, headers: answered } = await t
        .client({ headers })
        .get(`${START}?next=${encodeURIComponent('/tables?q=1')}`);
      return [status, String(answered.location), answered['set-cookie']];
    };
    for (const site of ['cross-site', 'same-site']) {
      expect(await start(site)).toEqual([302, `${PUBLIC_URL}/tables?q=1`, undefined]);
    }
    for (const site of ['same-origin', 'none']) {
      const [status, location] = await start(site);
      expect([site, status, location]).toEqual([
        site,
        302,
        expect.stringContaining(provider.issuer),
      ]);
    }
  });

  it('metadata of another issuer are refused', async () => {
    const issuer = provider.issuer.replace('127.0.0.1', 'localhost');
    const elsewhere = await openApp(open, { oidc: settingsFor({ issuer }) });
    const refused = await elsewhere.client().get(START);
    expect([refused.status, refused.headers.location]).toEqual([403, undefined]);
  });

  it('makes nobody where that is turned off', async () => {
    const off = await openApp(open, { oidc: settingsFor(provider, { createUsers: false }) });
    const refused = await signInByProvider(off.client(), 'a-1');
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining('There is no user anna here'),
    ]);
  });

  it('without a provider says so', async () => {
    const none = await openApp(open);
    const client = none.client();
    for (const path of [START, 'application/oidc/callback?state=x']) {
      const answer = await client.get(path);
      expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('is not set up')]);
      expect((await client.send('HEAD', path)).status).toBe(401);
    }
    expect((await client.post(LOGOUT, 'logout_token=x', FORM)).status).toBe(404);
  });

  it('works as soon as the provider can be reached', async () => {
    const later = await startProvider(PUBLIC_URL);
    await later.close();
    const away = await openApp(open, { oidc: settingsFor(later) });
    const client = away.client();
    const refused = await client.get(START);
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('House account cannot be reached at the moment'),
    ]);
    expect(refused.headers['retry-after']).toBe('2');
    const again = await startProvider(PUBLIC_URL, Number(new URL(later.issuer).port));
    again.people.set('a-1', { preferred_username: 'anna' });
    await expect.poll(async () => (await client.get(START)).status).toBe(302);
    const address = await returnFromProvider(client, 'a-1');
    await again.close();
    const callback = await client.get(address);
    expect([callback.status, callback.text]).toEqual([
      503,
      expect.stringContaining('cannot be reached'),
    ]);
  });

  it('ends sessions by valid logout tokens alone', async () => {
    const [one, two, byPassword] = [t.client(), t.client(), t.client()];
    const sids: unknown[] = [];
    provider.alterIdToken = (claims) => {
      sids.push(claims['sid']);
      return claims;
    };
    for (const client of [one, two]) await signInByProvider(client, 'a-1');
    await buildUser(t.database, { username: 'peter' });
    await byPassword.signIn('peter');
    const statuses = () =>
      Promise.all(
        [one, two, byPassword].map(
          async (client) => (await client.get('application/sessions')).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);

    const now = Math.floor(Date.now() / 1000);
    const token = (id: string, differences: object = {}) => ({
      iss: provider.issuer,
      aud: CLIENT_ID,
      iat: now,
      exp: now + 120,
      jti: id,
      sid: String(sids[0]),
      events: { [EVENT]: {} },
      ...differences,
    });
    const send = (logoutToken: string) =>
      t.client().post(LOGOUT, String(new URLSearchParams({ logout_token: logoutToken })), FORM);
    const wrong = {
      issuer: { iss: 'https://evil.example' },
      audience: { aud: 'somebody else' },
      nonce: { nonce: 'any' },
      events: { events: {} },
      noEvents: { events: undefined },
      nobody: { sid: undefined },
      noId: { jti: undefined },
      noTime: { iat: undefined },
      old: { iat: now - 2 * HOUR, exp: undefined },
      expired: { exp: now - HOUR },
    };
    for (const [name, differences] of Object.entries(wrong)) {
      const answer = await send(await provider.sign(token(name, differences)));
      expect([name, answer.status]).toEqual([name, 400]);
    }
    expect((await send(await provider.sign(token('forged'), { isForged: true }))).status).toBe(400);
    for (const typ of ['at+jwt', 'JWT']) {
      expect([typ, (await send(await provider.sign(token(typ), { typ }))).status]).toEqual([
        typ,
        400,
      ]);
    }
    const [, payload = ''] = (await provider.sign(token('algorithm'))).split('.');
    for (const header of [{ alg: 'none' }, { alg: 'HS256', typ: 'logout+jwt' }]) {
      const signed = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}`;
      const mac = createHmac('sha256', provider.clientSecret).update(signed).digest('base64url');
      const signature = header.alg === 'none' ? '' : mac;
      expect([header, (await send(`${signed}.${signature}`)).status]).toEqual([header, 400]);
    }
    expect((await send('no token')).status).toBe(400);
    expect((await t.client().post(LOGOUT, 'x=1', FORM)).status).toBe(400);
    expect((await t.client().post(LOGOUT, { logout_token: 'x' })).status).toBe(415);
    expect(await statuses()).toEqual([200, 200, 200]);

    // One session at the provider; the person signed in twice.
    expect(sids[0]).not.toBe(sids[1]);
    const first = await provider.sign(token('first'), { typ: 'logout+jwt' });
    expect((await send(first)).text).toBe('');
    expect(await statuses()).toEqual([401, 200, 200]);
    expect((await send(first)).status).toBe(400);
    // All of a person, where the token names no session. Some providers send no type.
    const all = await provider.sign(token('all', { sid: undefined, sub: 'a-1' }));
    expect((await send(all)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 200]);
  });

  it('takes no logout token without a type where the settings say so', async () => {
    const strict = await openApp(open, { oidc: settingsFor(provider, { typedLogout: true }) });
    const client = strict.client();
    await signInByProvider(client, 'a-1');
    const now = Math.floor(Date.now() / 1000);
    const send = async (jti: string, typ?: string) => {
      const claims = {
        iss: provider.issuer,
        aud: CLIENT_ID,
        iat: now,
        exp: now + 120,
        jti,
        sub: 'a-1',
      };
      const token = await provider.sign(
        { ...claims, events: { [EVENT]: {} } },
        typ === undefined ? {} : { typ },
      );
      const body = String(new URLSearchParams({ logout_token: token }));
      return (await strict.client().post(LOGOUT, body, FORM)).status;
    };
    expect(await send('untyped')).toBe(400);
    expect((await client.get('application/sessions')).status).toBe(200);
    expect(await send('typed', 'logout+jwt')).toBe(200);
    expect((await client.get('application/sessions')).status).toBe(401);
  });

  it('ends sessions where the person signs out at the provider', async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    const own = await startProvider(publicUrl);
    onTestFinished(() => own.close());
    own.people.set('a-1', { preferred_username: 'anna' });
    const served = await openApp(open, { oidc: settingsFor(own, { publicUrl }) });
    await served.app.listen({ port, host: '127.0.0.1' });
    const client = served.client();
    await signInByProvider(client, 'a-1');
    expect((await client.get('application/sessions')).status).toBe(200);
    await own.signOut('a-1');
    expect((await client.get('application/sessions')).status).toBe(401);
  });
});
