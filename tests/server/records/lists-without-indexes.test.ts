import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#server/database/database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { dropFieldIndexes } from '#server/database/records/record-tables.ts';
import { statisticsOfMatching } from '#server/modules/datasets/statistics.service.ts';
import { groupsOfMatching } from '#server/modules/datasets/value-groups.service.ts';
import { listCount, listPage } from '#server/modules/records/lists.service.ts';
import { buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { repeated } from '#tests/support/effort.ts';
import {
  buildSampleTable,
  condition,
  NAMES,
  parameterOf,
  rows,
  SEED,
  sort,
  sortParameter,
} from './list-samples.ts';

describe('a table on SQLite whose fields have no indexes yet', () => {
  const { open } = testDatabases('sqlite');
  let database: Database;
  let indexed: Table;
  let table: Table;
  beforeAll(async () => {
    database = await open();
    indexed = await buildSampleTable(database);
    table = await buildSampleTable(database);
    for (const each of [indexed, table]) await buildRecords(database, each, rows);
    await database.write((db) => dropFieldIndexes(db, table, table.fields));
  });
  const query = fc.record({
    conditions: fc.array(condition, { maxLength: 2 }),
    items: sort,
    limit: fc.integer({ min: 1, max: 40 }),
    offset: fc.nat(170),
  });

  it('has the same lists, groups and statistics as with them', async () => {
    await fc.assert(
      fc.asyncProperty(query, async ({ conditions, items, limit, offset }) => {
        const where = conditions.map(parameterOf);
        const list: [string, string][] = [...where, ['sort', sortParameter(items)]];
        const answer = (of: Table) =>
          database.read(async (db) => {
            const page = await listPage(db, of, [
              ...list,
              ['limit', String(limit)],
              ['offset', String(offset)],
            ]);
            return {
              ids: page.records.map(({ id }) => id),
              pagination: page.pagination,
              count: await listCount(db, of, where),
              groups: await groupsOfMatching(db, of, [...where, ['by', NAMES[offset % 8] ?? '']]),
              statistics: await statisticsOfMatching(db, of, where),
            };
          });
        expect(await answer(table)).toEqual(await answer(indexed));
      }),
      { numRuns: repeated(30), seed: SEED },
    );
  });

  it('proposes the values in use', async () => {
    for (const field of indexed.fields) {
      const valuesOf = (of: Table) =>
        database.read((db) => db.lists.valuesInUse(of, field, '', 50));
      expect(await valuesOf(table)).toEqual(await valuesOf(indexed));
    }
  });
});
