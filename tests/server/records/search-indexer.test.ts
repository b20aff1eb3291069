import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import { openSearchIndexer } from '#server/database/sqlite/search-indexer.ts';
import { searchTable, tableName } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import {
  deleteRecords,
  insertRecords,
  updateRecords,
} from '#server/database/records/write-records.ts';
import { listIds } from '#server/modules/records/lists.service.ts';
import { BUILDER, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const databases = testDatabases('sqlite');
const WORDS = ['amber', 'basalt', 'copper', 'dolomite'];

async function waitUntilIndexed(database: Database): Promise<void> {
  const left = async () =>
    (await database.read((db) => db.k.selectFrom('search_due').select('row_id').execute())).length;
  await expect.poll(left, { interval: 5 }).toBe(0);
}

/** The number of segments of a full-text index. */
async function countSegments(database: Database, archive: Archive): Promise<number> {
  const { rows } = await database.read((db) =>
    sql<{ count: number }>`select count(distinct segid) as count
      from ${sql.table(`${searchTable(archive)}_idx`)}`.execute(db.k),
  );
  return rows[0]?.count ?? 0;
}

async function found(database: Database, archive: Archive) {
  return database.read((db) =>
    Promise.all(
      [...WORDS, 'amber copper', 'olom'].map(
        async (q) => (await listIds(db, archive, [['q', q]])).ids,
      ),
    ),
  );
}

/** What the records themselves say. */
async function holding(database: Database, archive: Archive) {
  const { rows } = await database.read((db) =>
    sql<{ id: number; text: string }>`select _id as id, f1 || ' ' || f2 as text
      from ${sql.table(tableName(archive))} order by _id`.execute(db.k),
  );
  return [...WORDS.map((word) => [word]), ['amber', 'copper'], ['olom']].map((parts) =>
    rows
      .filter(({ text }) => parts.every((part) => text.includes(part)))
      .map(({ id }) => String(id)),
  );
}

it('finds the same before and after the full-text index has followed the writes', async () => {
  const database = await databases.open();
  const archive = await buildArchive(database, [{ name: 'A' }, { name: 'B' }]);
  const word = (i: number) => WORDS[i % WORDS.length] ?? '';
  await buildRecords(
    database,
    archive,
    Array.from({ length: 300 }, (_, i) => [word(i), `note ${word(i >> 2)}`]),
  );
  const indexer = openSearchIndexer(database, console);
  await waitUntilIndexed(database);
  expect(await found(database, archive)).toEqual(await holding(database, archive));
  await indexer.close();

  await database.write(async (db) => {
    const ids = Array.from({ length: 60 }, (_, i) => i * 3 + 1);
    const before = [...(await readRecords(db, archive, ids)).values()];
    await updateRecords(
      db,
      archive,
      before.map((record) => ({
        before: record,
        after: { ...record, version: 2, values: [word(record.id + 1), 'plain'] },
      })),
    );
    await deleteRecords(db, archive, [2, 5, 8, 299, 300]);
    const fresh = ['copper', 'amber and copper', ''].map((text) => ({
      id: null,
      version: 1,
      values: [text, 'new'],
      keywords: [],
      document: { documentId: null, revision: 1 },
    }));
    // One comes back under the id that it had.
    const back = fresh.slice(0, 1).map((record) => ({ ...record, id: 5, version: 3 }));
    await insertRecords(db, archive, [...fresh, ...back], { at: 1, by: BUILDER.username });
  });
  const right = await holding(database, archive);
  expect(await found(database, archive)).toEqual(right);
  const again = openSearchIndexer(database, console);
  await waitUntilIndexed(database);
  await again.close();
  expect(await found(database, archive)).toEqual(right);
});

it('holds the writer for short parts with other writes between, and merges what they added', async () => {
  const database = await databases.open();
  const archive = await buildArchive(database, [{ name: 'A' }, { name: 'B' }]);
  await buildRecords(
    database,
    archive,
    // Parts of 500 at most, so that there are more than the 16 segments of which some are merged.
    Array.from({ length: 9_000 }, (_, i) => [`text ${i * 7919}`, `note ${i * 104_729} of many`]),
  );
  await database.write((db) =>
    sql`insert or ignore into search_due select 'archive', ${archive.id}, _id
      from ${sql.table(tableName(archive))}`.execute(db.k),
  );
  const indexer = openSearchIndexer(database, console);
  const before = database.load().writes.count;
  await waitUntilIndexed(database);
  const parts = database.load().writes.count - before;
  expect(parts).toBeGreaterThanOrEqual(18);
  // Each part has added one.
  await expect.poll(() => countSegments(database, archive), { interval: 5 }).toBeLessThan(parts);
  await indexer.close();
});

it(
  'continues when an archive is deleted before the parts of its index are merged',
  { tags: ['long'] },
  async () => {
    const database = await databases.open();
    const deleted = await buildArchive(database, [{ name: 'A' }]);
    await buildRecords(database, deleted, [['amber']]);
    const warnings: string[] = [];
    const indexer = openSearchIndexer(database, { warn: (_, message) => warnings.push(message) });
    await waitUntilIndexed(database);
    // The merge follows after a pause.
    await database.write((db) => sql`drop table ${sql.table(searchTable(deleted))}`.execute(db.k));
    const other = await buildArchive(database, [{ name: 'A' }]);
    const texts = Array.from({ length: 9_000 }, (_, i) => [`text ${i * 7919} of many`]);
    await buildRecords(database, other, texts);
    const before = database.load().writes.count;
    indexer.wake();
    await waitUntilIndexed(database);
    const parts = database.load().writes.count - before;
    // Its index is merged after that of the deleted archive.
    await expect.poll(() => countSegments(database, other), { interval: 5 }).toBeLessThan(parts);
    await indexer.close();
    expect(warnings).toEqual([]);
  },
);
