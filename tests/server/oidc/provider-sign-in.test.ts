import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linkIdentity } from '#server/modules/accounts/identities.service.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { configuredUserAnswer, identitiesAnswer } from '#shared/contract/configuration-people.ts';
import { createdFactorAnswer } from '#shared/contract/factors.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import { BUILDER } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import {
  returnFromProvider,
  PUBLIC_URL,
  settingsFor,
  signInByProvider,
  startProvider,
  type TestProvider,
} from '#tests/support/oidc-provider.ts';

const CALLBACK = 'GET application/oidc/callback';

describeOnOneDatabase('signing in with the provider', (open, { prepare }) => {
  let t: TestApp;
  let provider: TestProvider;
  let admin: TestClient;
  beforeAll(async () => {
    provider = await startProvider(PUBLIC_URL);
    const groupMap = new Map([
      ['/clerks', ['CLERKS']],
      ['/leads', ['clerks', 'LEADS', 'NO_SUCH_GROUP']],
    ]);
    t = await openApp(open, { oidc: settingsFor(provider, { groupMap }) });
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    admin = await t.signedIn('root');
    for (const name of ['CLERKS', 'LEADS', 'OTHERS']) {
      await admin.post('configuration/groups', { group: { name } });
    }
  });
  afterAll(() => provider.close());

  const userOf = async (username: string) =>
    configuredUserAnswer.parse((await admin.get(`configuration/users/${username}`)).body).users[0];
  const ownName = async (client: TestClient) =>
    sessionsAnswer.parse((await client.get('application/sessions')).body).sessions[0]?.username;
  const identityOf = (username: string) => `configuration/users/${username}/identity`;

  it('makes a person at the first sign-in, with groups, and sends the browser on', async () => {
    provider.people.set('a-1', {
      preferred_username: 'Anna',
      name: 'Anna Weiss',
      email: 'anna@example.com',
      groups: ['/leads', '/of no matter'],
    });
    const client = t.client();
    const back = await returnFromProvider(client, 'a-1', '/tables?sort=-no#top');
    // It is the provider's page that leads there.
    const done = await client.get(back, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect([done.status, done.text]).toEqual([302, '']);
    expect(done.headers.location).toBe(`${PUBLIC_URL}/tables?sort=-no#top`);
    expect(await ownName(client)).toBe('Anna');
    expect([...client.cookies.keys()].some((name) => name.includes('oidc'))).toBe(false);
    expect(await userOf('anna')).toMatchObject({
      username: 'Anna',
      displayName: 'Anna Weiss',
      email: 'anna@example.com',
      role: 'clerk',
      groups: ['CLERKS', 'LEADS'],
      signInBy: 'House account',
      lastSignInAt: expect.any(String),
    });
    // There is no password that opens the account.
    for (const password of ['', 'any password']) {
      expect((await t.client().signIn('anna', password)).status).toBe(401);
    }
  });

  it('sets the mapped groups again at each sign-in, and leaves others alone', async () => {
    provider.people.set('b-1', { preferred_username: 'ben', groups: ['/leads'] });
    await signInByProvider(t.client(), 'b-1');
    const groups = ['CLERKS', 'LEADS', 'OTHERS'];
    await admin.patch('configuration/users/ben', { user: { groups } });
    provider.people.set('b-1', { preferred_username: 'renamed', groups: '/clerks' });
    const client = t.client();
    await signInByProvider(client, 'b-1');
    // The subject counts, not the name.
    expect(await ownName(client)).toBe('ben');
    expect((await userOf('ben'))?.groups).toEqual(['CLERKS', 'OTHERS']);
  });

  it('does not link a user of the same name; an administrator does', async () => {
    await buildUser(t.database, { username: 'carla' });
    provider.people.set('c-1', { preferred_username: 'CARLA', groups: [] });
    const refused = await signInByProvider(t.client(), 'c-1');
    expect(refused.status).toBe(403);
    expect(refused.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(refused.text).toContain('There is already a user named carla');
    expect(refused.text).toContain('ask an administrator to link');
    expect(await userOf('carla')).toMatchObject({ signInBy: 'password' });

    const found = identitiesAnswer.parse((await admin.get(identityOf('carla'))).body).identities;
    const identity = {
      issuer: provider.issuer,
      subject: 'c-1',
      provider: 'House account',
      username: 'CARLA',
      seenAt: expect.any(String),
      isLinked: false,
    };
    expect(found).toEqual([identity]);
    const clerk = await t.signedIn('carla');
    expect((await clerk.get(identityOf('carla'))).status).toBe(403);
    const linked = await admin.put(identityOf('carla'), { identity: { subject: 'c-1' } });
    expect(linked.status).toBe(200);
    expect(linked.body).toEqual({ identities: [{ ...identity, isLinked: true }] });
    const taken = await admin.put(identityOf('root'), { identity: { subject: 'c-1' } });
    expect(taken.status).toBe(409);
    const second = await admin.put(identityOf('carla'), { identity: { subject: 'c-2' } });
    expect(second.status).toBe(409);

    const client = t.client();
    expect((await signInByProvider(client, 'c-1')).status).toBe(302);
    const [session] = sessionsAnswer.parse(
      (await client.get('application/sessions')).body,
    ).sessions;
    expect(session).toMatchObject({ username: 'carla' });
    expect(await userOf('carla')).toMatchObject({ signInBy: 'House account' });

    await expect
      .poll(async () => {
        const answer = await admin.get('configuration/audit?user=carla&kind=refused');
        return auditAnswer.parse(answer.body).entries.filter(({ call }) => call === CALLBACK);
      })
      .toMatchObject([
        {
          user: 'carla',
          changes: expect.arrayContaining([
            { name: 'reason', before: null, after: 'oidc.usernameTaken' },
            { name: 'attempts', before: null, after: 1 },
          ]),
        },
      ]);
    const signIns = await admin.get('configuration/audit?user=carla&kind=sign-in');
    expect(auditAnswer.parse(signIns.body).entries[0]).toMatchObject({ call: CALLBACK });
    const access = await admin.get('configuration/audit?kind=access&field=identity');
    expect(auditAnswer.parse(access.body).entries[0]?.changes).toEqual([
      { name: 'identity', before: null, after: { issuer: provider.issuer, subject: 'c-1' } },
    ]);

    // The sessions of the provider end with the link, others do not.
    expect((await admin.delete(identityOf('carla'))).status).toBe(204);
    expect((await admin.delete(identityOf('carla'))).status).toBe(404);
    expect((await client.get('application/sessions')).status).toBe(401);
    expect((await clerk.get('application/sessions')).status).toBe(200);
    expect((await signInByProvider(t.client(), 'c-1')).status).toBe(403);
  });

  it('refuses who is disabled or deleted, and asks nobody for a generated password', async () => {
    provider.people.set('d-1', { preferred_username: 'dora', groups: [] });
    const client = t.client();
    await signInByProvider(client, 'd-1');
    await admin.post('configuration/users/dora/password', {});
    await signInByProvider(client, 'd-1');
    expect((await client.get('application/sessions/all')).status).toBe(200);

    await admin.patch('configuration/users/dora', { user: { active: false } });
    expect((await client.get('application/sessions')).status).toBe(401);
    const disabled = await signInByProvider(t.client(), 'd-1');
    expect([disabled.status, disabled.text]).toEqual([403, expect.stringContaining('is disabled')]);

    await admin.delete('configuration/users/dora');
    const deleted = await signInByProvider(t.client(), 'd-1');
    expect([deleted.status, deleted.text]).toEqual([403, expect.stringContaining('was deleted')]);
  });

  it('accepts a code and a state once, in the browser that has begun', async () => {
    provider.people.set('e-1', { preferred_username: 'emil', groups: [] });
    const client = t.client();
    const address = await returnFromProvider(client, 'e-1');
    const cookies = new Map(client.cookies);
    const other = await t.client().get(address);
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('another browser')]);
    expect((await client.get(address)).status).toBe(302);
    for (const [name, value] of cookies) client.cookies.set(name, value);
    const again = await client.get(address);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('has been used')]);
    // What is refused does not end the session.
    expect(await ownName(client)).toBe('emil');
  });

  it('leaves second factors to the provider', async () => {
    const strict = await openApp(open, {
      oidc: settingsFor(provider),
      secondFactor: 'required',
    });
    await buildUser(strict.database, { username: 'root', role: 'administrator' });
    const frank = await buildUser(strict.database, { username: 'frank' });
    const factors = 'application/users/frank/factors';
    const local = await strict.signedIn('frank');
    expect((await local.get('application/users')).body).toMatchObject({
      code: 'second_factor_enrolment_required',
    });
    const begun = await local.post(factors, { factor: { kind: 'totp' } });
    const { challenge = '', secret = '' } = createdFactorAnswer.parse(begun.body).enrolment ?? {};
    const totp = new TOTP({ secret }).generate();
    const done = await local.post(factors, { factor: { kind: 'totp', challenge, totp } });
    expect(done.body).toMatchObject({ required: true, provider: null });
    const identity = { issuer: provider.issuer, subject: 'f-1', provider: 'House account' };
    await strict.database.write((db) => linkIdentity(db, frank, identity, BUILDER));

    provider.people.set('f-1', { preferred_username: 'frank', groups: [] });
    const client = strict.client();
    await signInByProvider(client, 'f-1');
    expect((await client.get('application/users')).status).toBe(200);
    expect((await client.get(factors)).body).toMatchObject({
      required: false,
      provider: 'House account',
      confirmedUntil: null,
    });
    // The provider's sign-in proves neither a password nor a factor of this service.
    expect((await client.delete(factors)).body).toMatchObject({ code: 'confirmation_required' });
    const confirmed = await client.post('application/sessions/confirmations', {
      password: PASSWORD,
    });
    expect(confirmed.status).toBe(204);
    const refused = await client.post(factors, { factor: { kind: 'passkey' } });
    expect(refused).toMatchObject({
      status: 403,
      body: { errors: { '-': [expect.stringContaining('signed in with House account')] } },
    });
    expect((await client.delete(factors)).status).toBe(204);
    // Without the factor of this service the provider's session goes on, and the other one does not.
    expect((await client.get('application/users')).status).toBe(200);
    expect((await local.get('application/users')).status).toBe(403);
  });

  it('is verified with the history', async () => {
    const lines: string[] = [];
    const report = {
      progress: () => undefined,
      info: () => undefined,
      fail: (line: string) => void lines.push(line),
    };
    const options = { contents: true, deep: false, since: null };
    const files = openFileStore(t.config);
    const config = await prepare();
    await verifyInstallation(t.database, config, files, options, report);
    expect(lines).toEqual([]);
  });
});
