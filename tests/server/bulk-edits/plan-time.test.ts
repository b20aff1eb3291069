import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { findDeletedBulkEdit } from '#server/modules/bulk-edits/bulk-edit-removal.ts';
import { storePlan } from '#server/modules/bulk-edits/planning.ts';
import { buildArchive, buildWriter } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const SECONDS = 1_000;
const MINUTES = 60 * SECONDS;

describe('planning', () => {
  const { open } = testDatabases('sqlite');
  let database: Database;
  let archive: Archive;
  beforeAll(async () => {
    database = await open();
    archive = await buildArchive(database, [{ name: 'NAME' }]);
  });
  afterEach(() => vi.restoreAllMocks());
  /** Stores a plan of two rows. @param took how long the second one takes to plan, by the clock of the test */
  const plan = (kind: 'edit' | 'import' | 'paste', took: number) => {
    // Ends before the present time, because modules keep times for the tests after this one.
    let clock = performance.now() - took;
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const row = (rowId: number) => ({
      rowId,
      version: 1,
      outcome: 'unchanged' as const,
      changes: [],
      keywordChanges: [],
      refused: null,
      message: null,
    });
    async function* rows() {
      yield [row(1)];
      await Promise.resolve();
      clock += took;
      yield [row(2)];
    }
    return storePlan(database, archive, buildWriter(), { kind, edits: [], fileName: null }, rows());
  };

  it.each([
    ['edit', 59 * SECONDS],
    ['import', 4 * MINUTES],
    ['paste', 4 * MINUTES],
  ] as const)('of the kind %s may take %i ms', async (kind, took) => {
    expect((await plan(kind, took)).counts).toMatchObject({ total: 2 });
  });

  it.each([
    ['edit', 61 * SECONDS, 'These edits take longer than 60 seconds. Select fewer revisions'],
    ['import', 6 * MINUTES, 'It takes longer than 5 minutes to plan these rows. Split the file.'],
    ['paste', 6 * MINUTES, 'It takes longer than 5 minutes to plan these rows. Paste fewer rows.'],
  ] as const)('of the kind %s may not take %i ms', async (kind, took, message) => {
    await expect(plan(kind, took)).rejects.toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(message),
    });
    // What was planned is removed at once, not as the plan of a process that ended.
    expect(await database.read((db) => findDeletedBulkEdit(db, 0))).toBeTypeOf('number');
  });
});
