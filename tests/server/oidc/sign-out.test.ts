/** @module-tag slow */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { openApp, type TestApp, type TestClient, buildUser } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import {
  CLIENT_ID,
  PUBLIC_URL,
  settingsFor,
  signInByProvider,
  startProvider,
  type TestProvider,
} from '#tests/support/oidc-provider.ts';

const SIGN_OUT = 'application/oidc/sign-out';
const SESSIONS = 'application/sessions';

describeOnOneDatabase('signing out at the provider', (open) => {
  let t: TestApp;
  let provider: TestProvider;
  beforeAll(async () => {
    provider = await startProvider(PUBLIC_URL);
    provider.people.set('a-1', { preferred_username: 'anna' });
    t = await openApp(open, { oidc: settingsFor(provider) });
  });
  afterAll(() => provider.close());

  const sessionOf = async (client: TestClient) =>
    sessionsAnswer.parse((await client.get(SESSIONS)).body).sessions[0];
  /** Signs in and out. @returns the browser */
  const signedOut = async (app: TestApp, subject: string) => {
    const client = app.client();
    await signInByProvider(client, subject);
    await client.delete(SESSIONS);
    return client;
  };
  const locationOf = async (client: TestClient, headers?: Record<string, string>) => {
    const answer = await client.get(SIGN_OUT, headers && { headers });
    return [answer.status, answer.headers.location];
  };

  it('shows the provider whose session it was, once', async () => {
    const client = t.client();
    await signInByProvider(client, 'a-1');
    expect(await sessionOf(client)).toMatchObject({ username: 'anna', providerSignOut: true });
    // An address that somebody gives to a person who is signed in ends nothing.
    expect(await locationOf(client)).toEqual([302, PUBLIC_URL]);
    expect(await sessionOf(client)).toMatchObject({ username: 'anna' });
    await client.delete(SESSIONS);
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    expect(await locationOf(client, elsewhere)).toEqual([302, PUBLIC_URL]);

    const [status, location] = await locationOf(client);
    const { origin, pathname, searchParams } = new URL(String(location));
    expect([status, origin, pathname]).toEqual([302, provider.issuer, '/session/end']);
    const { id_token_hint: hint = '', ...rest } = Object.fromEntries(searchParams);
    expect(rest).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: `${PUBLIC_URL}/sign-in`,
    });
    expect(decodeJwt(hint)).toMatchObject({ sub: 'a-1', aud: CLIENT_ID });
    expect([...client.cookies.keys()]).toEqual([]);
    const [, again] = await locationOf(client);
    expect(new URL(String(again)).searchParams.has('id_token_hint')).toBe(false);
  });

  it('is for sessions that began there', async () => {
    await buildUser(t.database, { username: 'ben' });
    expect(await sessionOf(await t.signedIn('ben'))).not.toHaveProperty('providerSignOut');
  });

  it('keeps no ID token that is too large for a cookie', async () => {
    provider.people.set('g-1', {
      preferred_username: 'gina',
      groups: Array.from({ length: 200 }, (_, index) => `a group of the provider ${index}`),
    });
    const before = provider.alterIdToken;
    provider.alterIdToken = (claims) => ({ ...claims, ...provider.people.get('g-1') });
    const client = await signedOut(t, 'g-1');
    provider.alterIdToken = before;
    const [, location] = await locationOf(client);
    expect(new URL(String(location)).searchParams.get('client_id')).toBe(CLIENT_ID);
    expect(new URL(String(location)).searchParams.has('id_token_hint')).toBe(false);
  });

  it('can be turned off', async () => {
    const off = await openApp(open, { oidc: settingsFor(provider, { signOut: false }) });
    const client = off.client();
    await signInByProvider(client, 'a-1');
    expect(await sessionOf(client)).not.toHaveProperty('providerSignOut');
    await client.delete(SESSIONS);
    expect(await locationOf(client)).toEqual([302, `${PUBLIC_URL}/sign-in`]);
  });

  it('says that it is not complete while the provider is away', async () => {
    const later = await startProvider(PUBLIC_URL);
    later.people.set('a-1', { preferred_username: 'anton' });
    const away = await openApp(open, { oidc: settingsFor(later) });
    const client = await signedOut(away, 'a-1');
    await later.close();
    await expect
      .poll(async () => (await client.get(SIGN_OUT)).text)
      .toContain('You are signed out of Indexdesk. House account cannot be reached');
    const page = await client.get(SIGN_OUT);
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Signing out is not complete</h1>');
  });
});
