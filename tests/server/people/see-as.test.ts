import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { auditAnswer } from '#shared/contract/audit.ts';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const pathsSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

describeOnOneDatabase('an administrator who sees as another user', (open) => {
  let t: TestApp;
  let root: TestClient;
  let archive: Archive;
  beforeEach(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NAME' }, { name: 'SECRET' }]);
    await buildRecords(t.database, archive, [['a', 'b']]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    await buildUser(t.database, { username: 'anna', rights: [rightOn(archive, 'write')] });
    root = await t.signedIn('root');
    const right = { right: 'write', fields: { SECRET: 'hidden' } };
    const user = { rights: { archives: { [archive.name]: right } } };
    await root.patch('configuration/users/anna', { user });
  });

  const seeAs = (username: string) => root.post(`configuration/users/${username}/see-as`);
  const session = async (client: TestClient) =>
    sessionsAnswer.parse((await client.get('application/sessions')).body).sessions[0];

  it('reads what the user reads, until the view ends', async () => {
    const own = await session(root);
    expect((await seeAs('anna')).status).toBe(204);

    const seen = await session(root);
    expect(seen).toMatchObject({ username: 'anna', role: 'clerk', seenBy: 'root' });
    expect(seen?.sessionId).not.toBe(own?.sessionId);
    const list = await root.get(`${archivePath(archive)}/index`);
    expect([list.status, list.text]).toEqual([200, expect.not.stringContaining('SECRET')]);
    expect((await root.get('configuration/users')).status).toBe(403);
    expect((await root.get('application/users/anna/storagekey')).status).toBe(403);

    expect((await root.delete('application/see-as')).status).toBe(204);
    expect(await session(root)).toEqual(own);
    expect((await root.get('configuration/users')).status).toBe(200);
    expect((await root.delete('application/see-as')).status).toBe(404);
  });

  it('changes nothing by any call', { tags: ['slow'] }, async () => {
    const { paths } = pathsSchema.parse((await root.get('openapi.json')).body);
    await seeAs('anna');
    const isOfView = new Set([
      'post /application/sessions',
      'post /application/tokens',
      'post /application/sessions/challenges',
      // The provider calls it, without a session.
      'post /application/oidc/backchannel-logout',
      'delete /application/sessions',
      'delete /application/see-as',
    ]);
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      ['post', 'put', 'patch', 'delete']
        .filter((method) => method in methods && !isOfView.has(`${method} ${path}`))
        .map((method) => ({ method, path: path.slice(1) })),
    );
    expect(calls.length).toBeGreaterThan(50);
    for (const { method, path } of calls) {
      const filled = path
        .replaceAll('{archive}', archive.name)
        .replaceAll('{username}', 'anna')
        .replaceAll(/\{\w+\}/g, '1');
      const name = z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).parse(method.toUpperCase());
      const { status, text } = await root.send(name, filled);
      expect([name, path, status, text]).toEqual([
        name,
        path,
        403,
        expect.stringContaining('view'),
      ]);
    }
    expect((await root.delete('application/sessions')).status).toBe(204);
    expect((await root.get('application/sessions')).status).toBe(401);
  });

  it('is in the audit, with begin and end', async () => {
    await seeAs('anna');
    await root.delete('application/see-as');
    const { body } = await root.get('configuration/audit?kind=sign-in&field=seesAs');
    expect(auditAnswer.parse(body).entries).toMatchObject([
      { user: 'root', id: 'root', changes: [{ name: 'seesAs', before: 'anna', after: null }] },
      { user: 'root', id: 'root', changes: [{ name: 'seesAs', before: null, after: 'anna' }] },
    ]);
  });

  it('sees as nobody who may see nothing, nor as himself', async () => {
    await buildUser(t.database, { username: 'gone' });
    await root.patch('configuration/users/gone', { user: { active: false } });
    expect(await seeAs('gone')).toMatchObject({ status: 409 });
    expect(await seeAs('root')).toMatchObject({ status: 409 });
    expect(await seeAs('nobody')).toMatchObject({ status: 404 });

    const other = await buildUser(t.database, { username: 'other', role: 'administrator' });
    const second = await t.signedIn(other.username);
    await seeAs('anna');
    await second.patch('configuration/users/anna', { user: { active: false } });
    expect((await root.get(`${archivePath(archive)}/index`)).status).toBe(403);
    expect(await session(root)).toMatchObject({ username: 'anna', seenBy: 'root' });
    // Without the role the session ends, and the view with it.
    await second.patch('configuration/users/root', { user: { role: 'clerk' } });
    expect((await root.get('application/sessions')).status).toBe(401);
  });

  it('ends with the session, also where a sign-in replaces it', async () => {
    await seeAs('anna');
    const { cookie } = root;
    await root.signIn('anna');
    const before = await t.client().get('application/sessions', { headers: { cookie } });
    expect(before.status).toBe(401);
    expect(await session(root)).not.toHaveProperty('seenBy');
  });

  it('is closed to others', async () => {
    const anna = await t.signedIn('anna');
    expect((await anna.post('configuration/users/root/see-as')).status).toBe(403);
  });
});
