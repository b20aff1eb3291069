import { beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { Archive, Table } from '#server/database/records/collection.ts';
import {
  accessTokensAnswer,
  createdAccessTokenAnswer,
  tokensByPasswordAnswer,
  type AccessToken,
} from '#shared/contract/access-tokens.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const HOUR = 60 * 60_000;
const TABLES = 'application/dataapp/tables';
const TOKENS = (username: string) => `application/users/${username}/tokens`;
const inAnHour = () => new Date(Date.now() + HOUR).toISOString();
const madeSchema = z.object({ token: z.string() });

describeOnOneDatabase('tokens', (open) => {
  let t: TestApp;
  let root: TestClient;
  let archive: Archive;
  let table: Table;
  let revision: string;

  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NAME' }]);
    table = await buildTable(t.database, [{ name: 'NAME' }]);
    const [id] = await buildRecords(t.database, archive, [['a']]);
    revision = `${archivePath(archive)}/documents/${id}`;
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    root = await t.signedIn('root');
  });

  const addUser = async (username: string, access: 'read' | 'write' | 'manage' = 'manage') => {
    const rights = [rightOn(archive, access), rightOn(table, access)];
    await buildUser(t.database, { username, rights });
    return t.signedIn(username);
  };
  /** A client that sends a token and no cookie. */
  const bearer = (token: string, headers: Readonly<Record<string, string>> = {}) =>
    t.client({ headers: { authorization: `Bearer ${token}`, ...headers } });
  const make = async (client: TestClient, username: string, token: object = {}) => {
    const asked = { name: 'nightly', expiresAt: inAnHour(), right: 'manage', ...token };
    const answer = await client.post(TOKENS(username), { token: asked });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    const [made] = createdAccessTokenAnswer.parse(answer.body).tokens;
    if (!made) throw new Error('No token was made.');
    return { ...made, client: bearer(madeSchema.parse(made).token) };
  };
  const list = async (client: TestClient, username: string): Promise<AccessToken[]> =>
    accessTokensAnswer.parse((await client.get(TOKENS(username))).body).tokens;
  const byPassword = (username: string, body: object = {}) =>
    t.client().post('application/tokens', { username, password: PASSWORD, lifetime: 600, ...body });
  const index = () => `${archivePath(archive)}/index`;
  const change = (client: TestClient, value: string) =>
    client.patch(`${revision}/indexdata`, { indexFields: [{ name: 'NAME', value }] });

  it('are valid no longer than the operator allows', async () => {
    const strict = await openApp(open, { tokenLifeDays: 30 });
    await buildUser(strict.database, { username: 'ada' });
    const ada = await strict.signedIn('ada');
    const ask = (days: number) => {
      const expiresAt = new Date(Date.now() + days * 24 * HOUR - 1000).toISOString();
      return ada.post(TOKENS('ada'), { token: { name: 'nightly', expiresAt, right: 'read' } });
    };
    expect((await ask(30)).status).toBe(201);
    expect(await ask(31)).toMatchObject({
      status: 422,
      body: { errors: { 'token.expiresAt': [expect.stringContaining('at most 30 days')] } },
    });
    const byPasswordFor = (days: number) =>
      strict.client().post('application/tokens', {
        username: 'ada',
        password: PASSWORD,
        lifetime: days * 24 * 60 * 60,
      });
    expect((await byPasswordFor(30)).status).toBe(201);
    expect(await byPasswordFor(31)).toMatchObject({
      status: 422,
      body: { errors: { lifetime: [expect.stringContaining('at most 30 days')] } },
    });
  });

  it('are refused with all that is wrong', async () => {
    const owner = await addUser('oscar');
    const token = {
      name: 'wrong',
      right: 'read',
      configuration: true,
      archives: ['NONE'],
      expiresAt: '2000-01-01T00:00:00Z',
    };
    const { status, body } = await owner.post(TOKENS('oscar'), { token });
    const { errors } = errorBodySchema.parse(body);
    expect([status, Object.keys(errors).sort()]).toEqual([
      403,
      ['-', 'token.archives', 'token.configuration', 'token.expiresAt'],
    ]);
  });

  it('are given for a user name and a password', async () => {
    await addUser('anna');
    const answer = await byPassword('anna');
    expect(answer.status).toBe(201);
    expect(answer.headers['set-cookie']).toBeUndefined();
    const [token = ''] = tokensByPasswordAnswer.parse(answer.body).tokens;
    expect(token).toMatch(/^idx_[\w-]{43}$/);
    const client = bearer(token);
    expect((await client.get(index())).status).toBe(200);
    expect((await change(client, 'by token')).status).toBe(200);
    const { body } = await client.get(`${revision}/history`);
    expect(body).toMatchObject({ history: [{ user: 'anna' }] });
    expect(await byPassword('anna', { password: 'wrong password' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    });
    for (const lifetime of [0, 1.5, '600', undefined]) {
      expect([lifetime, (await byPassword('anna', { lifetime })).status]).toEqual([lifetime, 422]);
    }
    const created = await root.post('configuration/users', { user: { username: 'newcomer' } });
    const { oneTimePassword } = z.object({ oneTimePassword: z.string() }).parse(created.body);
    expect(await byPassword('newcomer', { password: oneTimePassword })).toMatchObject({
      status: 403,
      body: { code: 'password_change_required' },
    });
  });

  it('by password are a thousand of a person, and more where they are used', async () => {
    const { id: userId } = await buildUser(t.database, { username: 'program' });
    const next = async () => {
      const [token = ''] = tokensByPasswordAnswer.parse((await byPassword('program')).body).tokens;
      return bearer(token);
    };
    const statusOf = async (client: TestClient) => (await client.get(TABLES)).status;
    const unused = await next();
    const used = await next();
    await t.database.write((db) =>
      db.k
        .updateTable('access_tokens')
        .set((eb) => ({ created_at: eb('created_at', '-', 2 * HOUR) }))
        .where('user_id', '=', userId)
        .execute(),
    );
    expect(await statusOf(used)).toBe(200);
    const now = Date.now();
    const rows = Array.from({ length: 997 }, (_, number) => ({
      id: `built ${number}`,
      token_hash: `of built ${number}`,
      user_id: userId,
      name: 'POST application/tokens',
      prefix: 'idx_',
      access: 'manage' as const,
      archives: null,
      tables: null,
      configuration: 0,
      created_at: now,
      expires_at: now + HOUR,
      last_used_at: null,
    }));
    await t.database.write((db) => db.k.insertInto('access_tokens').values(rows).execute());
    const count = async () => (await list(root, 'program')).length;
    const created = [await next()];
    expect(await count()).toBe(1_000);
    for (let i = 0; i < 2; i++) created.push(await next());
    expect(await count()).toBe(1_001);
    expect(await statusOf(unused)).toBe(401);
    for (const client of [used, ...created]) expect(await statusOf(client)).toBe(200);
  });

  it('are given to nobody for a password where passwords are off', async () => {
    const off = await openApp(open, { passwordSignIn: false });
    await buildUser(off.database, { username: 'root', role: 'administrator' });
    const body = { username: 'root', password: PASSWORD, lifetime: 600 };
    expect((await off.client().signIn('root')).status).toBe(201);
    expect((await off.client().post('application/tokens', body)).status).toBe(403);
  });

  it('are stored as digests, and shown once', async () => {
    const anna = await addUser('anton');
    const { tokenId, prefix, token, client } = await make(anna, 'anton', { name: 'import' });
    expect(token?.startsWith(prefix)).toBe(true);
    const [listed] = await list(anna, 'anton');
    expect(listed).toEqual({
      tokenId,
      name: 'import',
      prefix,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      lastUsedAt: null,
      right: 'manage',
      archives: null,
      tables: null,
      configuration: false,
    });
    const rows = await t.database.read((db) =>
      db.k.selectFrom('access_tokens').selectAll().execute(),
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    await client.get(index());
    expect((await list(anna, 'anton'))[0]?.lastUsedAt).toEqual(expect.any(String));
    const key = { headers: { 'idempotency-key': 'once' } };
    const body = { token: { name: 'again', expiresAt: inAnHour(), right: 'read' } };
    expect((await anna.post(TOKENS('anton'), body, key)).text).toContain('"token":"idx_');
    expect((await anna.post(TOKENS('anton'), body, key)).text).not.toContain('"token":');
  });

  it('end when they expire or are revoked, and with their owner', async () => {
    const berta = await addUser('berta');
    const [one, other] = [await make(berta, 'berta'), await make(berta, 'berta')];
    const end = await berta.delete(`${TOKENS('berta')}/${one.tokenId}`);
    expect(end.status).toBe(204);
    expect((await berta.delete(`${TOKENS('berta')}/${one.tokenId}`)).status).toBe(404);
    const refused = await one.client.get(index());
    expect(refused).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(refused.headers['www-authenticate']).toMatch(/^Bearer/);
    // The cookie of a session does not stand in for a token that is refused.
    const headers = { authorization: `Bearer ${one.token}` };
    expect((await berta.get(index(), { headers })).status).toBe(401);
    for (const authorization of ['Bearer', 'Bearer idx_unknown', 'bearer two words']) {
      const answer = await t.client({ headers: { authorization } }).get(index());
      expect([authorization, answer.status]).toEqual([authorization, 401]);
    }

    expect((await other.client.get(index())).status).toBe(200);
    // A password of one's own choice does not end them, a reset does.
    const password = { current: PASSWORD, password: 'another long password' };
    expect((await berta.put('application/users/berta/password', password)).status).toBe(204);
    expect((await other.client.get(index())).status).toBe(200);
    await root.post('configuration/users/berta/password', {});
    expect((await other.client.get(index())).status).toBe(401);

    for (const [username, ends] of [
      ['bruno', () => root.patch('configuration/users/bruno', { user: { active: false } })],
      ['bela', () => root.delete('configuration/users/bela')],
    ] as const) {
      const { client } = await make(await addUser(username), username);
      expect((await client.get(index())).status).toBe(200);
      expect((await ends()).status).toBeLessThan(300);
      expect([username, (await client.get(index())).status]).toEqual([username, 401]);
    }

    const brief = await make(await addUser('bea'), 'bea');
    const expired = { expires_at: Date.now() };
    await t.database.write((db) =>
      db.k.updateTable('access_tokens').set(expired).where('id', '=', brief.tokenId).execute(),
    );
    expect((await brief.client.get(index())).status).toBe(401);
    const past = { name: 'past', expiresAt: '2020-01-01T00:00:00Z', right: 'read' };
    expect(await root.post(TOKENS('root'), { token: past })).toMatchObject({
      status: 422,
      body: { errors: { 'token.expiresAt': [expect.any(String)] } },
    });
  });

  it('give never more than the rights of their owner at the moment of a call', async () => {
    const carl = await addUser('carl', 'manage');
    const { client } = await make(carl, 'carl');
    expect((await change(client, 'carl')).status).toBe(200);
    const rights = { archives: { [archive.name]: 'read' } };
    await root.patch('configuration/users/carl', { user: { rights } });
    expect((await change(client, 'again')).status).toBe(403);
    expect((await client.get(index())).status).toBe(200);
    await root.patch('configuration/users/carl', { user: { rights: {} } });
    expect((await client.get(index())).status).toBe(404);
  });

  it('give no more than their right, on the archives and tables that they name', async () => {
    const scope = { right: 'write', archives: [archive.name] };
    const dora = await make(await addUser('dora'), 'dora', scope);
    expect(dora).toMatchObject({ right: 'write', archives: [archive.name], tables: [] });
    expect((await change(dora.client, 'dora')).status).toBe(200);
    expect((await dora.client.delete(revision)).status).toBe(403);
    expect((await dora.client.get(datasetsPath(table))).status).toBe(404);
    expect((await dora.client.get('application/dataapp/tables')).body).toEqual({ tables: [] });

    const owner = { right: 'read', tables: [table.guid] };
    const reading = await make(root, 'root', owner);
    expect(reading).toMatchObject({ right: 'read', archives: [], tables: [table.guid] });
    expect((await reading.client.get(datasetsPath(table))).status).toBe(200);
    const dataset = { dataset: { NAME: 'b' } };
    expect((await reading.client.post(datasetsPath(table), dataset)).status).toBe(403);
    expect((await reading.client.get(index())).status).toBe(404);
    const archives = 'application/users/dora/archives';
    expect((await reading.client.get(archives)).body).toEqual({ users: { archives: [] } });

    const unknown = { name: 'x', expiresAt: inAnHour(), right: 'read', archives: ['NOSUCH'] };
    expect(await root.post(TOKENS('root'), { token: unknown })).toMatchObject({
      status: 422,
      body: { errors: { 'token.archives': [expect.any(String)] } },
    });
  });

  it('open neither administration nor account, unless an administrator says so', async () => {
    const emil = await addUser('emil');
    const [{ client }, plain] = [await make(emil, 'emil'), await make(root, 'root')];
    const full = await make(root, 'root', { configuration: true });
    const reading = await make(root, 'root', { configuration: true, right: 'read' });
    for (const path of [
      'configuration/users',
      'application/sessions',
      'application/sessions/all',
      TOKENS('root'),
      'application/users/root/storagekey',
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 403]);
      expect([path, (await plain.client.get(path)).status]).toEqual([path, 403]);
      const status = path === 'application/sessions' ? 404 : 200;
      expect([path, (await full.client.get(path)).status]).toEqual([path, status]);
    }
    const password = { current: PASSWORD, password: 'another long password' };
    expect((await client.put('application/users/emil/password', password)).status).toBe(403);
    const user = { user: { username: 'made' } };
    expect((await reading.client.post('configuration/users', user)).status).toBe(403);
    expect((await full.client.post('configuration/users', user)).status).toBe(201);
    const more = { token: { name: 'more', expiresAt: inAnHour(), right: 'manage' } };
    expect((await reading.client.post(TOKENS('root'), more)).status).toBe(403);
    const own = { token: { ...more.token, configuration: true } };
    expect((await emil.post(TOKENS('emil'), own)).status).toBe(403);
    // The audit would show what is left out.
    const limited = { token: { ...own.token, archives: [] } };
    expect(await root.post(TOKENS('root'), limited)).toMatchObject({
      status: 422,
      body: { errors: { 'token.configuration': [expect.any(String)] } },
    });
    // An administrator who is one no more has no more of it.
    const { client: former } = await (async () => {
      await buildUser(t.database, { username: 'eva', role: 'administrator' });
      return make(await t.signedIn('eva'), 'eva', { configuration: true });
    })();
    expect((await former.get('configuration/users')).status).toBe(200);
    await root.patch('configuration/users/eva', { user: { role: 'clerk' } });
    expect((await former.get('configuration/users')).status).toBe(403);
    expect((await former.get(TOKENS('eva'))).status).toBe(403);
  });

  it('are seen and revoked by their owner and by administrators alone', async () => {
    const fritz = await addUser('fritz');
    const { tokenId, client } = await make(fritz, 'fritz');
    const gerd = await addUser('gerd');
    const own = { token: { name: 'x', expiresAt: inAnHour(), right: 'read' } };
    expect((await gerd.get(TOKENS('fritz'))).status).toBe(403);
    expect((await gerd.post(TOKENS('fritz'), own)).status).toBe(403);
    expect((await gerd.delete(`${TOKENS('fritz')}/${tokenId}`)).status).toBe(403);
    expect((await root.post(TOKENS('fritz'), own)).status).toBe(403);
    expect(await list(root, 'fritz')).toHaveLength(1);
    expect((await root.get(TOKENS('nobody'))).status).toBe(404);
    expect((await root.delete(`${TOKENS('fritz')}/${tokenId}`)).status).toBe(204);
    expect((await client.get(index())).status).toBe(401);
  });

  it('are exempt from the rules about other sites', async () => {
    const { token = '' } = await make(await addUser('hans'), 'hans');
    const other = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect((await change(bearer(token, other), 'elsewhere')).status).toBe(200);
    const hans = await t.signedIn('hans');
    const body = { indexFields: [{ name: 'NAME', value: 'x' }] };
    const answer = await hans.patch(`${revision}/indexdata`, body, { headers: other });
    expect(answer.status).toBe(403);
    const asked = { username: 'hans', password: PASSWORD, lifetime: 600 };
    const made = await t.client().post('application/tokens', asked, { headers: other });
    expect(made.status).toBe(201);
  });

  it('are gathered in the audit where they are not valid', { tags: ['slow'] }, async () => {
    const other = await openApp(open);
    await buildUser(other.database, { username: 'root', role: 'administrator' });
    for (let i = 0; i < 40; i++) {
      const headers = { authorization: `Bearer idx_guess${i}` };
      expect((await other.client({ headers }).get('application/users')).status).toBe(401);
    }
    const administrator = await other.signedIn('root');
    await vi.waitFor(async () => {
      const { body } = await administrator.get('configuration/audit?kind=refused');
      expect(auditAnswer.parse(body).entries).toMatchObject([{ user: null, call: 'token' }]);
    });
  });

  it('hold locks of revisions until they end', async () => {
    const jan = await addUser('jan');
    const { tokenId, client } = await make(jan, 'jan');
    expect((await client.patch(revision, { locked: true })).status).toBe(200);
    const clerk = await addUser('karl');
    expect((await change(clerk, 'locked')).status).toBe(423);
    await jan.delete(`${TOKENS('jan')}/${tokenId}`);
    expect((await change(clerk, 'free')).status).toBe(200);
  });

  it('are in the audit when they are made, used first and revoked', async () => {
    const lena = await addUser('lena');
    const { tokenId, client } = await make(lena, 'lena', { name: 'audited' });
    await client.get(index());
    await client.get(index());
    await lena.delete(`${TOKENS('lena')}/${tokenId}`);
    const { body } = await root.get('configuration/audit?kind=sign-in&user=lena');
    const entries = auditAnswer
      .parse(body)
      .entries.filter(({ subject }) => subject === 'token')
      .map(({ action, id, changes }) => ({ action, id, names: changes.map(({ name }) => name) }));
    expect(entries).toMatchObject([
      { action: 'delete', id: 'lena' },
      { action: 'change', id: 'lena', names: expect.arrayContaining(['firstUsedAt']) },
      { action: 'create', id: 'lena', names: expect.arrayContaining(['tokenId', 'right']) },
    ]);
  });
});
