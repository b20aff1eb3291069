/** @module-tag slow */
import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { bulkEditRevisionsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { bulkEditOf, ended, planAt } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

const MANY = IS_LONG_RUN ? 8 : 2;
/** Those on which each edit takes long. */
const SMALL_SET_LIMIT = IS_LONG_RUN ? 4 : 1;
const LONG = 990_000;

describeOnOneDatabase('Bulk edits of large texts', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let path: string;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NOTE' }, { name: 'NAME' }]);
    for (let i = 0; i < MANY; i += 1) {
      await buildRecords(t.database, archive, [[`${i} `.padEnd(LONG, 'x'), `name ${i}`]]);
    }
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
    path = `${archivePath(archive)}/bulkedits`;
  });

  it(
    'are told of in pages that stay small, applied and taken back',
    { tags: ['long'] },
    async () => {
      const edits = [{ field: 'NOTE', do: 'append', text: '!' }];
      const at = await planAt(clerk, path, { filter: '' }, edits);
      const seen: string[] = [];
      for (let after = ''; ;) {
        const answer = await clerk.get(`${at}/revisions?limit=1000${after}`);
        expect(answer.text.length).toBeLessThan(12_000_000);
        const { revisions, meta } = bulkEditRevisionsAnswer.parse(answer.body);
        expect(revisions.length).toBeGreaterThan(0);
        seen.push(...revisions.map(({ revisionId }) => revisionId ?? ''));
        expect(meta.pagination.total).toBe(MANY);
        if (meta.pagination.next === null) break;
        after = `&after=${meta.pagination.next}`;
      }
      expect(seen).toEqual(Array.from({ length: MANY }, (_, i) => String(i + 1)));

      await clerk.post(`${at}/apply`, { onChanged: 'refuse' });
      expect(await ended(clerk, at)).toMatchObject({
        state: 'done',
        counts: { done: MANY, pending: 0, conflicts: 0 },
      });
      await clerk.post(`${at}/undo`);
      expect(await ended(clerk, at)).toMatchObject({
        state: 'undone',
        counts: { takenBack: MANY, done: 0, left: 0 },
      });
    },
  );

  it('that multiply the text are refused for each revision, not for the service', async () => {
    const edits = [
      { field: 'NOTE', do: 'replace', find: 'x', with: 'y'.repeat(10_000) },
      { field: 'NOTE', do: 'replacePattern', pattern: 'x', with: 'z'.repeat(10_000) },
    ];
    for (const edit of edits) {
      const planned = bulkEditOf(
        await clerk.post(path, { selection: { filter: '' }, edits: [edit] }),
      );
      expect(planned.counts).toMatchObject({ changed: 0, invalid: MANY });
    }
  });

  it('answer others meanwhile', async () => {
    const edit = { field: 'NOTE', do: 'replacePattern', pattern: '[a-z]*[0-9]|q', with: 'x' };
    const filter = `where[revisionId][lte]=${SMALL_SET_LIMIT}`;
    let over = false;
    const planning = clerk
      .post(path, { selection: { filter }, edits: Array.from({ length: 100 }, () => edit) })
      .finally(() => {
        over = true;
      });
    let answered = 0;
    const goesOn = () => !over;
    while (goesOn()) {
      await clerk.get(`${archivePath(archive)}/views`);
      answered += 1;
      // Within one process, calls alone would leave the plan no turn.
      await setImmediate();
    }
    expect(bulkEditOf(await planning).counts).toMatchObject({
      changed: 0,
      invalid: SMALL_SET_LIMIT,
    });
    expect(answered).toBeGreaterThan(3);
  });

  it('have a limit for all edits together', async () => {
    const edits = Array.from({ length: 3 }, () => ({
      field: 'NOTE',
      do: 'set',
      value: 'x'.repeat(900_000),
    }));
    const answer = await clerk.post(path, { selection: { filter: '' }, edits });
    expect(answer.status).toBe(422);
    expect(JSON.stringify(errorBodySchema.parse(answer.body))).toContain('2,500,000');
  });
});
