/** @module-tag slow */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { Database, Transaction } from '#server/database/database.ts';
import { readSnapshot } from '#server/database/sqlite/read-snapshot.ts';
import { SqliteConnection } from '#server/database/sqlite/sqlite-connection.ts';
import { ListCache } from '#server/database/sqlite/list-cache.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import {
  changeDataset,
  createDataset,
  planDeletions,
  planNewDatasets,
} from '#server/modules/datasets/datasets.service.ts';
import { listCount, listPage } from '#server/modules/records/lists.service.ts';
import type { Table } from '#server/database/records/collection.ts';
import { readListQuery } from '#shared/rules/lists.ts';
import { buildRecords, buildWriter } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
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
import { repeated } from '#tests/support/effort.ts';

describe('lists that are cached', () => {
  const databases = testDatabases('sqlite');
  let database: Database;
  let table: Table;
  let reading: SqliteConnection;
  let cache: ListCache;
  beforeEach(async () => {
    const config = await databases.prepare();
    database = await databases.open(config);
    table = await buildSampleTable(database);
    await buildRecords(database, table, rows);
    reading = await SqliteConnection.open(join(config.dataDir, SQLITE_FILE), 'read worker');
    cache = new ListCache(4_000);
  });
  afterEach(() => reading.close());

  const writer = buildWriter();
  const valuesOf = (row: number, only: readonly number[] = NAMES.keys().toArray()) =>
    Object.fromEntries(
      only.map((column) => {
        const value = rows[row]?.[column] ?? null;
        return [NAMES[column] ?? '', value === null ? null : String(value)];
      }),
    );
  /** The ids of the records, so that some can be changed and deleted. */
  const present = async () =>
    database.read(async (db) => {
      const { records } = await listPage(db, table, [['limit', '1000']]);
      return records.map(({ id }) => id);
    });
  const write = async (work: (db: Transaction) => Promise<unknown>) => {
    await database.write(work);
  };

  const step = fc.record({
    write: fc.constantFrom('change', 'change', 'create', 'delete', 'nothing'),
    at: fc.nat(400),
    row: fc.nat(rows.length - 1),
    columns: fc.uniqueArray(fc.nat(NAMES.length - 1), { minLength: 1, maxLength: 3 }),
  });
  /** Few different ones, so that they come again. */
  const [conditions, sorts] = [
    fc.sample(condition, { numRuns: 8, seed: SEED }).map(parameterOf),
    fc.sample(sort, { numRuns: 6, seed: SEED }).map(sortParameter),
  ];
  const asked = fc.record({
    where: fc.subarray(conditions, { maxLength: 2 }),
    q: fc.constantFrom('', '', 'arger', 'b'),
    sort: fc.constantFrom('', ...sorts),
    offset: fc.nat(120),
    limit: fc.integer({ min: 1, max: 30 }),
    areAlternatives: fc.boolean(),
  });

  it('are the same as lists that are not cached, whatever is written in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ step, asked: fc.array(asked, { minLength: 2, maxLength: 4 }) }), {
          minLength: 4,
          maxLength: 8,
        }),
        async (rounds) => {
          for (const { step, asked } of rounds) {
            const ids = await present();
            const id = String(ids[step.at % ids.length]);
            const { row, columns } = step;
            if (step.write === 'change')
              await write((db) =>
                changeDataset(db, table, writer, {
                  jrid: Number(id),
                  values: valuesOf(row, columns),
                  ifMatch: null,
                }),
              );
            else if (step.write === 'create')
              await write((db) => createDataset(db, table, writer, valuesOf(row)));
            else if (step.write === 'delete')
              await write(async (db) => {
                const plan = await planDeletions(db, table, writer, [{ jrid: Number(id) }], null);
                await plan.write(db);
              });
            for (const { where, q, sort, offset, limit, areAlternatives } of asked) {
              const filter: [string, string][] = [
                ...where.map(([name, value]): [string, string] => [
                  areAlternatives ? name.replace('where', 'or[1]') : name,
                  value,
                ]),
                ['q', q],
              ];
              const list: [string, string][] = [
                ...filter,
                ['sort', sort],
                ['limit', String(limit)],
              ];
              const pages = async (db: Transaction) => {
                const first = await listPage(db, table, [...list, ['offset', String(offset)]]);
                const { next } = first.pagination;
                const second = next && (await listPage(db, table, [...list, ['after', next]]));
                const { query } = readListQuery(list.slice(0, -1), table.listColumns);
                const positions = [];
                for (const { id } of first.records.slice(0, 2))
                  positions.push(await db.lists.position(table, query, id));
                return { first, second, positions, count: await listCount(db, table, filter) };
              };
              expect(await readSnapshot(reading, pages, cache)).toEqual(
                await readSnapshot(reading, pages),
              );
            }
          }
        },
      ),
      { numRuns: repeated(5), seed: SEED },
    );
  });

  it('are the same after many changes at once', async () => {
    const filter: [string, string][] = [['where[integer_1][gt]', '0']];
    const list = (by: ListCache | null = null) =>
      readSnapshot(
        reading,
        async (db) => {
          const query: [string, string][] = [...filter, ['limit', '1000']];
          const { records } = await listPage(db, table, [...query, ['offset', '40']]);
          const sorted = await listPage(db, table, [...query, ['sort', '-integer_1,text_0']]);
          const ids = [...records, ...sorted.records].map(({ id }) => id);
          return { ids, count: await listCount(db, table, filter) };
        },
        by,
      );
    expect(await list(cache)).toEqual(await list());
    for (let batch = 0; batch < 6; batch++)
      await write(async (db) => {
        const fresh = Array.from({ length: 1_000 }, (_, i) => valuesOf(i % rows.length));
        await (await planNewDatasets(db, table, writer, fresh)).write(db);
      });
    await write(async (db) => {
      const deleted = (await db.lists.ids(table, { where: [], q: '', sort: [] }, 3_000)).map(
        ({ id }) => ({ jrid: id }),
      );
      await (await planDeletions(db, table, writer, deleted, null)).write(db);
    });
    expect(await list(cache)).toEqual(await list());
  });
});
