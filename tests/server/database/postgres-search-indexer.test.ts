import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { listIds } from '#server/modules/records/lists.service.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const databases = testDatabases('postgres');

/** Merges the pending list of the search index. @returns its pages */
async function mergePending(database: Database, archive: Archive): Promise<number> {
  const index = `${tableName(archive)}_search`;
  const { rows } = await database.write((db) =>
    sql<{ pages: number }>`select gin_clean_pending_list(${index}::regclass) as pages`.execute(
      db.k,
    ),
  );
  return rows[0]?.pages ?? 0;
}

it('merges the texts of many records into the search index after they were written', async () => {
  const database = await databases.open();
  const archive = await buildArchive(database, [{ name: 'A' }]);
  const texts = (word: string) => Array.from({ length: 600 }, (_, i) => [`${word} ${i * 7919}`]);
  await buildRecords(database, archive, texts('amber'));
  expect(await mergePending(database, archive)).toBeGreaterThan(0);

  await buildRecords(database, archive, texts('basalt'));
  const before = database.load().writes.count;
  const indexer = database.adapter.openSearchIndexer(database, console);
  await expect.poll(() => database.load().writes.count, { interval: 5 }).toBeGreaterThan(before);
  await indexer.close();
  expect(await mergePending(database, archive)).toBe(0);
  const { ids } = await database.read((db) => listIds(db, archive, [['q', 'basalt']]));
  expect(ids).toHaveLength(600);
});

it('continues after an archive with changed texts was deleted', async () => {
  const database = await databases.open();
  const [deleted, archive] = [
    await buildArchive(database, [{ name: 'A' }]),
    await buildArchive(database, [{ name: 'A' }]),
  ];
  const texts = Array.from({ length: 600 }, (_, i) => [`copper ${i}`]);
  await buildRecords(database, deleted, texts);
  await buildRecords(database, archive, texts);
  await database.write((db) => db.adapter.dropRecordTables(db, deleted));
  const before = database.load().writes.count;
  const indexer = database.adapter.openSearchIndexer(database, console);
  await expect.poll(() => database.load().writes.count, { interval: 5 }).toBe(before + 2);
  await indexer.close();
  expect(await mergePending(database, archive)).toBe(0);
});
