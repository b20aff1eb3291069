/** @module-tag slow */
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { DatabaseConfig } from '#server/database/open-database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { readEntriesToFollow } from '#server/modules/checks/follow-records.ts';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { buildFolder, loadFile, writeFiles } from '#tests/support/load.ts';
import { historyFollowed } from './follow-history.ts';

const FIELDS = [{ name: 'NO', type: 'text' }];

/** Loads more datasets than are followed entry by entry, as many into each table. */
async function loadBacklog(
  database: Database,
  { dataDir }: DatabaseConfig,
  ...tables: readonly Table[]
): Promise<void> {
  const length = Math.ceil(10_001 / tables.length);
  const datasets = Array.from({ length }, (_, row) => ({ NO: `${row}` }));
  const file = {
    tables: tables.map(({ guid, name }) => ({ guid, name, columns: FIELDS, datasets })),
  };
  const folder = buildFolder();
  await writeFiles(folder, { 'backlog.json': file });
  const path = join(folder, 'backlog.json');
  expect(await loadFile(database, dataDir, path)).toMatchObject({ failed: [] });
}

describeOnOneDatabase('the counts of checks after a long backlog', (open, { prepare }) => {
  it('are not known where most of it was written, and stay elsewhere', async () => {
    const config = await prepare();
    const database = await open(config);
    const checks = [{ name: 'LONG', rule: 'length(NO) > 5' }];
    const archive = await buildArchive(database, FIELDS, [], { checks });
    const table = await buildTable(database, FIELDS, undefined, { checks });
    await buildRecords(database, archive, [['a']]);
    await buildRecords(database, table, [['a']]);
    await buildUser(database, { username: 'admin', role: 'administrator' });
    const counts = async (client: TestClient) => {
      const places = [archivePath(archive), datasetsPath(table).replace(/\/datasets$/, '')];
      const answers = await Promise.all(places.map((place) => client.get(`${place}/checks`)));
      return answers.map(({ body }) => {
        const [first] = checksAnswer.parse(body).checks;
        return [first?.count, first?.atLeast];
      });
    };
    const before = await openApp(() => Promise.resolve(database));
    const admin = await before.signedIn('admin');
    await expect
      .poll(() => counts(admin))
      .toEqual([
        [1, 1],
        [1, 1],
      ]);
    await before.app.close();
    await loadBacklog(database, config, table);
    await sequenceAllEntries(database, () => undefined);
    const held = Promise.withResolvers<void>();
    onTestFinished(() => held.resolve());
    const after = await openApp(() =>
      Promise.resolve(
        wrapDatabase(database, {
          async read(work, context) {
            if (context?.isBackground) await held.promise;
            return database.read(work, context);
          },
        }),
      ),
    );
    const again = await after.signedIn('admin');
    await expect
      .poll(() => counts(again))
      .toEqual([
        [1, 1],
        [null, 0],
      ]);
    held.resolve();
    await expect
      .poll(() => counts(again))
      .toEqual([
        [1, 1],
        [10_002, 10_002],
      ]);
  });

  it('are not counted again for what was written elsewhere meanwhile', async () => {
    const config = await prepare();
    const database = await open(config);
    const checks = [{ name: 'LONG', rule: 'length(NO) > 5' }];
    const archive = await buildArchive(database, FIELDS, [], { checks });
    const table = await buildTable(database, FIELDS);
    await buildRecords(database, archive, [['a']]);
    await buildUser(database, { username: 'admin', role: 'administrator' });
    await sequenceAllEntries(database, () => undefined);
    const [started, counted, held] = [
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ];
    onTestFinished(() => held.resolve());
    let [evaluations, areOthersHeld] = [0, false];
    const t = await openApp(() =>
      Promise.resolve(
        wrapDatabase(database, {
          async read(work, context) {
            // Those of the counting loop; the counts of the day have no signal.
            if (context?.isBackground && context.signal) {
              evaluations += 1;
              started.resolve();
              if (evaluations === 1) await counted.promise;
              else if (areOthersHeld) await held.promise;
            }
            return database.read(work, context);
          },
        }),
      ),
    );
    await started.promise;
    await loadBacklog(database, config, table);
    await historyFollowed(database);
    areOthersHeld = true;
    counted.resolve();
    const admin = await t.signedIn('admin');
    const count = async () => {
      const { body } = await admin.get(`${archivePath(archive)}/checks`);
      return checksAnswer.parse(body).checks[0]?.count;
    };
    await expect.poll(count).toBe(1);
  });

  it('are followed in small steps where several archives or tables were written', async () => {
    const config = await prepare();
    const database = await open(config);
    const tables = [];
    for (let i = 0; i < 3; i++) tables.push(await buildTable(database, FIELDS));
    await loadBacklog(database, config, ...tables);
    await sequenceAllEntries(database, () => undefined);
    let [position, isLast, largest] = [0, false, 0];
    while (!isLast) {
      const next = await database.read((db) => readEntriesToFollow(db, position));
      expect(next.entries.map((entry) => entry.position)).toEqual(
        Array.from({ length: next.upTo - position }, (_, i) => position + i + 1),
      );
      largest = Math.max(largest, next.entries.length);
      ({ upTo: position, isLast } = next);
    }
    expect(largest).toBeLessThanOrEqual(500);
    expect(position).toBeGreaterThan(10_000);
  });
});
