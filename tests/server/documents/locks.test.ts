import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { historyAnswer, revisionDetailAnswer } from '#shared/contract/answers.ts';
import { locksAnswer } from '#shared/contract/locks.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('locks of revisions', (open) => {
  let t: TestApp;
  let archive: Archive;
  let anna: TestClient;
  let bert: TestClient;
  let admin: TestClient;
  let next = 1;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }]);
    await buildRecords(
      t.database,
      archive,
      Array.from({ length: 10 }, (_, i) => [`R-${i + 1}`]),
    );
    for (const username of ['anna', 'bert']) {
      await buildUser(t.database, { username, rights: [rightOn(archive, 'manage')] });
    }
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    await buildUser(t.database, { username: 'reading', rights: [rightOn(archive, 'read')] });
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    admin = await t.signedIn('admin');
  });
  const fresh = () => `${archivePath(archive)}/documents/${next++}`;
  const body = { indexFields: [{ name: 'NO', value: 'x' }] };
  const lockOf = async (path: string) =>
    revisionDetailAnswer.parse((await bert.get(path)).body).archivedocumentrevisions[0]?.locked;

  it('answer as the GET, with a new ETag and a history entry', async () => {
    const path = fresh();
    const before = await anna.get(path);
    const locked = await anna.patch(path, { locked: true });
    expect(locked.status).toBe(200);
    const after = await anna.get(path);
    expect(locked.text).toBe(after.text);
    expect(locked.headers['etag']).toBe(after.headers['etag']);
    expect(locked.headers['etag']).not.toBe(before.headers['etag']);
    const lock = await lockOf(path);
    expect(lock).toEqual({ by: 'anna', at: expect.stringMatching(/^\d{4}-.*Z$/) });
    const { history } = historyAnswer.parse((await bert.get(`${path}/history`)).body);
    expect(history).toEqual([
      {
        historyId: expect.any(String),
        at: lock?.at,
        user: 'anna',
        call: 'PATCH application/archiveapp/archives/:archive/documents/:revisionId',
        changes: [{ name: 'document.locked', before: null, after: lock }],
      },
    ]);
    // What is so already changes nothing.
    const again = await anna.patch(path, { locked: true });
    expect([again.status, again.text]).toEqual([200, locked.text]);
    expect(again.headers['etag']).toBe(locked.headers['etag']);
    const list = await bert.get(`${archivePath(archive)}/index?where[revisionId][eq]=1`);
    expect(list.body).toMatchObject({ archivedocuments: [{ locked: lock }] });
  });

  it('keep others out, who are told by whom; not the holder and administrators', async () => {
    const path = fresh();
    await anna.patch(path, { locked: true });
    for (const answer of [
      await bert.patch(`${path}/indexdata`, body),
      await bert.put(`${path}/indexdata`, body),
      await bert.patch(path, { locked: false }),
      await bert.patch(path, { locked: true }),
      await bert.delete(path),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([
        423,
        { code: 'locked', errors: { '-': [expect.stringContaining('anna')] } },
      ]);
    }
    expect((await anna.patch(`${path}/indexdata`, body)).status).toBe(200);
    expect((await admin.patch(`${path}/indexdata`, body)).status).toBe(200);
    expect(await lockOf(path)).toMatchObject({ by: 'anna' });
    expect((await admin.patch(path, { locked: false })).status).toBe(200);
    expect(await lockOf(path)).toBeNull();
    expect((await bert.patch(`${path}/indexdata`, body)).status).toBe(200);
  });

  it('are listed for administrators, who release them', async () => {
    const [held, ended] = [fresh(), fresh()];
    await anna.patch(held, { locked: true });
    const other = await t.signedIn('anna');
    await other.patch(ended, { locked: true });
    await other.delete('application/sessions');
    const listed = async (path: string) => {
      const { locks } = locksAnswer.parse((await admin.get('configuration/locks')).body);
      return locks.filter(({ revisionId }) => path.endsWith(`/${revisionId}`));
    };
    expect(await listed(held)).toMatchObject([{ archive: archive.name, by: 'anna' }]);
    expect(await listed(ended)).toEqual([]);
    expect((await bert.get('configuration/locks')).status).toBe(403);

    expect((await admin.patch(held, { locked: false })).status).toBe(200);
    expect(await listed(held)).toEqual([]);
    const { body: audit } = await admin.get('configuration/audit?user=admin');
    expect(Object(audit).entries[0]).toMatchObject({
      action: 'lock',
      changes: [{ name: 'document.locked', before: { by: 'anna' }, after: null }],
    });
  });

  it("end with the holder's session, by whatever its end", async () => {
    const path = fresh();
    const other = await t.signedIn('anna');
    await other.patch(path, { locked: true });
    // The same user on another session.
    expect((await anna.patch(`${path}/indexdata`, body)).status).toBe(200);
    expect((await bert.patch(`${path}/indexdata`, body)).status).toBe(423);
    await other.delete('application/sessions');
    expect(await lockOf(path)).toBeNull();
    expect((await bert.patch(`${path}/indexdata`, body)).status).toBe(200);
    expect((await bert.patch(path, { locked: true })).status).toBe(200);

    const idle = fresh();
    const forgotten = await t.signedIn('anna');
    await forgotten.patch(idle, { locked: true });
    expect(await lockOf(idle)).toMatchObject({ by: 'anna' });
    const session = Object((await forgotten.get('application/sessions')).body).sessions[0]
      .sessionId;
    await t.database.write((db) =>
      db.k
        .updateTable('sessions')
        .set({ expires_at: Date.now() - 1 })
        .where('id', '=', session)
        .execute(),
    );
    expect(await lockOf(idle)).toBeNull();
    expect((await bert.patch(`${idle}/indexdata`, body)).status).toBe(200);
  });

  it('heed If-Match, rights and the shape of the body', async () => {
    const path = fresh();
    const tag = String((await anna.get(path)).headers['etag']);
    await anna.patch(`${path}/indexdata`, body);
    const stale = await anna.patch(path, { locked: true }, { headers: { 'if-match': tag } });
    expect([stale.status, stale.body]).toMatchObject([412, { code: 'changed_meanwhile' }]);
    const held = String((await anna.patch(path, { locked: true })).headers['etag']);
    await anna.patch(`${path}/indexdata`, { indexFields: [{ name: 'NO', value: 'y' }] });
    const unlock = (ifMatch: string) =>
      anna.patch(path, { locked: false }, { headers: { 'if-match': ifMatch } });
    const late = await unlock(held);
    expect([late.status, late.body]).toMatchObject([412, { code: 'changed_meanwhile' }]);
    expect(await lockOf(path)).toMatchObject({ by: 'anna' });
    expect((await unlock(String((await anna.get(path)).headers['etag']))).status).toBe(200);
    expect(await lockOf(path)).toBeNull();
    const reading = await t.signedIn('reading');
    expect((await reading.patch(path, { locked: true })).status).toBe(403);
    for (const wrong of [{}, { locked: 'true' }, { locked: 1 }, { locked: true, by: 'x' }]) {
      expect((await anna.patch(path, wrong)).status).toBe(422);
    }
    expect(
      (await anna.patch(`${archivePath(archive)}/documents/999`, { locked: true })).status,
    ).toBe(404);
  });

  it('a revision is deleted with `manage`, its history stays', async () => {
    const path = fresh();
    await buildUser(t.database, { username: 'writing', rights: [rightOn(archive, 'write')] });
    const writing = await t.signedIn('writing');
    expect((await writing.delete(path)).status).toBe(403);
    const tag = String((await anna.get(path)).headers['etag']);
    expect((await anna.delete(path, undefined, { headers: { 'if-match': '"0"' } })).status).toBe(
      412,
    );
    const deleted = await anna.delete(path, undefined, { headers: { 'if-match': tag } });
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await anna.get(path)).status).toBe(404);
    expect((await anna.delete(path)).status).toBe(404);
    const { history } = historyAnswer.parse((await anna.get(`${path}/history`)).body);
    expect(history[0]).toMatchObject({ user: 'anna', changes: [{ name: 'NO', after: null }] });
  });
});
