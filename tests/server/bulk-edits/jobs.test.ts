/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { changeUser } from '#server/modules/accounts/users.service.ts';
import { bulkEditListAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { historyAnswer, indexAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  BUILDER,
  buildArchive,
  buildRecords,
  rightOn,
} from '#tests/support/builders.ts';
import {
  bulkEditOf,
  doWhileUnderWay,
  ended,
  planAt,
  revisionsOf,
} from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import type { User } from '#server/modules/accounts/users.service.ts';

const MANY = 100;
/** More than a part of a job that others wait for. */
const LONG = IS_LONG_RUN ? 3_000 : 1_500;
const APPEND = [{ field: 'NAME', do: 'append', text: '!' }];

describeOnOneDatabase('Bulk edits', (open) => {
  let t: TestApp;
  let archive: Archive;
  let user: User;
  let clerk: TestClient;
  let other: TestClient;
  let path: string;
  beforeEach(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NAME' }, { name: 'N', type: 'integer' }]);
    await buildRecords(
      t.database,
      archive,
      Array.from({ length: MANY }, (_, i) => [`name ${i + 1}`, i + 1]),
    );
    user = await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'other', rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
    other = await t.signedIn('other');
    path = `${archivePath(archive)}/bulkedits`;
  });
  const revision = (id: number) => `${archivePath(archive)}/documents/${id}`;
  const history = async (id: number) =>
    historyAnswer.parse((await clerk.get(`${revision(id)}/history`)).body).history;
  const names = async () => {
    const all = [];
    for (let offset = 0; ; offset += 1000) {
      const answer = await clerk.get(`${archivePath(archive)}/index?limit=1000&offset=${offset}`);
      const { archivedocuments } = indexAnswer.parse(answer.body);
      all.push(...archivedocuments.map(({ indexFields }) => indexFields[0]?.value));
      if (archivedocuments.length < 1000) return all;
    }
  };
  const addMore = () =>
    buildRecords(
      t.database,
      archive,
      Array.from({ length: LONG - MANY }, (_, i) => [`name ${MANY + i + 1}`, i + 1]),
    );
  /** Pauses a job that has begun and not ended. */
  const pauseWithin = async (at: string) => {
    const isBegun = ({ done }: { readonly done: number }) => done > 0;
    const pause = () => clerk.post(`${at}/pause`);
    return bulkEditOf(await doWhileUnderWay(t.database, clerk, at, isBegun, pause));
  };
  const change = (id: number, value: string) =>
    other.patch(`${revision(id)}/indexdata`, { indexFields: [{ name: 'NAME', value }] });
  const search = async (q: string) => {
    const answer = await clerk.get(`${archivePath(archive)}/index/count?q=${q}`);
    return answer.body;
  };

  it('are applied as planned, with history, and taken back', async () => {
    const at = await planAt(clerk, path, { filter: '' }, APPEND);
    const started = bulkEditOf(await clerk.post(`${at}/apply`, { onChanged: 'refuse' }));
    expect(started).toMatchObject({ state: 'applying', onChanged: 'refuse' });
    expect(await ended(clerk, at)).toMatchObject({
      state: 'done',
      counts: { total: MANY, changed: MANY, pending: 0, done: MANY, conflicts: 0 },
      finishedAt: expect.any(String),
    });
    expect(await names()).toEqual(Array.from({ length: MANY }, (_, i) => `name ${i + 1}!`));
    expect(await search('77!')).toEqual({ count: 1 });
    const [entry, ...more] = await history(5);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      user: 'clerk',
      call: expect.stringMatching(/^POST .*bulkedits\/:bulkEditId\/apply$/),
      changes: [{ name: 'NAME', before: 'name 5', after: 'name 5!' }],
    });
    await change(7, 'seven');
    expect((await clerk.post(`${at}/undo`)).status).toBe(200);
    expect(await ended(clerk, at)).toMatchObject({
      state: 'undone',
      counts: { done: 0, takenBack: MANY - 1, left: 1 },
    });
    expect(await revisionsOf(clerk, at, 'left')).toMatchObject([
      { revisionId: '7', message: expect.stringContaining('last by other') },
    ]);
    expect((await names()).slice(4, 8)).toEqual(['name 5', 'name 6', 'seven', 'name 8']);
    expect((await history(5))[0]?.call).toMatch(/undo$/);
    expect(await search('77!')).toEqual({ count: 0 });
    expect((await clerk.post(`${at}/undo`)).status).toBe(409);
  });

  it('leave out what was changed since the plan, and can be tried again for that', async () => {
    const at = await planAt(clerk, path, { revisionIds: [1, 2, 3] }, APPEND);
    await change(2, 'two');
    expect((await other.patch(revision(3), { locked: true })).status).toBe(200);
    await clerk.post(`${at}/apply`, { onChanged: 'leaveOut' });
    expect(await ended(clerk, at)).toMatchObject({
      state: 'done',
      counts: { done: 1, conflicts: 2 },
    });
    expect(await revisionsOf(clerk, at, 'conflict')).toMatchObject([
      { revisionId: '2', message: expect.stringContaining('last by other') },
      { revisionId: '3', message: expect.stringContaining('locked by other') },
    ]);
    const again = await clerk.post(`${at}/again`);
    expect(again.status).toBe(201);
    expect(bulkEditOf(again)).toMatchObject({ counts: { total: 2, changed: 1, locked: 1 } });
    const second = `${path}/${bulkEditOf(again).bulkEditId}`;
    await clerk.post(`${second}/apply`, { onChanged: 'refuse' });
    expect(await ended(clerk, second)).toMatchObject({ state: 'done' });
    expect((await names()).slice(0, 4)).toEqual(['name 1!', 'two!', 'name 3', 'name 4']);
  });

  it('are refused as a whole where that is wanted and something was changed', async () => {
    const at = await planAt(clerk, path, { filter: '' }, APPEND);
    await change(2, 'two');
    const refused = await clerk.post(`${at}/apply`, { onChanged: 'refuse' });
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({
      code: 'changed_meanwhile',
      errors: { '-': ['1 revision was changed since the plan. Nothing was changed.'] },
    });
    expect(bulkEditOf(await clerk.get(at)).state).toBe('planned');
    expect((await names())[0]).toBe('name 1');
  });

  it('pause, go on, and stop at a conflict that comes later', async () => {
    await addMore();
    const at = await planAt(clerk, path, { filter: '' }, APPEND);
    await clerk.post(`${at}/apply`, { onChanged: 'refuse' });
    const paused = await pauseWithin(at);
    expect(paused.state).toBe('paused');
    expect(paused.counts.pending).toBeGreaterThan(0);
    expect(bulkEditOf(await clerk.get(at)).counts).toEqual(paused.counts);
    await change(LONG, 'last');
    expect(bulkEditOf(await clerk.post(`${at}/resume`)).state).toBe('applying');
    const stopped = await ended(clerk, at);
    expect(stopped).toMatchObject({
      state: 'stopped',
      message: expect.stringContaining('changed'),
    });
    expect(stopped.counts.conflicts).toBe(1);
    expect(stopped.counts.done + stopped.counts.pending + 1).toBe(LONG);
    await clerk.post(`${at}/undo`);
    await ended(clerk, at);
    expect(await names()).toEqual([
      ...Array.from({ length: LONG - 1 }, (_, i) => `name ${i + 1}`),
      'last',
    ]);
  });

  it.each([
    [
      'the user is disabled',
      () => t.database.write((db) => changeUser(db, user, { active: false }, BUILDER)),
      'sign in',
    ],
    [
      'the right is lost',
      () => t.database.write((db) => changeUser(db, user, { role: 'reader' }, BUILDER)),
      'no longer change this archive',
    ],
  ])('stop where %s', async (_, lose, told) => {
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const at = await planAt(clerk, path, { filter: '' }, APPEND);
    /** Until then another process works on it. */
    const leaseUntil = (time: number) =>
      t.database.write((db) =>
        db.k
          .updateTable('bulk_edits')
          .set({ lease_owner: 'another process', lease_until: time })
          .execute(),
      );
    await leaseUntil(Date.now() + 3_600_000);
    expect((await clerk.post(`${at}/apply`, {})).status).toBe(200);
    await lose();
    await leaseUntil(0);
    expect(await ended(admin, at)).toMatchObject({
      state: 'stopped',
      message: expect.stringContaining(told),
      counts: { done: 0, pending: MANY },
    });
  });

  it('stay, as receipts, as long as the history', { tags: ['long'] }, async () => {
    await addMore();
    const at = await planAt(clerk, path, { filter: '' }, APPEND);
    await clerk.post(`${at}/apply`, {});
    const isBegun = ({ done }: { readonly done: number }) => done > 0;
    const deleted = await doWhileUnderWay(t.database, clerk, at, isBegun, () => clerk.delete(at));
    expect(deleted.status).toBe(409);
    await ended(clerk, at);
    expect((await clerk.delete(at)).status).toBe(409);
    await clerk.post(`${at}/undo`);
    await ended(clerk, at);
    expect((await clerk.delete(at)).status).toBe(409);
    expect(bulkEditOf(await clerk.get(at)).state).toBe('undone');
  });

  it('are not removed by plans that come later, and can still be undone', async () => {
    const at = await planAt(clerk, path, { revisionIds: [1] }, APPEND);
    await clerk.post(`${at}/apply`, {});
    await ended(clerk, at);
    const plans: string[] = [];
    for (let i = 0; i < 60; i += 1) {
      plans.push(await planAt(clerk, path, { revisionIds: [2] }, APPEND));
    }
    const statuses = async (ats: readonly string[]) =>
      new Set((await Promise.all(ats.map((one) => clerk.get(one)))).map(({ status }) => status));
    expect(await statuses(plans.slice(10))).toEqual(new Set([200]));
    expect(await statuses(plans.slice(0, 10))).toEqual(new Set([404]));
    const first = bulkEditListAnswer.parse((await clerk.get(path)).body);
    const { next } = first.meta.pagination;
    const second = bulkEditListAnswer.parse((await clerk.get(`${path}?after=${next}`)).body);
    const listed = [...first.bulkedits, ...second.bulkedits];
    expect(listed.map(({ bulkEditId }) => `${path}/${bulkEditId}`)).toEqual([
      ...plans.slice(10).toReversed(),
      at,
    ]);
    expect([first.bulkedits.length, second.meta.pagination.next]).toEqual([50, null]);
    expect((await clerk.get(`${path}?after=x`)).status).toBe(400);
    expect((await clerk.post(`${at}/undo`)).status).toBe(200);
    expect(await ended(clerk, at)).toMatchObject({ state: 'undone', counts: { takenBack: 1 } });
  });

  it('that were not applied are deleted with their revisions', async () => {
    await addMore();
    const at = await planAt(clerk, path, { filter: '' }, APPEND);
    expect((await clerk.delete(at)).status).toBe(204);
    expect((await clerk.get(at)).status).toBe(404);
    const left = () =>
      t.database.read((db) =>
        db.k.selectFrom('bulk_edit_revisions').selectAll().limit(1).execute(),
      );
    await expect.poll(left).toEqual([]);
  });

  it('are one’s own to apply', async () => {
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const at = await planAt(clerk, path, { revisionIds: [1] }, APPEND);
    expect((await other.post(`${at}/apply`, {})).status).toBe(404);
    expect((await admin.post(`${at}/apply`, {})).status).toBe(403);
    expect((await clerk.post(`${at}/pause`)).status).toBe(409);
    expect((await clerk.post(`${at}/undo`)).status).toBe(409);
  });
});
