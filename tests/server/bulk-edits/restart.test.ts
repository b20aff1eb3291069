/** @module-tag slow */
import { expect, it } from 'vitest';
import { historyAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { doWhileUnderWay, ended, planAt, revisionsOf, waitFor } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

/** More than a part of a job that others wait for. */
const MANY = IS_LONG_RUN ? 4_000 : 1_500;

describeOnOneDatabase('A bulk edit that is under way when the service stops', (open) => {
  it(
    'goes on at the next start, with nothing done twice or left out',
    { tags: ['long'] },
    async () => {
      const first = await openApp(open);
      const { database } = first;
      const archive = await buildArchive(database, [{ name: 'NAME' }]);
      await buildRecords(
        database,
        archive,
        Array.from({ length: MANY }, (_, i) => [`name ${i}`]),
      );
      await buildUser(database, { rights: [rightOn(archive, 'write')] });
      const path = `${archivePath(archive)}/bulkedits`;
      const clerk = await first.signedIn('clerk');
      const at = await planAt(clerk, path, { filter: '' }, [
        { field: 'NAME', do: 'append', text: '!' },
      ]);
      const stopped: number[] = [];
      let t = first;
      const restartWhere = async (
        client: TestClient,
        enough: Parameters<typeof doWhileUnderWay>[3],
      ): Promise<TestClient> => {
        await doWhileUnderWay(database, client, at, enough, () => t.app.close(), { isStop: true });
        const { rows } = await database.read(async (db) => ({
          rows: await db.k.selectFrom('bulk_edits').select(['counts', 'state']).execute(),
        }));
        stopped.push(JSON.parse(rows[0]?.counts ?? '{}').pending);
        t = await openApp(() => Promise.resolve(database));
        return t.signedIn('clerk');
      };

      await clerk.post(`${at}/apply`, { onChanged: 'refuse' });
      const second = await restartWhere(clerk, ({ done }) => done > 0);
      expect(await ended(second, at)).toMatchObject({
        state: 'done',
        counts: { done: MANY, pending: 0 },
      });
      expect(await revisionsOf(second, at, 'done')).toHaveLength(1_000);
      await second.post(`${at}/undo`);
      const third = await restartWhere(second, ({ takenBack }) => takenBack > 0);
      expect(await ended(third, at)).toMatchObject({
        state: 'undone',
        counts: { takenBack: MANY },
      });
      expect(stopped[0]).toBeGreaterThan(0);

      const entries = await database.read((db) =>
        db.k
          .selectFrom('history')
          .select(['row_id', 'version'])
          .where('scope', '=', 'archive')
          .execute(),
      );
      expect(entries).toHaveLength(2 * MANY);
      expect(new Set(entries.map(({ row_id: id, version }) => `${id} ${version}`)).size).toBe(
        2 * MANY,
      );
      const history = await third.get(`${archivePath(archive)}/documents/${MANY}/history`);
      expect(historyAnswer.parse(history.body).history).toMatchObject([
        { changes: [{ before: `name ${MANY - 1}!`, after: `name ${MANY - 1}` }] },
        { changes: [{ before: `name ${MANY - 1}`, after: `name ${MANY - 1}!` }] },
      ]);
    },
  );

  it('is left to the process that works on it, and taken over once that is dead', async () => {
    const t = await openApp(open);
    const { database } = t;
    const archive = await buildArchive(database, [{ name: 'NAME' }]);
    await buildRecords(database, archive, [['a'], ['b']]);
    await buildUser(database, { rights: [rightOn(archive, 'write')] });
    const clerk = await t.signedIn('clerk');
    const path = `${archivePath(archive)}/bulkedits`;
    const at = await planAt(clerk, path, { revisionIds: [1] }, [{ field: 'NAME', do: 'clear' }]);
    const later = await planAt(clerk, path, { revisionIds: [2] }, [{ field: 'NAME', do: 'clear' }]);
    const lease = (until: number) =>
      database.write((db) =>
        db.k
          .updateTable('bulk_edits')
          .set({ lease_owner: 'another process', lease_until: until })
          .where('id', '=', Number(at.split('/').at(-1)))
          .execute(),
      );
    await lease(Date.now() + 60_000);
    await clerk.post(`${at}/apply`, {});
    // Jobs are done in their order, but for those of another process.
    await clerk.post(`${later}/apply`, {});
    await ended(clerk, later);
    expect(await waitFor(clerk, at, () => true)).toMatchObject({
      state: 'applying',
      counts: { done: 0 },
    });
    await lease(Date.now() - 1);
    expect(await ended(clerk, at)).toMatchObject({ state: 'done', counts: { done: 1 } });
  });
});
