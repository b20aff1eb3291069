import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { bulkEditOf, ended, planAt, waitFor } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const MANY = 24;

describeOnOneDatabase('Bulk edits of short texts', (open) => {
  let t: TestApp;
  let archive: Archive;
  let clerk: TestClient;
  let path: string;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NOTE' }, { name: 'NAME' }]);
    await buildRecords(
      t.database,
      archive,
      Array.from({ length: MANY }, (_, i) => [`note ${i}`, `name ${i}`]),
    );
    await buildUser(t.database, { rights: [rightOn(archive, 'write')] });
    clerk = await t.signedIn('clerk');
    path = `${archivePath(archive)}/bulkedits`;
  });

  it('of hostile texts answer what the interface says', async () => {
    const hostile = ['\u0000', 'a\u0000b', '\u0001', '\uffff', '🚀'];
    for (const text of hostile) {
      for (const edit of [
        { field: 'NAME', do: 'set', value: text },
        { field: 'NAME', do: 'append', text },
        { field: 'NAME', do: 'replace', find: 'n', with: text },
        { field: 'NAME', do: 'replacePattern', pattern: 'n', with: text },
        { field: text, do: 'clear' },
      ]) {
        const answer = await clerk.post(path, { selection: { filter: '' }, edits: [edit] });
        expect([201, 422]).toContain(answer.status);
        if (answer.status === 422) errorBodySchema.parse(answer.body);
      }
    }
    const half =
      '{"selection":{"filter":""},"edits":[{"field":"NAME","do":"append","text":"\\ud800"}]}';
    expect((await clerk.post(path, half)).status).toBe(422);
    const filters = ['q=%00', 'where[NAME][eq]=%00', 'where[NAME][like]=%ED%A0%80', 'x=1', '%'];
    for (const filter of filters) {
      const edits = [{ field: 'NAME', do: 'clear' }];
      const answer = await clerk.post(path, { selection: { filter }, edits });
      expect([201, 400]).toContain(answer.status);
      if (answer.status === 400) errorBodySchema.parse(answer.body);
    }
  });

  describe('that were paused before they did anything', () => {
    it('can be discarded', async () => {
      const at = await planAt(clerk, path, { filter: '' }, [{ field: 'NAME', do: 'clear' }]);
      const id = Number(at.split('/').at(-1));
      await t.database.write((db) =>
        db.k.updateTable('bulk_edits').set({ state: 'paused' }).where('id', '=', id).execute(),
      );
      expect((await clerk.delete(at)).status).toBe(204);
      expect((await clerk.get(at)).status).toBe(404);
    });
  });

  describe('asked for by several at once', () => {
    it('are applied, paused, resumed and taken back by one of them each', async () => {
      const edits = [{ field: 'NAME', do: 'append', text: '+' }];
      const at = await planAt(clerk, path, { filter: '' }, edits);
      const all = async (...verbs: string[]) =>
        (
          await Promise.all(
            verbs.map((verb) => clerk.post(`${at}/${verb}`, verb === 'apply' ? {} : undefined)),
          )
        )
          .map(({ status }) => status)
          .sort((a, b) => a - b);
      expect(await all('apply', 'apply', 'apply')).toEqual([200, 409, 409]);
      await ended(clerk, at);
      const undone = await all('undo', 'undo', 'apply');
      expect(undone).toEqual([200, 409, 409]);
      await waitFor(clerk, at, ({ state }) => state === 'undone');
      const names = await t.database.read((db) =>
        db.k.selectFrom('history').select('row_id').where('scope', '=', 'archive').execute(),
      );
      expect(names).toHaveLength(2 * MANY);
    });

    it('are planned once for one idempotency key', async () => {
      const body = { selection: { filter: '' }, edits: [{ field: 'NAME', do: 'clear' }] };
      const headers = { 'idempotency-key': 'plan-once' };
      const [one, two] = await Promise.all([
        clerk.post(path, body, { headers }),
        clerk.post(path, body, { headers }),
      ]);
      expect(bulkEditOf(one).bulkEditId).toBe(bulkEditOf(two).bulkEditId);
      const other = { ...body, edits: [{ field: 'NOTE', do: 'clear' }] };
      expect((await clerk.post(path, other, { headers })).status).toBe(409);
    });
  });
});
