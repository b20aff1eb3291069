import { beforeAll, describe, expect, it } from 'vitest';
import { errorBodySchema } from '#shared/contract/errors.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const FOREIGN = { origin: 'https://elsewhere.example' };

describeOnOneDatabase('the order of errors', (open) => {
  let t: TestApp;
  let archive: Archive;
  let hidden: Archive;
  let table: Table;
  let reader: TestClient;
  let clerk: TestClient;

  beforeAll(async () => {
    t = await openApp(open, { maxBodyBytes: 2000 });
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    hidden = await buildArchive(t.database, [{ name: 'NO' }]);
    table = await buildTable(t.database, [{ name: 'name' }]);
    await buildRecords(t.database, archive, [['R-1']]);
    await buildUser(t.database, { username: 'reader', rights: [rightOn(archive, 'read')] });
    await buildUser(t.database, { username: 'clerk', rights: [rightOn(archive, 'write')] });
    reader = await t.signedIn('reader');
    clerk = await t.signedIn('clerk');
  });

  const indexData = (of: Archive, revision = '1') =>
    `application/archiveapp/archives/${of.name}/documents/${revision}/indexdata`;
  const bad = { headers: { ...FOREIGN, 'content-type': 'text/plain' } };

  it('names an unknown version before all else', async () => {
    for (const path of [
      '/api/rest/v1/application/sessions',
      '/api/rest/v3',
      '/api/rest/latest/x',
    ]) {
      const answer = await t.client().post(path, 'x', bad);
      expect([path, answer.status, answer.body]).toMatchObject([
        path,
        404,
        { code: 'unknown_version' },
      ]);
    }
  });

  it('refuses another site before it asks for a session', async () => {
    for (const path of [indexData(archive), 'application/nothing', 'application/sessions']) {
      const answer = await t.client().patch(path, 'x', bad);
      expect(answer).toMatchObject({ status: 403, body: { code: 'cross_site' } });
    }
    const signIn = await t.client().post('application/sessions', {}, { headers: FOREIGN });
    expect(signIn).toMatchObject({ status: 403, body: { code: 'cross_site' } });
  });

  it('asks for a session before it tells what there is', async () => {
    const text = { headers: { 'content-type': 'text/plain' } };
    for (const path of [
      indexData(hidden),
      indexData(archive),
      'application/nothing',
      '/api',
      '/api/x',
    ]) {
      for (const method of ['PATCH', 'GET', 'DELETE', 'OPTIONS'] as const) {
        const answer = await t
          .client()
          .send(method, path, method === 'GET' ? undefined : 'x', text);
        expect([path, method, answer.status, answer.body]).toMatchObject([
          path,
          method,
          401,
          { code: 'unauthenticated' },
        ]);
      }
    }
  });

  it('knows no archive and no table that the user may not see', async () => {
    const text = { headers: { 'content-type': 'text/plain' } };
    const missing = indexData(archive).replace(archive.name, 'NONE');
    for (const path of [indexData(hidden), missing, `application/dataapp/tables/${table.guid}`]) {
      for (const method of ['PATCH', 'GET', 'DELETE'] as const) {
        const answer = await clerk.send(method, path, method === 'GET' ? undefined : 'x', text);
        expect([path, method, answer.status]).toEqual([path, method, 404]);
        expect(answer.body).toMatchObject({ code: 'not_found' });
      }
    }
  });

  it('refuses what the right does not allow before it reads the body', async () => {
    const text = { headers: { 'content-type': 'text/plain' } };
    const answer = await reader.patch(indexData(archive), 'x'.repeat(5000), text);
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const remove = await clerk.delete(indexData(archive).replace('/indexdata', ''), 'x', text);
    expect(remove.status).toBe(403);
  });

  it('refuses calls about the account of another user before it reads query and body', async () => {
    const account = 'application/users/reader';
    const text = { headers: { 'content-type': 'text/plain' } };
    for (const [method, path] of [
      ['PUT', `${account}/password`],
      ['POST', `${account}/password/checks`],
      ['GET', `${account}/storagekey`],
      ['GET', `${account}/tokens`],
      ['POST', `${account}/tokens`],
      ['DELETE', `${account}/tokens/1`],
      ['GET', `${account}/factors`],
      ['POST', `${account}/factors`],
      ['DELETE', `${account}/factors`],
      ['PATCH', `${account}/factors/1`],
      ['DELETE', `${account}/factors/1`],
    ] as const) {
      const body = method === 'GET' ? undefined : 'x';
      const answer = await clerk.send(method, `${path}?surplus=1`, body, text);
      expect([method, path, answer.status, answer.body]).toMatchObject([
        method,
        path,
        403,
        { code: 'forbidden' },
      ]);
    }
  });

  it('names the methods that an address has', async () => {
    const text = { headers: { 'content-type': 'text/plain' } };
    const answer = await reader.delete(indexData(archive), 'x'.repeat(5000), text);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers['allow']).toBe('PATCH, PUT');
    const sessions = await reader.patch('application/sessions', {});
    expect(sessions.headers['allow']).toBe('DELETE, GET, HEAD, POST');
    expect((await reader.send('OPTIONS', 'application/sessions')).status).toBe(405);
  });

  it('names the methods of the addresses of administrators to them alone', async () => {
    const path = 'configuration/archives';
    const answer = await clerk.patch(path, {});
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    expect((await (await t.signedIn('root')).patch(path, {})).headers['allow']).toBe(
      'GET, HEAD, POST',
    );
  });

  it('reports what is wrong with the query beside what is wrong with the body', async () => {
    const answer = await clerk.patch(`${indexData(archive)}?surplus=1`, '{');
    expect(answer.status).toBe(400);
    const { errors } = errorBodySchema.parse(answer.body);
    expect(Object.keys(errors).toSorted()).toEqual(['-', 'surplus']);
    const signIn = await t.client().post('application/sessions?surplus=1', '{');
    expect(signIn.status).toBe(400);
    const { errors: ofSignIn } = errorBodySchema.parse(signIn.body);
    expect(Object.keys(ofSignIn).toSorted()).toEqual(['-', 'surplus']);
  });

  it('names the methods of a segment that is reserved among ids', async () => {
    await buildUser(t.database, { username: 'manager', rights: [rightOn(table, 'manage')] });
    const manager = await t.signedIn('manager');
    const datasets = `application/dataapp/tables/${table.guid}/datasets`;
    const allowed = {
      count: 'GET, HEAD',
      '%63ount': 'GET, HEAD',
      deleted: 'GET, HEAD',
      export: 'GET, HEAD',
      facts: 'GET, HEAD, POST',
      groups: 'GET, HEAD',
      ids: 'GET, HEAD',
      position: 'GET, HEAD',
      undo: 'POST',
    };
    for (const [segment, allow] of Object.entries(allowed)) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if (allow.split(', ').includes(method)) continue;
        const body = method === 'PUT' ? { dataset: { name: 'x' } } : undefined;
        const answer = await manager.send(method, `${datasets}/${segment}`, body);
        expect([method, segment, answer.status, answer.headers['allow']]).toEqual([
          method,
          segment,
          405,
          allow,
        ]);
      }
    }
    // The dataset of an id is served as before, and other words are no dataset.
    expect((await manager.put(`${datasets}/1`, { dataset: { name: 'x' } })).status).toBe(404);
    expect((await manager.put(`${datasets}/counts`, { dataset: { name: 'x' } })).status).toBe(404);
    // A table that the user may not see is unknown before anything else.
    expect((await clerk.put(`${datasets}/count`, {})).status).toBe(404);
    expect((await t.client().put(`${datasets}/count`, {})).status).toBe(401);
    const stream = await manager.post('application/events', {});
    expect([stream.status, stream.headers['allow']]).toEqual([405, 'GET']);
  });

  it('looks at the media type, then the length, then the syntax, then the shape', async () => {
    const path = `${indexData(archive)}?surplus=1`;
    const type = (value: string) => ({ headers: { 'content-type': value } });
    const long = `{"indexFields": ${'['.repeat(3000)}`;
    const statuses = [
      await clerk.patch(path, long, type('text/plain')),
      await clerk.patch(path, long, type('application/json; charset=latin1')),
      await clerk.patch(path, long, type(';;;')),
      await clerk.patch(path, long),
      await clerk.patch(path, '{"indexFields": ['),
      await clerk.patch(path, { surplus: 1 }),
      await clerk.patch(indexData(archive), { surplus: 1 }),
      await clerk.patch(indexData(archive, '99'), { indexFields: [{ name: 'NO', value: 'x' }] }),
    ].map(({ status, body }) => `${status} ${errorBodySchema.parse(body).code}`);
    expect(statuses).toEqual([
      '415 unsupported_media_type',
      '415 unsupported_media_type',
      '415 unsupported_media_type',
      '413 too_large',
      '400 malformed',
      '400 malformed',
      '422 validation_failed',
      '404 not_found',
    ]);
  });

  it('finds a definition before it looks at the method, the body and the query', async () => {
    await buildUser(t.database, { username: 'definer', role: 'administrator' });
    const admin = await t.signedIn('definer');
    const none = '6e0f1f9c-0000-4000-8000-000000000000';
    const calls = [
      ['GET', 'configuration/archives/NONE'],
      ['PUT', 'configuration/archives/NONE'],
      ['DELETE', 'configuration/archives/NONE'],
      ['PATCH', 'configuration/archives/NONE'],
      ['GET', 'configuration/archives/NONE/export'],
      ['GET', 'configuration/archives/NONE/history'],
      ['POST', 'configuration/archives/NONE/history/1/revert'],
      ['GET', 'configuration/archives/NONE/fields/NO/uses'],
      ['POST', 'configuration/archives/NONE/fields/NO/purge'],
      ['POST', 'configuration/archives/NONE/misfits'],
      ['POST', 'configuration/archives/NONE/restore'],
      ['DELETE', 'configuration/archives/NONE/restore'],
      ['PUT', `configuration/tables/${none}`],
      ['PATCH', `configuration/tables/${none}`],
      ['POST', `configuration/tables/${none}/columns/name/purge`],
      ['GET', 'application/users/definer/archives/NONE'],
      ['PATCH', 'application/users/definer/archives/NONE'],
    ] as const;
    const headersOf = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'text/plain', 'idempotency-key': 'found' },
    ];
    for (const [method, path] of calls) {
      for (const headers of headersOf) {
        for (const body of ['x', 'x'.repeat(5000)]) {
          const sent = method === 'GET' ? undefined : body;
          const answer = await admin.send(method, `${path}?surplus=1`, sent, { headers });
          expect([method, path, answer.status]).toEqual([method, path, 404]);
          expect(answer.body).toMatchObject({ code: 'not_found' });
        }
      }
    }
    const refused = await clerk.put('configuration/archives/NONE', {});
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('looks at the parameters of a call before the shape of its body', async () => {
    const records = `application/archiveapp/archives/${archive.name}`;
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const definition = `configuration/archives/${archive.name}`;
    const answers = {
      window: await clerk.put(`${records}/documents/1/viewers?window=${'w'.repeat(65)}`, { x: 1 }),
      receipt: await clerk.patch(`${records}/indexdata?receipt=no`, { revisions: [] }),
      dryRun: await admin.put(`${definition}?dryRun=no`, { archive: {} }),
      purge: await admin.delete(`${definition}?purge=no`, { x: 1 }),
    };
    for (const [name, { status, body }] of Object.entries(answers)) {
      const { errors } = errorBodySchema.parse(body);
      expect([status, Object.keys(errors)]).toEqual([400, [name]]);
    }
  });

  describe('without a body', () => {
    it('finds no fault with its type', async () => {
      for (const type of ['text/plain', 'application/json', ';;;', 'multipart/form-data']) {
        const headers = { 'content-type': type };
        const answer = await clerk.patch(indexData(archive), undefined, { headers });
        expect([type, answer.status]).toEqual([type, 422]);
        expect(answer.body).toMatchObject({ errors: { '-': ['A body is needed.'] } });
        expect((await clerk.get('application/sessions', { headers })).status).toBe(200);
      }
    });
  });
});
