import { beforeEach, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { changeUser } from '#server/modules/accounts/users.service.ts';
import { bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { revisionsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  BUILDER,
  buildArchive,
  buildRecords,
  rightOn,
} from '#tests/support/builders.ts';
import { bulkEditOf, ended, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('Receipts of corrections of several revisions by one call', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let other: TestClient;
  let path: string;
  beforeEach(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NAME' }, { name: 'N' }], ['SUBJECT']);
    await buildRecords(
      t.database,
      archive,
      [
        ['one', 'a'],
        ['two', 'b'],
        ['new', 'c'],
      ],
      () => [['paper', 'ink']],
    );
    const rights = [rightOn(archive, 'write')];
    await buildUser(t.database, { rights });
    await buildUser(t.database, { username: 'other', rights });
    clerk = await t.signedIn('clerk');
    other = await t.signedIn('other');
    path = archivePath(archive);
  });
  const body = (ids: readonly number[], value: string, keywords?: string) => ({
    revisions: ids.map((revisionId) => ({
      revisionId,
      indexFields: [{ name: 'NAME', value }],
      ...(keywords === undefined ? {} : { keywordFields: [{ name: 'SUBJECT', keywords }] }),
    })),
  });
  const send = async (query: string, sent: unknown, by = clerk) => {
    const answer = await by.patch(`${path}/indexdata${query}`, sent);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return revisionsAnswer.parse(answer.body).meta?.bulkEditId ?? null;
  };
  const stored = async (id: number) => {
    const { body: read } = await clerk.get(`${path}/documents/${id}`);
    const [revision] = revisionsAnswer.parse(read).archivedocumentrevisions;
    const name = revision?.indexFields.find((field) => field.name === 'NAME')?.value;
    return [name, ...(revision?.keywordFields ?? []).map(({ value }) => value)];
  };
  const listed = async (by = clerk) =>
    bulkEditsAnswer.parse((await by.get(`${path}/bulkedits`)).body).bulkedits;

  it('are kept where one is asked for, with what changed in each', async () => {
    expect(await send('', body([1], 'uno'))).toBeNull();
    expect(await listed()).toEqual([]);
    const id = await send('?receipt=true', body([3, 2], 'new', 'wood'));
    expect(await listed()).toMatchObject([
      {
        bulkEditId: id,
        kind: 'edit',
        state: 'done',
        edits: [{ field: 'NAME', do: 'set', value: 'new' }],
        counts: { total: 2, changed: 2, unchanged: 0, done: 2, pending: 0 },
        createdBy: 'clerk',
        finishedAt: expect.any(String),
      },
    ]);
    const keywords = { name: 'keyword.SUBJECT', before: ['paper', 'ink'], after: ['wood'] };
    expect(await revisionsOf(clerk, `${path}/bulkedits/${id}`)).toEqual([
      { revisionId: '3', outcome: 'done', changes: [keywords], message: null },
      {
        revisionId: '2',
        outcome: 'done',
        changes: [{ name: 'NAME', before: 'two', after: 'new' }, keywords],
        message: null,
      },
    ]);
    expect(await listed(other)).toEqual([]);
  });

  it('can be reverted like any batch, keywords too, except revisions whose fields were edited since', async () => {
    const id = await send('?receipt=true', body([1, 2, 3], 'new', 'wood'));
    await send('', body([2], 'new', 'cloth'), other);
    await send(
      '',
      { revisions: [{ revisionId: 3, indexFields: [{ name: 'N', value: 'd' }] }] },
      other,
    );
    const at = `${path}/bulkedits/${id}`;
    bulkEditOf(await clerk.post(`${at}/undo`));
    expect(await ended(clerk, at)).toMatchObject({
      state: 'undone',
      counts: { done: 0, takenBack: 2, left: 1 },
    });
    expect(await Promise.all([1, 2, 3].map(stored))).toEqual([
      ['one', 'paper', 'ink'],
      ['new', 'cloth'],
      ['new', 'paper', 'ink'],
    ]);
    const { body: third } = await clerk.get(`${path}/documents/3`);
    expect(third).toMatchObject({
      archivedocumentrevisions: [
        { indexFields: expect.arrayContaining([{ name: 'N', value: 'd' }]) },
      ],
    });
  });

  it('are not undone in revisions that somebody else has locked', async () => {
    const locked = async (id: number) =>
      (await other.patch(`${path}/documents/${id}`, { locked: true })).status;
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    const editor = await buildUser(t.database, { username: 'editor', role: 'administrator' });
    // An administrator corrects what others have locked, so that its version is that of the correction.
    expect(await locked(2)).toBe(200);
    const id = await send('?receipt=true', body([1, 2, 3], 'x'), await t.signedIn('editor'));
    await t.database.write(async (db) => {
      await changeUser(db, editor, { role: 'clerk' }, BUILDER);
      const right = { user_id: editor.id, kind: 'archive', thing_id: archive.id } as const;
      await db.k
        .insertInto('user_rights')
        .values({ ...right, access: 'write' })
        .execute();
    });
    expect(await locked(3)).toBe(200);
    const [at, client] = [`${path}/bulkedits/${id}`, await t.signedIn('editor')];
    bulkEditOf(await client.post(`${at}/undo`));
    expect(await ended(client, at)).toMatchObject({
      state: 'undone',
      counts: { done: 0, takenBack: 1, left: 2 },
    });
    const left = await revisionsOf(client, at, 'left');
    expect(left.map(({ revisionId, message }) => [revisionId, message])).toEqual([
      ['2', expect.stringContaining('locked by other')],
      ['3', expect.stringContaining('locked by other')],
    ]);
    expect((await Promise.all([1, 2, 3].map(stored))).map(([name]) => name)).toEqual([
      'one',
      'x',
      'x',
    ]);
  });

  it('tell that another call has taken them back, once', async () => {
    const id = await send('?receipt=true', body([1, 2], 'new'));
    expect(await send(`?takesBack=${id}`, body([1], 'one'))).toBeNull();
    expect(await listed()).toMatchObject([
      { bulkEditId: id, state: 'undone', counts: { done: 0, takenBack: 1, left: 1 } },
    ]);
    const at = `${path}/indexdata?takesBack=`;
    for (const [by, which] of [
      [clerk, id],
      [clerk, '999'],
      [other, await send('?receipt=true', body([3], 'c'))],
    ] as const) {
      expect((await by.patch(at + which, body([2], 'two'))).status).toBe(409);
    }
    expect(await stored(2)).toEqual(['new', 'paper', 'ink']);
  });

  it('are not kept of what was refused', async () => {
    const refused = await clerk.patch(`${path}/indexdata?receipt=true`, body([1, 99], 'new'));
    expect(refused.status).toBe(404);
    for (const query of [
      '?receipt=yes',
      '?takesBack=x',
      '?takeBack=1',
      '?receipt=true&receipt=true',
    ]) {
      const answer = await clerk.patch(`${path}/indexdata${query}`, body([1], 'new'));
      expect([query, answer.status]).toEqual([query, 400]);
    }
    expect(await listed()).toEqual([]);
    expect(await stored(1)).toEqual(['one', 'paper', 'ink']);
  });
});
