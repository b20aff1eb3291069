import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { bulkEditRevisionsAnswer, bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

describeOnBothDatabases('Plans of bulk edits', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let path: string;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [
      { name: 'NAME', maxLength: 10 },
      { name: 'AMOUNT', type: 'decimal', scale: 3 },
      { name: 'NOTE' },
    ]);
    await buildRecords(t.database, archive, [
      [' a  b ', 1, '1.234,50 €'],
      ['c', 2, '12,345'],
      ['d', 3, null],
      ['e', 4, 'twelve'],
    ]);
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'other', rights: [rightOn(archive, 'write')] });
    await buildUser(t.database, { username: 'reader', rights: [rightOn(archive, 'read')] });
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    clerk = await t.signedIn('clerk');
    path = `${archivePath(archive)}/bulkedits`;
  });
  const plan = async (selection: unknown, edits: unknown) => {
    const answer = await clerk.post(path, { selection, edits });
    expect(answer.status).toBe(201);
    const [planned] = bulkEditsAnswer.parse(answer.body).bulkedits;
    if (!planned) throw new Error('Nothing planned');
    const page = await clerk.get(`${path}/${planned.bulkEditId}/revisions`);
    expect(page.status).toBe(200);
    return { planned, ...bulkEditRevisionsAnswer.parse(page.body) };
  };

  it('tell what becomes of each revision, and change nothing', async () => {
    const { planned, revisions, meta } = await plan({ filter: 'sort=-AMOUNT' }, [
      { field: 'amount', do: 'parse', from: 'NOTE' },
    ]);
    expect(planned).toMatchObject({
      kind: 'edit',
      state: 'planned',
      createdBy: 'clerk',
      edits: [{ field: 'AMOUNT', do: 'parse', from: 'NOTE' }],
      counts: { total: 4, changed: 1, unchanged: 1, invalid: 2, pending: 1, done: 0 },
    });
    expect(meta.pagination).toEqual({ total: 4, limit: 50, next: null });
    const rows = `${path}/${planned.bulkEditId}/revisions?limit=3`;
    const without = bulkEditRevisionsAnswer.parse((await clerk.get(`${rows}&total=false`)).body);
    expect(without.meta.pagination).toEqual({ limit: 3, next: '2' });
    expect((await clerk.get(`${rows}&total=1`)).body).toHaveProperty('errors.total');
    expect(revisions).toMatchObject([
      {
        revisionId: '4',
        outcome: 'invalid',
        changes: [{ name: 'AMOUNT', before: 4, after: 'twelve' }],
        message: expect.stringContaining('AMOUNT “twelve”: The value must be a number'),
      },
      { revisionId: '3', outcome: 'unchanged', changes: [], message: null },
      { revisionId: '2', outcome: 'invalid', message: expect.stringContaining('12345 or 12.345') },
      {
        revisionId: '1',
        outcome: 'changed',
        changes: [{ name: 'AMOUNT', before: 1, after: 1234.5 }],
        message: null,
      },
    ]);
    const list = await clerk.get(`${archivePath(archive)}/index?where[changedBy][eq]=builder`);
    expect(list.body).toMatchObject({ meta: { pagination: { total: 4 } } });
  });

  it('hold the result to the rules of the fields', async () => {
    const { revisions } = await plan({ revisionIds: ['1', 2, '99', '1'] }, [
      { field: 'NAME', do: 'trim' },
      { field: 'NAME', do: 'append', text: ' 12345678' },
    ]);
    expect(revisions).toEqual([
      {
        revisionId: '1',
        outcome: 'invalid',
        changes: [{ name: 'NAME', before: ' a  b ', after: 'a b 12345678' }],
        message: 'NAME “a b 12345678”: The value may have at most 10 characters.',
      },
      {
        revisionId: '2',
        outcome: 'changed',
        changes: [{ name: 'NAME', before: 'c', after: 'c 12345678' }],
        message: null,
      },
      { revisionId: '99', outcome: 'missing', changes: [], message: 'There is no revision 99.' },
    ]);
  });

  it('come by pages and by outcome', async () => {
    const { planned } = await plan({ filter: '' }, [{ field: 'NOTE', do: 'set', value: 'twelve' }]);
    const at = `${path}/${planned.bulkEditId}/revisions?outcome=changed&limit=2`;
    const first = bulkEditRevisionsAnswer.parse((await clerk.get(at)).body);
    expect(first.revisions.map(({ revisionId }) => revisionId)).toEqual(['1', '2']);
    expect(first.meta.pagination.total).toBe(3);
    const second = await clerk.get(`${at}&after=${first.meta.pagination.next}`);
    expect(bulkEditRevisionsAnswer.parse(second.body)).toMatchObject({
      revisions: [{ revisionId: '3' }],
      meta: { pagination: { next: null } },
    });
    expect((await clerk.get(`${at}&outcome=strange`)).status).toBe(400);
  });

  it('find a revision that another user has locked', async () => {
    const other = await t.signedIn('other');
    const revision = `${archivePath(archive)}/documents/2`;
    expect((await other.patch(revision, { locked: true })).status).toBe(200);
    const { revisions } = await plan({ revisionIds: [2] }, [{ field: 'NAME', do: 'clear' }]);
    expect(revisions).toMatchObject([
      { outcome: 'locked', message: expect.stringContaining('locked by other') },
    ]);
    expect((await other.patch(revision, { locked: false })).status).toBe(200);
  });

  it('are seen by their owner and administrators alone', async () => {
    const { planned } = await plan({ revisionIds: [1] }, [{ field: 'NAME', do: 'clear' }]);
    const other = await t.signedIn('other');
    const admin = await t.signedIn('admin');
    const at = `${path}/${planned.bulkEditId}`;
    expect((await other.get(at)).status).toBe(404);
    expect((await other.get(`${at}/revisions`)).status).toBe(404);
    expect((await admin.get(at)).status).toBe(200);
    expect((await other.get(path)).body).toMatchObject({ bulkedits: [] });
    expect(bulkEditsAnswer.parse((await clerk.get(path)).body).bulkedits[0]).toEqual(planned);
    expect(bulkEditsAnswer.parse((await admin.get(path)).body).bulkedits[0]).toEqual(planned);
  });

  describe('are refused', () => {
    it.each([
      [
        'an unknown field',
        [{ field: 'NONE', do: 'clear' }],
        'edits.0.field',
        'There is no field NONE.',
      ],
      [
        'an unknown field to copy from',
        [{ field: 'NAME', do: 'copy', from: 'NO' }],
        'edits.0.from',
        'There is no field NO.',
      ],
      ['a value of another type', [{ field: 'AMOUNT', do: 'set', value: 'x' }], 'edits.0.value'],
      [
        'a pattern that is none',
        [{ field: 'NAME', do: 'replacePattern', pattern: '(', with: '' }],
        'edits.0.pattern',
      ],
      [
        'a group that is not there',
        [{ field: 'NAME', do: 'replacePattern', pattern: 'a', with: '$1' }],
        'edits.0.with',
      ],
    ])('with %s', async (_, edits, place, message = expect.any(String)) => {
      const answer = await clerk.post(path, { selection: { filter: '' }, edits });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ errors: { [place]: [message] } });
    });
    it('with a filter that is none', async () => {
      const edits = [{ field: 'NAME', do: 'clear' }];
      const answer = await clerk.post(path, { selection: { filter: 'where[X][eq]=1' }, edits });
      expect(answer.status).toBe(400);
    });
    it('to those who may only read', async () => {
      const reader = await t.signedIn('reader');
      const edits = [{ field: 'NAME', do: 'clear' }];
      expect((await reader.post(path, { selection: { filter: '' }, edits })).status).toBe(403);
    });
  });
});
