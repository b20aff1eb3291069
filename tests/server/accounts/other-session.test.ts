import { beforeAll, expect, it } from 'vitest';
import { sessionsAnswer } from '#shared/contract/answers.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const OTHER = { status: 409, body: { code: 'other_session' } };

describeOnOneDatabase('writes that name their session', (open) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let browser: TestClient;
  /** as a tab sends it that was opened before somebody else signed in */
  let stale: { readonly headers: Readonly<Record<string, string>> };

  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    table = await buildTable(t.database, [{ name: 'name' }]);
    await buildRecords(t.database, archive, [['R-1']]);
    for (const username of ['anna', 'berta']) {
      await buildUser(t.database, {
        username,
        rights: [rightOn(archive, 'manage'), rightOn(table, 'manage')],
      });
    }
    browser = await t.signedIn('anna');
    stale = { headers: { 'indexdesk-session': await sessionIdOf(browser) } };
    await browser.signIn('berta');
  });

  const sessionIdOf = async (client: TestClient) =>
    sessionsAnswer.parse((await client.get('application/sessions')).body).sessions[0]?.sessionId ??
    '';
  const inArchive = (path: string) => `application/archiveapp/archives/${archive.name}/${path}`;
  const datasets = () => `application/dataapp/tables/${table.guid}/datasets`;
  const change = { indexFields: [{ name: 'NO', value: 'R-2' }] };

  it('are refused in another session, and nothing is done', async () => {
    const revision = inArchive('documents/1/indexdata');
    const history = inArchive('documents/1/history');
    const before = (await browser.get(history)).body;
    const writes = [
      browser.patch(revision, change, stale),
      browser.put(revision, change, stale),
      browser.patch(inArchive('indexdata'), { revisions: [{ revisionId: 1, ...change }] }, stale),
      browser.patch(inArchive('documents/1'), { locked: true }, stale),
      browser.delete(inArchive('documents/1'), undefined, stale),
      browser.post(datasets(), { dataset: { name: 'new' } }, stale),
      browser.put(
        'application/users/berta/password',
        { current: 'correct horse battery', password: 'another horse battery' },
        stale,
      ),
      browser.delete('application/sessions', undefined, stale),
    ];
    for (const answer of await Promise.all(writes)) expect(answer).toMatchObject(OTHER);
    expect((await browser.get(history)).body).toEqual(before);
    expect((await browser.get(`${datasets()}/count`)).body).toEqual({ count: 0 });
    expect((await browser.get('application/sessions')).status).toBe(200);
  });

  it('are refused before it is told what the other user may not see or send', async () => {
    const unknown = await browser.delete(inArchive('documents/99'), undefined, stale);
    const elsewhere = await browser.patch(
      'application/archiveapp/archives/NONE/indexdata',
      {},
      stale,
    );
    const bad = await browser.patch(inArchive('documents/1/indexdata'), '{', stale);
    for (const answer of [unknown, elsewhere, bad]) expect(answer).toMatchObject(OTHER);
  });

  it('need a session before it is compared', async () => {
    const answer = await t.client().patch(inArchive('documents/1/indexdata'), change, stale);
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('are done in the session they name; reads do not compare it', async () => {
    const headers = { 'indexdesk-session': await sessionIdOf(browser) };
    const revision = inArchive('documents/1/indexdata');
    expect((await browser.patch(revision, change, { headers })).status).toBe(200);
    expect((await browser.get(inArchive('documents/1'), stale)).status).toBe(200);
  });

  it('get no answer that was given in another session for the same key', async () => {
    const revision = inArchive('documents/1/indexdata');
    const once = { 'idempotency-key': 'one-save' };
    const body = { indexFields: [{ name: 'NO', value: 'R-3' }] };
    const own = { ...once, 'indexdesk-session': await sessionIdOf(browser) };
    expect((await browser.patch(revision, body, { headers: own })).status).toBe(200);
    const other = { headers: { ...once, ...stale.headers } };
    expect(await browser.patch(revision, body, other)).toMatchObject(OTHER);
  });
});
