/** @module-tag slow */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setPassword } from '#server/modules/accounts/users.service.ts';
import { hashPassword } from '#server/modules/passwords/passwords.service.ts';
import { VerificationFindings } from '#server/modules/verification/verification-findings.ts';
import { checkSubjects } from '#server/modules/verification/subjects-check.ts';
import { addTotp } from '#server/modules/factors/factors.service.ts';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import {
  createdFactorAnswer,
  factorsAnswer,
  passkeyChallengeAnswer,
} from '#shared/contract/factors.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { BUILDER } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const SESSIONS = 'application/sessions';
const CHALLENGES = 'application/sessions/challenges';
const CONFIRMATIONS = 'application/sessions/confirmations';
const STEP = 30_000;
const MINUTE = 60_000;
/** Fastify's `inject` sends to localhost. */
const SITE = { rpId: 'localhost', origin: 'http://localhost' };

const factorsOf = (username: string) => `application/users/${username}/factors`;

describeOnOneDatabase('a second factor', (open) => {
  let t: TestApp;
  let root: TestClient;

  beforeAll(async () => {
    // Codes depend on the time alone.
    vi.useFakeTimers({ toFake: ['Date'] });
    t = await openApp(open);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    root = await t.signedIn('root');
  });
  afterAll(() => void vi.useRealTimers());

  const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
  const codeOf = (secret: string) => new TOTP({ secret }).generate();

  /** The second step that a right password asks for. */
  async function firstStep(client: TestClient, username: string, password = PASSWORD) {
    const answer = await client.signIn(username, password);
    expect(answer.status).toBe(401);
    const { code, factors, challenge = '', publicKey } = errorBodySchema.parse(answer.body);
    expect(code).toBe('second_factor_required');
    return { factors, challenge, publicKey };
  }

  async function enrolTotp(client: TestClient, username: string) {
    const path = factorsOf(username);
    const begun = await client.post(path, { factor: { kind: 'totp' } });
    const { enrolment } = createdFactorAnswer.parse(begun.body);
    const { challenge = '', secret = '', uri = '' } = enrolment ?? {};
    const factor = { kind: 'totp', name: 'My phone', challenge, totp: codeOf(secret) };
    const done = await client.post(path, { factor });
    expect(done.status).toBe(201);
    const { recoveryCodes = [] } = createdFactorAnswer.parse(done.body);
    // The code that set it up is used.
    pass(STEP);
    return { secret, uri, factor, recoveryCodes };
  }

  async function enrolPasskey(client: TestClient, username: string) {
    const path = factorsOf(username);
    const begun = await client.post(path, { factor: { kind: 'passkey' } });
    const { enrolment } = createdFactorAnswer.parse(begun.body);
    const { challenge = '', publicKey } = enrolment ?? {};
    expect(publicKey).toMatchObject({
      challenge,
      rp: { id: 'localhost', name: 'Indexdesk' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const authenticator = new Authenticator();
    const attestation = authenticator.create({ ...SITE, challenge });
    const done = await client.post(path, {
      factor: { kind: 'passkey', name: 'Laptop', challenge, attestation },
    });
    expect(done.status).toBe(201);
    return { authenticator, answer: createdFactorAnswer.parse(done.body) };
  }

  /** Waits as long as a client is asked to. */
  async function retryLater(send: () => ReturnType<TestClient['post']>) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    pass(Number(answer.headers['retry-after']) * 1000);
    return send();
  }

  it('of an authenticator app is asked for after the password, and takes each code once', async () => {
    await buildUser(t.database, { username: 'anna' });
    const anna = await t.signedIn('anna');
    const { secret, uri, recoveryCodes, factor } = await enrolTotp(anna, 'anna');
    expect(uri).toMatch(/^otpauth:\/\/totp\/Indexdesk:anna\?issuer=Indexdesk&secret=/);
    expect(recoveryCodes).toHaveLength(10);
    // The secret is never given again, nor is the enrolment.
    const own = await anna.get(factorsOf('anna'));
    expect(own.text).not.toContain(secret);
    expect(factorsAnswer.parse(own.body)).toMatchObject({
      factors: [{ kind: 'totp', name: 'My phone', lastUsedAt: null }],
      recoveryCodesLeft: 10,
      required: false,
    });
    const again = await anna.post(factorsOf('anna'), { factor });
    expect(again).toMatchObject({
      status: 401,
      body: { errors: { challenge: [expect.any(String)] } },
    });
    expect((await anna.post(factorsOf('anna'), { factor: { kind: 'totp' } })).status).toBe(409);

    const client = t.client();
    const { factors, challenge, publicKey } = await firstStep(client, 'anna');
    expect(factors).toEqual(['totp']);
    expect(publicKey).toBeUndefined();
    expect((await client.get(SESSIONS)).status).toBe(401);
    const totp = codeOf(secret);
    const wrong = await client.post(SESSIONS, { challenge, totp: '000000' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
    const signedIn = await client.post(SESSIONS, { challenge, totp });
    expect(signedIn).toMatchObject({ status: 201, body: { sessions: [{ username: 'anna' }] } });
    expect((await client.get(SESSIONS)).status).toBe(200);

    // Neither the challenge nor the code opens another session.
    pass(STEP);
    const replayed = await t.client().post(SESSIONS, { challenge, totp: codeOf(secret) });
    expect(replayed).toMatchObject({
      status: 401,
      body: { errors: { challenge: [expect.any(String)] } },
    });
    const next = await firstStep(t.client(), 'anna');
    const used = await t.client().post(SESSIONS, { challenge: next.challenge, totp });
    expect(used).toMatchObject({ status: 401, body: { errors: { totp: [expect.any(String)] } } });
  });

  it('has ten recovery codes, each of which signs in once', async () => {
    await buildUser(t.database, { username: 'berta' });
    const berta = await t.signedIn('berta');
    const { recoveryCodes } = await enrolTotp(berta, 'berta');
    const stored = await t.database.read((db) =>
      db.k.selectFrom('recovery_codes').selectAll().execute(),
    );
    const [first = '', second = ''] = recoveryCodes;
    expect(JSON.stringify(stored)).not.toContain(first.replace('-', ''));
    const send = async (code: string) => {
      const { challenge } = await firstStep(t.client(), 'berta');
      return (await t.client().post(SESSIONS, { challenge, totp: code })).status;
    };
    // As people write them down.
    expect(await send(` ${first.toLowerCase().replace('-', ' ')}`)).toBe(201);
    expect(await send(first)).toBe(401);
    expect(await send(second)).toBe(201);
    const left = async () =>
      factorsAnswer.parse((await berta.get(factorsOf('berta'))).body).recoveryCodesLeft;
    expect(await left()).toBe(8);
    const others = await berta.post(factorsOf('berta'), { factor: { kind: 'recoveryCodes' } });
    const { recoveryCodes: [other = ''] = [] } = createdFactorAnswer.parse(others.body);
    expect(await left()).toBe(10);
    expect(await send(recoveryCodes[2] ?? '')).toBe(401);
    expect(await send(other)).toBe(201);
  });

  it('may be a passkey, which also signs in alone', { tags: ['slow'] }, async () => {
    await buildUser(t.database, { username: 'clara' });
    const clara = await t.signedIn('clara');
    const { authenticator, answer } = await enrolPasskey(clara, 'clara');
    expect(answer.recoveryCodes).toHaveLength(10);
    expect(answer.factors).toMatchObject([{ kind: 'passkey', name: 'Laptop' }]);

    const { factors, challenge, publicKey } = await firstStep(t.client(), 'clara');
    expect(factors).toEqual(['passkey']);
    expect(publicKey).toMatchObject({ challenge, allowCredentials: [{ id: authenticator.id }] });
    const assertion = authenticator.get({ ...SITE, challenge });
    const second = { challenge, assertion };
    expect((await t.client().post(SESSIONS, second)).status).toBe(201);
    expect((await t.client().post(SESSIONS, second)).status).toBe(401);

    const alone = async (options: object = {}, by = authenticator) => {
      const begun = passkeyChallengeAnswer.parse((await t.client().post(CHALLENGES)).body);
      expect(begun.publicKey).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
      const signed = by.get({ ...SITE, challenge: begun.challenge, ...options });
      const body = { challenge: begun.challenge, assertion: signed };
      return { body, answer: await t.client().post(SESSIONS, body) };
    };
    const { body, answer: signedIn } = await alone();
    expect(signedIn).toMatchObject({ status: 201, body: { sessions: [{ username: 'clara' }] } });
    expect((await t.client().post(SESSIONS, body)).status).toBe(401);
    // Without PIN or fingerprint, for another site, for another challenge, of another key, of a copied authenticator.
    expect((await alone({ verifiesUser: false })).answer.status).toBe(401);
    expect((await alone({ origin: 'https://elsewhere.example' })).answer.status).toBe(401);
    expect((await alone({ rpId: 'elsewhere.example' })).answer.status).toBe(401);
    expect((await alone({ challenge: 'bm90aGluZw' })).answer.status).toBe(401);
    expect((await alone({}, new Authenticator())).answer.status).toBe(401);
    authenticator.counter = 0;
    expect((await alone()).answer.status).toBe(401);
    authenticator.counter = 100;
    pass(6 * MINUTE);
    expect((await alone()).answer.status).toBe(201);
  });

  it('ends the second step with time, another password, and the end of the account', async () => {
    const { id } = await buildUser(t.database, { username: 'dora' });
    const { secret } = await enrolTotp(await t.signedIn('dora'), 'dora');
    const finish = async (challenge: string) =>
      (await t.client().post(SESSIONS, { challenge, totp: codeOf(secret) })).status;
    const late = await firstStep(t.client(), 'dora');
    pass(5 * MINUTE);
    expect(await finish(late.challenge)).toBe(401);
    const before = await firstStep(t.client(), 'dora');
    const password = 'another long password';
    const changed = { passwordHash: await hashPassword(password, 'dora'), exceptSession: null };
    await t.database.write((db) => setPassword(db, id, changed, BUILDER));
    expect(await finish(before.challenge)).toBe(401);
    const disabled = await firstStep(t.client(), 'dora', password);
    await root.patch('configuration/users/dora', { user: { active: false } });
    expect(await finish(disabled.challenge)).toBe(401);
    expect(await finish('nothing')).toBe(401);
  });

  it('throttles wrong codes by account, and locks nobody out', async () => {
    await buildUser(t.database, { username: 'emma' });
    const browser = t.client({ headers: { 'sec-fetch-site': 'same-origin' } });
    await browser.signIn('emma');
    const { secret, recoveryCodes } = await enrolTotp(browser, 'emma');
    // Somebody who knows the password guesses codes, from as many addresses as there are.
    let addresses = 0;
    const guess = async (totp = '000000') => {
      const client = t.client({ remoteAddress: `203.0.113.${++addresses}` });
      const { challenge } = await firstStep(client, 'emma');
      return client.post(SESSIONS, { challenge, totp });
    };
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(401);
    expect((await guess()).headers['retry-after']).toBe('1');
    // The right code waits too, …
    expect((await guess(codeOf(secret))).status).toBe(429);
    // … but not in a browser that is known, and no recovery code does.
    const { challenge } = await firstStep(browser, 'emma');
    const known = await browser.post(SESSIONS, { challenge, totp: codeOf(secret) });
    expect(known.status).toBe(201);
    expect((await guess(recoveryCodes[0])).status).toBe(201);
    pass(STEP);
    expect((await retryLater(() => guess(codeOf(secret)))).status).toBe(201);
    expect((await guess()).status).toBe(401);
  });

  it('is asked for again, or the password, before another session is ended', async () => {
    await buildUser(t.database, { username: 'gerda' });
    const [gerda, other] = [await t.signedIn('gerda'), await t.signedIn('gerda')];
    const idOf = async (client: TestClient) =>
      sessionsAnswer.parse((await client.get(SESSIONS)).body).sessions[0]?.sessionId ?? '';
    const [own, foreign] = [await idOf(gerda), await idOf(other)];
    pass(10 * MINUTE);
    expect(await gerda.delete(`${SESSIONS}/${foreign}`)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    });
    expect((await other.get(SESSIONS)).status).toBe(200);
    expect((await gerda.post(CONFIRMATIONS, { password: PASSWORD })).status).toBe(204);
    expect((await gerda.delete(`${SESSIONS}/${foreign}`)).status).toBe(204);
    expect((await other.get(SESSIONS)).status).toBe(401);
    pass(10 * MINUTE);
    expect((await gerda.delete(`${SESSIONS}/${own}`)).status).toBe(204);
  });

  it('is changed by its owner, within ten minutes of a proof', async () => {
    await buildUser(t.database, { username: 'frieda' });
    const frieda = await t.signedIn('frieda');
    expect((await root.get(factorsOf('frieda'))).status).toBe(403);
    const { secret } = await enrolTotp(frieda, 'frieda');
    const { authenticator, answer } = await enrolPasskey(frieda, 'frieda');
    expect(answer.recoveryCodes).toBeUndefined();
    const [totp, passkey] = answer.factors;
    const stateOf = async () => factorsAnswer.parse((await frieda.get(factorsOf('frieda'))).body);
    expect((await stateOf()).confirmedUntil).not.toBeNull();

    pass(10 * MINUTE);
    expect((await stateOf()).confirmedUntil).toBeNull();
    const one = `${factorsOf('frieda')}/${totp?.factorId ?? ''}`;
    for (const refused of [
      await frieda.post(factorsOf('frieda'), { factor: { kind: 'passkey' } }),
      await frieda.patch(one, { factor: { name: 'Another' } }),
      await frieda.delete(factorsOf('frieda')),
      await frieda.delete(one),
    ]) {
      expect(refused).toMatchObject({ status: 403, body: { code: 'confirmation_required' } });
    }
    const confirm = async (body: object) => (await frieda.post(CONFIRMATIONS, body)).status;
    const challenge = async () =>
      passkeyChallengeAnswer.parse((await frieda.post(CHALLENGES)).body).challenge;
    expect(await confirm({ password: 'not the password' })).toBe(401);
    expect(await confirm({ totp: '000000' })).toBe(401);
    expect((await stateOf()).confirmedUntil).toBeNull();
    for (const proof of [
      () => ({ password: PASSWORD }),
      () => ({ totp: codeOf(secret) }),
      async () => {
        const text = await challenge();
        return { challenge: text, assertion: authenticator.get({ ...SITE, challenge: text }) };
      },
    ]) {
      pass(10 * MINUTE);
      expect((await stateOf()).confirmedUntil).toBeNull();
      expect(await confirm(await proof())).toBe(204);
      expect((await stateOf()).confirmedUntil).not.toBeNull();
    }

    const name = 'Key ring';
    const renamed = await frieda.patch(`${factorsOf('frieda')}/${passkey?.factorId ?? ''}`, {
      factor: { name },
    });
    expect(factorsAnswer.parse(renamed.body).factors).toEqual([
      expect.objectContaining({ name: 'My phone' }),
      expect.objectContaining({ name }),
    ]);
    const ofFrieda = `${factorsOf('root')}/${passkey?.factorId ?? ''}`;
    expect((await root.post(CONFIRMATIONS, { password: PASSWORD })).status).toBe(204);
    expect((await root.patch(ofFrieda, { factor: { name } })).status).toBe(404);

    expect((await frieda.delete(one)).status).toBe(204);
    expect((await frieda.delete(one)).status).toBe(404);
    expect(await stateOf()).toMatchObject({
      factors: [{ factorId: passkey?.factorId }],
      recoveryCodesLeft: 10,
    });
    expect((await frieda.delete(factorsOf('frieda'))).status).toBe(204);
    expect(await stateOf()).toMatchObject({ factors: [], recoveryCodesLeft: 0 });
    expect((await t.client().signIn('frieda')).status).toBe(201);
  });

  it('of another user confirms no session, whatever challenge it signs', async () => {
    await buildUser(t.database, { username: 'ida' });
    await buildUser(t.database, { username: 'mallory' });
    const ida = await t.signedIn('ida');
    const { authenticator } = await enrolPasskey(await t.signedIn('mallory'), 'mallory');
    const { authenticator: own } = await enrolPasskey(ida, 'ida');
    const confirm = async (by: Authenticator, challenge: string) => {
      const assertion = by.get({ ...SITE, challenge });
      return (await ida.post(CONFIRMATIONS, { challenge, assertion })).status;
    };
    const ofMallory = await firstStep(t.client(), 'mallory');
    expect(await confirm(authenticator, ofMallory.challenge)).toBe(401);
    expect(await confirm(own, ofMallory.challenge)).toBe(401);
    const alone = passkeyChallengeAnswer.parse((await ida.post(CHALLENGES)).body);
    expect(await confirm(authenticator, alone.challenge)).toBe(401);
    const ofIda = await firstStep(t.client(), 'ida');
    expect(await confirm(authenticator, ofIda.challenge)).toBe(401);
    expect(await confirm(own, ofIda.challenge)).toBe(204);
  });

  it('that is lost is reset by an administrator', async () => {
    await buildUser(t.database, { username: 'greta' });
    const greta = await t.signedIn('greta');
    await enrolTotp(greta, 'greta');
    await enrolPasskey(greta, 'greta');
    const user = async () => (await root.get('configuration/users/greta')).body;
    expect(await user()).toMatchObject({ users: [{ secondFactor: true }] });
    expect((await greta.delete('configuration/users/greta/factors')).status).toBe(403);
    expect((await root.delete('configuration/users/nobody/factors')).status).toBe(404);
    expect((await root.delete('configuration/users/greta/factors')).status).toBe(204);
    expect(await user()).toMatchObject({ users: [{ secondFactor: false }] });
    expect((await greta.get(SESSIONS)).status).toBe(401);
    expect((await t.client().signIn('greta')).status).toBe(201);
  });

  it('is in the audit and the history without its secrets', async () => {
    await buildUser(t.database, { username: 'hanna' });
    const hanna = await t.signedIn('hanna');
    const { secret, recoveryCodes } = await enrolTotp(hanna, 'hanna');
    await hanna.delete(factorsOf('hanna'));
    const answer = await root.get('configuration/audit?user=hanna&kind=access');
    const { entries } = auditAnswer.parse(answer.body);
    const factor = expect.stringMatching(/^factor\.[0-9a-f-]{36}$/);
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ name: factor, before: 'totp', after: null }],
      [{ name: 'recoveryCodes', before: null, after: 'changed' }],
      [{ name: factor, before: null, after: 'totp' }],
    ]);
    for (const hidden of [secret, ...recoveryCodes]) expect(answer.text).not.toContain(hidden);
    const stored = await t.database.read((db) =>
      db.k.selectFrom('totp_secrets').selectAll().execute(),
    );
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain(secret);

    const lines: string[] = [];
    const nothing = () => undefined;
    const report = { progress: nothing, info: nothing, fail: (line: string) => lines.push(line) };
    const check = () =>
      t.database.read((db) => checkSubjects(db, new VerificationFindings(report)));
    await check();
    expect(lines).toEqual([]);
    await t.database.write((db) => db.k.deleteFrom('totp_secrets').execute());
    await check();
    expect(lines.join('\n')).toContain('factor.');
  });
});

describeOnOneDatabase('an installation that demands second factors', (open) => {
  it('lets those without one set one up and do nothing else', async () => {
    const t = await openApp(open, { secondFactor: 'administrators' });
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    await buildUser(t.database);
    expect((await (await t.signedIn('clerk')).get('application/users')).status).toBe(200);
    const root = await t.signedIn('root');
    const session = async () => Object((await root.get(SESSIONS)).body).sessions[0];
    expect(await session()).toMatchObject({ secondFactorEnrolmentRequired: true });
    for (const path of [
      'application/users',
      'configuration/users',
      'application/archiveapp/archives/x/index',
    ]) {
      expect(await root.get(path)).toMatchObject({
        status: 403,
        body: { code: 'second_factor_enrolment_required' },
      });
    }
    expect(factorsAnswer.parse((await root.get(factorsOf('root'))).body).required).toBe(true);
    const begun = await root.post(factorsOf('root'), { factor: { kind: 'passkey' } });
    const { enrolment: { challenge = '' } = {} } = createdFactorAnswer.parse(begun.body);
    const attestation = new Authenticator().create({ ...SITE, challenge });
    const factor = { kind: 'passkey', challenge, attestation };
    expect((await root.post(factorsOf('root'), { factor })).status).toBe(201);
    expect(await session()).not.toHaveProperty('secondFactorEnrolmentRequired');
    expect((await root.get('configuration/users')).status).toBe(200);
    // Without the last one it begins again.
    expect((await root.delete(factorsOf('root'))).status).toBe(204);
    expect((await root.get('configuration/users')).status).toBe(403);
    expect((await root.delete(factorsOf('root'))).status).not.toBe(403);
  });

  it('binds passkeys to its public address', async () => {
    const t = await openApp(open, { publicUrl: 'https://desk.example.com' });
    const { publicKey } = passkeyChallengeAnswer.parse((await t.client().post(CHALLENGES)).body);
    expect(publicKey).toMatchObject({ rpId: 'desk.example.com' });
  });

  it('has refused proofs in its audit, with the names of the users', async () => {
    const t = await openApp(open);
    const { id } = await buildUser(t.database);
    await t.database.write((db) =>
      addTotp(db, id, { secret: 'GEZDGNBVGY3TQOJQ', name: 'App', lastStep: 0 }, BUILDER),
    );
    const { challenge } = errorBodySchema.parse((await t.client().signIn('clerk')).body);
    const letters = 'not a code';
    expect((await t.client().post(SESSIONS, { challenge, totp: letters })).status).toBe(401);
    await t.app.close();
    const rows = await t.database.read((db) =>
      db.k
        .selectFrom('history')
        .select(['username', 'call', 'changes'])
        .where('scope', '=', 'refused')
        .execute(),
    );
    expect(rows).toMatchObject([
      {
        username: 'clerk',
        call: 'POST application/sessions',
        changes: expect.stringContaining('invalid_credentials'),
      },
    ]);
  });
});
