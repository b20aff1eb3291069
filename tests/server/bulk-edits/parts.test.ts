/** @module-tag slow */
import { afterEach, expect, it, vi } from 'vitest';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import type { Transaction } from '#server/database/database.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, rightOn } from '#tests/support/builders.ts';
import { ended, planAt } from '#tests/support/bulk-edits.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

const MANY = IS_LONG_RUN ? 2_000 : 1_000;
/** How long a record takes to write by the clock of the test, in milliseconds: four times as long from the middle on. */
const [FAST, SLOW] = [0.05, 0.2];
/** How long a part may keep other writes waiting, and how long it may take while none waits, in milliseconds. */
const [LONGEST, LONGEST_ALONE] = [20, 70];

const { open } = testDatabases('sqlite');
afterEach(() => vi.restoreAllMocks());

it('A part of a bulk edit ends in time for a write that waits, also where revisions suddenly take longer', async () => {
  const parts = await partsOfBulkEdit({ waitingWrites: 1 });

  expect(Math.max(...parts)).toBeLessThan(LONGEST);
  // Nor are they so short that each waits for the disk in vain.
  expect(parts.length).toBeLessThan(MANY / 10);
});

it(
  'A part of a bulk edit takes longer while no other write waits',
  { tags: ['long'] },
  async () => {
    const alone = await partsOfBulkEdit({ waitingWrites: 0 });
    const besideOthers = await partsOfBulkEdit({ waitingWrites: 1 });

    expect(alone.length).toBeLessThan(besideOthers.length / 2);
    expect(Math.max(...alone)).toBeLessThan(LONGEST_ALONE);
  },
);

/** Applies a bulk edit of many records. @returns how long each of its parts took by the clock of the test */
async function partsOfBulkEdit(load: { readonly waitingWrites: number }): Promise<number[]> {
  let clock = performance.now();
  let written = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  /** Each record is written by an update of its own. */
  const timed = (db: Transaction): Transaction => ({
    adapter: db.adapter,
    isWrite: db.isWrite,
    startedAt: db.startedAt,
    k: db.k,
    run: (statement, parameters) => db.run(statement, parameters),
    send(statement, parameters) {
      if (statement.name.startsWith('update ')) clock += ++written > MANY / 2 ? SLOW : FAST;
      return db.send(statement, parameters);
    },
    notify: (payload) => db.notify(payload),
    runInReadWorker: db.runInReadWorker,
    lists: db.lists,
  });
  const parts: number[] = [];
  const database = await open();
  const archive = await buildArchive(database, [{ name: 'NAME' }]);
  await buildRecords(
    database,
    archive,
    Array.from({ length: MANY }, (_, i) => [`name ${i}`]),
  );
  await buildUser(database, { rights: [rightOn(archive, 'write')] });
  let watched = false;
  const slow = wrapDatabase(database, {
    write: (work, options) =>
      database.write(async (db) => {
        if (!watched) return work(db);
        const done = async () => {
          const row = await db.k.selectFrom('bulk_edits').select('counts').executeTakeFirst();
          return Number(JSON.parse(row?.counts ?? '{}').done);
        };
        const [before, start] = [await done(), clock];
        const result = await work(timed(db));
        const took = clock - start;
        if ((await done()) > before) parts.push(took);
        return result;
      }, options),
    load: () => ({ ...database.load(), ...load }),
  });
  const { signedIn } = await openApp(() => Promise.resolve(slow));
  const clerk = await signedIn('clerk');
  const at = await planAt(clerk, `${archivePath(archive)}/bulkedits`, { filter: '' }, [
    { field: 'NAME', do: 'append', text: '!' },
  ]);
  watched = true;
  await clerk.post(`${at}/apply`, { onChanged: 'refuse' });
  expect(await ended(clerk, at)).toMatchObject({ state: 'done', counts: { done: MANY } });
  return parts;
}
