import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import {
  accessAnswer,
  configuredUserAnswer,
  configuredUsersAnswer,
  createdUserAnswer,
  oneTimePasswordAnswer,
  openSessionsAnswer,
} from '#shared/contract/configuration-people.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';

const USERS = 'configuration/users';
const OWN = 'own password of a clerk';
const DAY = 24 * 60 * 60_000;

describeOnOneDatabase('users', (open) => {
  let t: TestApp;
  let root: TestClient;
  let archive: Archive;
  let table: Table;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }, { name: 'IBAN' }], ['TAG']);
    table = await buildTable(t.database, [{ name: 'name' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    root = await t.signedIn('root');
  });

  const create = async (user: object) => {
    const answer = await root.post(USERS, { user });
    expect([answer.status, answer.text]).toEqual([201, answer.text]);
    return createdUserAnswer.parse(answer.body);
  };
  const read = async (username: string) => {
    const answer = await root.get(`${USERS}/${username}`);
    return { etag: String(answer.headers['etag']), ...configuredUserAnswer.parse(answer.body) };
  };

  it('are made with a one-time password, which has to be changed first', async () => {
    const { users, oneTimePassword = '' } = await create({ username: 'Anna' });
    expect(users).toEqual([
      {
        username: 'Anna',
        displayName: 'Anna',
        email: null,
        role: 'clerk',
        active: true,
        groups: [],
        rights: { archives: {}, tables: {} },
        createdAt: expect.any(String),
        lastSignInAt: null,
        signInBy: 'password',
        secondFactor: false,
      },
    ]);
    const anna = t.client();
    const signedIn = await anna.signIn('anna', oneTimePassword);
    expect(signedIn.body).toMatchObject({ sessions: [{ passwordChangeRequired: true }] });
    const session = await anna.get('application/sessions');
    expect(session.body).toMatchObject({ sessions: [{ passwordChangeRequired: true }] });
    for (const path of ['application/users/anna/archives', archivePath(archive), USERS]) {
      expect(await anna.get(path)).toMatchObject({
        status: path === archivePath(archive) ? 404 : 403,
      });
    }
    expect((await anna.get('application/dataapp/tables')).body).toMatchObject({
      code: 'password_change_required',
    });
    const same = { current: oneTimePassword, password: oneTimePassword };
    expect((await anna.put('application/users/anna/password', same)).status).toBe(422);
    const change = { current: oneTimePassword, password: OWN };
    expect((await anna.put('application/users/anna/password', change)).status).toBe(204);
    expect((await anna.get('application/dataapp/tables')).status).toBe(200);
    expect((await anna.get('application/sessions')).text).not.toContain('passwordChangeRequired');
    const again = await t.client().signIn('anna', OWN);
    expect(again.text).not.toContain('passwordChangeRequired');
    expect((await read('anna')).users[0]?.lastSignInAt).toEqual(expect.any(String));
  });

  it('have a week to use a one-time password', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { oneTimePassword = '', oneTimePasswordExpiresAt } = await create({ username: 'late' });
    const weekLater = () => new Date(Date.now() + 7 * DAY).toISOString();
    expect(oneTimePasswordExpiresAt).toBe(weekLater());
    await create({ username: 'chosen early', password: PASSWORD });
    const refused = async () => {
      const { status, body } = await t.client().signIn('late', oneTimePassword);
      return [status, Object(body).code, Object(body).errors];
    };
    vi.setSystemTime(Date.now() + 7 * DAY - 1000);
    const inTime = t.client();
    expect((await inTime.signIn('late', oneTimePassword)).status).toBe(201);
    const again = await t.signedIn('root');
    // What else is changed of the user does not give more time.
    await again.patch(`${USERS}/late`, { user: { displayName: 'Late' } });
    vi.setSystemTime(Date.now() + 1000);
    expect(await refused()).toEqual([
      401,
      'invalid_credentials',
      { password: ['This one-time password has expired. Ask an administrator for a new one.'] },
    ]);
    const token = { username: 'late', password: oneTimePassword, lifetime: 60 };
    expect((await t.client().post('application/tokens', token)).status).toBe(401);
    expect((await t.client().signIn('late', PASSWORD)).body).toMatchObject({
      errors: { '-': [expect.any(String)] },
    });
    expect((await t.client().signIn('chosen early', PASSWORD)).status).toBe(201);
    const reset = oneTimePasswordAnswer.parse((await again.post(`${USERS}/late/password`)).body);
    expect(reset.oneTimePasswordExpiresAt).toBe(weekLater());
    expect((await t.client().signIn('late', reset.oneTimePassword)).status).toBe(201);
  });

  it('need no change of a password that the administrator chose', async () => {
    const body = await create({ username: 'chosen', password: PASSWORD, displayName: 'Chosen' });
    expect([body.oneTimePassword, body.oneTimePasswordExpiresAt]).toEqual([undefined, undefined]);
    expect((await t.client().signIn('chosen')).text).not.toContain('passwordChangeRequired');
    const weak = await root.post(USERS, { user: { username: 'weak', password: 'password1' } });
    expect(weak).toMatchObject({
      status: 422,
      body: { errors: { password: [expect.any(String)] } },
    });
  });

  it('get their one-time password once, also with an idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const send = () => root.post(USERS, { user: { username: 'once' } }, { headers });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.text).toContain('oneTimePassword');
    expect(second.text).not.toContain('oneTimePassword');
    expect(createdUserAnswer.parse(second.body).users).toEqual(
      createdUserAnswer.parse(first.body).users,
    );
  });

  it('are refused with a taken name, an unknown property, right or group', async () => {
    const refused = async (user: object) => {
      const { status, body } = await root.post(USERS, { user });
      return [status, Object.keys(Object(Object(body).errors))];
    };
    expect(await refused({ username: 'ROOT' })).toEqual([409, ['username']]);
    expect(await refused({ username: 'x', nickname: 'y' })).toEqual([422, ['-']]);
    expect(await refused({ username: 'x', email: 'nowhere' })).toEqual([422, ['-']]);
    expect(await refused({ username: 'x', groups: ['NONE'] })).toEqual([422, ['groups']]);
    const twice = { right: 'write', fields: { NO: 'hidden', no: 'read' } };
    expect(
      await refused({ username: 'x', rights: { archives: { [archive.name]: twice } } }),
    ).toEqual([422, [`rights.archives.${archive.name}.fields.no`]]);
    const archives = { NONE: 'read', [archive.name]: { right: 'write', fields: { NONE: 'read' } } };
    expect(await refused({ username: 'x', rights: { archives } })).toEqual([
      422,
      ['rights.archives.NONE', `rights.archives.${archive.name}.fields.NONE`],
    ]);
    // In code it would be the prototype of an object.
    const proto: object = Object(JSON.parse('{"__proto__": "read"}'));
    expect(await refused({ username: 'x', rights: { archives: proto } })).toEqual([422, ['-']]);
    expect((await root.get(`${USERS}/x`)).status).toBe(404);
  });

  it('are refused with all that is wrong, and the status of the first kind', async () => {
    await create({ username: 'dana', password: PASSWORD });
    const wrong = { groups: ['NONE'], rights: { archives: { NONE: 'write' } } };
    const added = await root.post(USERS, {
      user: { username: 'dana', password: 'x', ...wrong },
    });
    const changed = await root.patch(
      `${USERS}/root`,
      { user: { active: false, ...wrong } },
      { headers: { 'if-match': '"old"' } },
    );
    const faults = [added, changed].map(({ status, body }) => ({
      status,
      paths: Object.keys(errorBodySchema.parse(body).errors).sort(),
    }));
    expect(faults).toEqual([
      { status: 422, paths: ['groups', 'password', 'rights.archives.NONE', 'username'] },
      { status: 412, paths: ['-', 'groups', 'rights.archives.NONE'] },
    ]);
    expect(changed.body).toMatchObject({ current: { username: 'root' } });
    expect(await read('root')).toMatchObject({ users: [{ active: true, groups: [] }] });
  });

  it('have rights by names or GUIDs, which are answered by names and GUIDs', async () => {
    const rights = {
      archives: {
        [archive.guid.toUpperCase()]: {
          right: 'write',
          fields: { iban: 'hidden', 'keyword.tag': 'read' },
        },
      },
      tables: { [table.name]: 'read' },
    };
    const { users } = await create({ username: 'rita', rights });
    const named = {
      archives: {
        [archive.name]: { right: 'write', fields: { IBAN: 'hidden', 'keyword.TAG': 'read' } },
      },
      tables: { [table.guid]: 'read' },
    };
    expect(users[0]?.rights).toEqual(named);
    const access = await root.get(`${USERS}/rita/access`);
    expect(accessAnswer.parse(access.body).access).toEqual([
      {
        archive: archive.name,
        right: 'write',
        fields: [
          { name: 'NO', access: 'write' },
          { name: 'IBAN', access: 'hidden' },
          { name: 'keyword.TAG', access: 'read' },
        ],
        because: ['own right'],
      },
      {
        table: table.guid,
        right: 'read',
        fields: [{ name: 'name', access: 'read' }],
        because: ['own right'],
      },
    ]);
    const none = { archives: { [archive.name]: 'none' } };
    const changed = await root.patch(`${USERS}/rita`, { user: { rights: none } });
    expect(changed.body).toMatchObject({ users: [{ rights: { archives: {}, tables: {} } }] });
  });

  it('are listed by page, and found by words in any of their names', async () => {
    for (const n of [1, 2, 3]) {
      await create({
        username: `page${n}`,
        displayName: `Müller ${n}`,
        email: `m${n}@example.org`,
      });
    }
    const list = async (query: string) =>
      configuredUsersAnswer.parse((await root.get(`${USERS}?${query}`)).body);
    const first = await list('q=muller&limit=2');
    expect(first.users.map(({ username }) => username)).toEqual(['page1', 'page2']);
    expect(first.meta.pagination).toMatchObject({ total: 3, limit: 2, next: expect.any(String) });
    const next = first.meta.pagination.next ?? '';
    const second = await list(`q=muller&limit=2&after=${encodeURIComponent(next)}`);
    expect(second.users.map(({ username }) => username)).toEqual(['page3']);
    expect(second.meta.pagination.next).toBeNull();
    expect((await list('q=m2%20page')).users).toHaveLength(1);
    expect((await root.get(`${USERS}?limit=0`)).status).toBe(400);
    expect((await root.get(`${USERS}?offset=1`)).status).toBe(400);
  });

  it('are changed where they are as If-Match says, in what is named', async () => {
    await create({ username: 'carl', password: PASSWORD, email: 'carl@example.org' });
    const { etag } = await read('carl');
    const headers = { 'if-match': etag };
    const first = await root.patch(`${USERS}/carl`, { user: { displayName: 'Carl' } }, { headers });
    expect(first.body).toMatchObject({
      users: [{ displayName: 'Carl', email: 'carl@example.org' }],
    });
    expect(first.headers['etag']).not.toBe(etag);
    const second = await root.patch(`${USERS}/carl`, { user: { email: null } }, { headers });
    expect(second).toMatchObject({
      status: 412,
      body: { code: 'changed_meanwhile', current: { displayName: 'Carl' } },
    });
    const star = { headers: { 'if-match': String(first.headers['etag']) } };
    const cleared = await root.patch(`${USERS}/carl`, { user: { email: null } }, star);
    expect(cleared.body).toMatchObject({ users: [{ email: null }] });
  });

  it('lose sessions when they are disabled or get another role', async () => {
    await create({ username: 'dora', password: PASSWORD });
    const dora = await t.signedIn('dora');
    await root.patch(`${USERS}/dora`, { user: { role: 'reader' } });
    expect((await dora.get('application/sessions')).status).toBe(401);
    await dora.signIn('dora');
    await root.patch(`${USERS}/dora`, { user: { active: false } });
    expect((await dora.get('application/sessions')).status).toBe(401);
    expect((await dora.signIn('dora')).status).toBe(401);
    await root.patch(`${USERS}/dora`, { user: { active: true } });
    expect((await dora.signIn('dora')).status).toBe(201);
  });

  it('get a new one-time password, which ends their sessions', async () => {
    await create({ username: 'emil', password: PASSWORD });
    const emil = await t.signedIn('emil');
    const reset = await root.post(`${USERS}/emil/password`, {});
    const { oneTimePassword } = oneTimePasswordAnswer.parse(reset.body);
    expect((await emil.get('application/sessions')).status).toBe(401);
    expect((await emil.signIn('emil')).status).toBe(401);
    expect((await emil.signIn('emil', oneTimePassword)).text).toContain('passwordChangeRequired');
    expect((await root.post(`${USERS}/nobody/password`, {})).status).toBe(404);
  });

  it('are deleted, and their names never given to others', async () => {
    await create({ username: 'frida', password: PASSWORD });
    const frida = await t.signedIn('frida');
    expect((await root.delete(`${USERS}/frida`)).status).toBe(204);
    expect((await frida.get('application/sessions')).status).toBe(401);
    expect((await frida.signIn('frida')).status).toBe(401);
    expect((await root.get(`${USERS}/frida`)).status).toBe(404);
    expect((await root.get(`${USERS}?q=frida`)).body).toMatchObject({ users: [] });
    const again = await root.post(USERS, { user: { username: 'FRIDA' } });
    expect(again).toMatchObject({
      status: 409,
      body: { errors: { username: [expect.any(String)] } },
    });
  });

  it('keep their last active administrator', async () => {
    const isKept = async (user: object) =>
      (await root.patch(`${USERS}/root`, { user })).status === 409;
    expect(await isKept({ active: false })).toBe(true);
    expect(await isKept({ role: 'clerk' })).toBe(true);
    expect((await root.delete(`${USERS}/root`)).status).toBe(409);
    expect(await isKept({ displayName: 'Root' })).toBe(false);
    await create({ username: 'second', role: 'administrator', password: PASSWORD });
    expect((await (await t.signedIn('second')).delete(`${USERS}/second`)).status).toBe(204);
    expect((await root.delete(`${USERS}/root`)).status).toBe(409);
  });

  it('are for administrators alone', async () => {
    await create({
      username: 'gina',
      password: PASSWORD,
      rights: { archives: { [archive.name]: 'manage' } },
    });
    const gina = await t.signedIn('gina');
    for (const path of [USERS, `${USERS}/root`, 'configuration/groups', 'configuration/sessions']) {
      expect([path, (await gina.get(path)).status]).toEqual([path, 403]);
    }
    expect((await gina.patch(`${USERS}/gina`, { user: { role: 'administrator' } })).status).toBe(
      403,
    );
    expect((await t.client().get(USERS)).status).toBe(401);
  });

  it('see and end their own sessions, administrators those of all', async () => {
    await create({ username: 'hans', password: PASSWORD });
    const options = { headers: { 'user-agent': 'a browser' } };
    const [one, other] = [await t.signedIn('hans', options), await t.signedIn('hans')];
    const sessions = async (client: TestClient, path: string) =>
      openSessionsAnswer.parse((await client.get(path)).body).sessions;
    const own = await sessions(one, 'application/sessions/all');
    expect(own).toHaveLength(2);
    expect(own).toContainEqual({
      sessionId: expect.any(String),
      username: 'hans',
      since: expect.any(String),
      lastSeenAt: expect.any(String),
      address: '127.0.0.1',
      client: 'a browser',
    });
    const mine = own.find(({ client }) => client === 'a browser')?.sessionId ?? '';
    expect((await other.delete(`application/sessions/${mine}`)).status).toBe(204);
    expect((await one.get('application/sessions')).status).toBe(401);
    const all = await sessions(root, 'configuration/sessions');
    expect(new Set(all.map(({ username }) => username))).toContain('root');
    const last = all.find(({ username }) => username === 'hans')?.sessionId ?? '';
    expect((await root.delete(`configuration/sessions/${last}`)).status).toBe(204);
    expect((await other.get('application/sessions')).status).toBe(401);
    expect((await root.delete(`configuration/sessions/${last}`)).status).toBe(404);
  });

  it('are listed with those they meet through groups', async () => {
    await buildUser(t.database, { username: 'ida', rights: [rightOn(table, 'read')] });
    await create({ username: 'jan' });
    const group = {
      name: 'MEETING',
      rights: { tables: { [table.guid]: 'read' } },
      members: ['jan'],
    };
    expect((await root.post('configuration/groups', { group })).status).toBe(201);
    const ida = await t.signedIn('ida');
    expect((await ida.get('application/users')).text).toContain('"jan"');
  });
});
