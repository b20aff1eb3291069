/** @module-tag slow */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { listIds } from '#server/modules/records/lists.service.ts';
import { readListQuery } from '#shared/rules/lists.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildRecords, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';
import {
  buildSampleTable,
  condition,
  parameterOf,
  rows,
  SEED,
  sort,
  sortParameter,
} from '../records/list-samples.ts';
import { repeated } from '#tests/support/effort.ts';

describeOnBothDatabases('the position of a dataset', (open, { dialect }) => {
  let t: TestApp;
  let table: Table;
  let reader: TestClient;
  let path: string;
  beforeAll(async () => {
    t = await openApp(open);
    table = await buildSampleTable(t.database);
    await buildRecords(t.database, table, rows);
    await buildUser(t.database, { username: 'reader', rights: [rightOn(table, 'read')] });
    await buildUser(t.database, { username: 'stranger' });
    reader = await t.signedIn('reader');
    path = `${datasetsPath(table)}/position`;
  });

  it('is its row in the list of the same filter and sort', async () => {
    const query = fc.record({
      conditions: fc.array(condition, { maxLength: 2 }),
      items: sort,
      id: fc.integer({ min: 1, max: rows.length + 1 }),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ conditions, items, id }) => {
        const parameters: [string, string][] = [
          ...conditions.map(parameterOf),
          ['sort', sortParameter(items)],
        ];
        const { ids } = await t.database.read((db) => listIds(db, table, parameters));
        const position = ids.indexOf(String(id));
        expect(
          await t.database.read((db) =>
            db.lists.position(table, readListQuery(parameters, table.listColumns).query, id),
          ),
        ).toBe(position < 0 ? null : position);
      }),
      { numRuns: repeated(dialect === 'sqlite' ? 100 : 30), seed: SEED },
    );
  });

  it('is answered to who may read the table, and names what it does not understand', async () => {
    expect((await reader.get(`${path}?jrid=3&sort=-jrid`)).body).toEqual({
      position: rows.length - 3,
    });
    expect((await reader.get(`${path}?jrid=3&where[jrid][gt]=3`)).body).toEqual({ position: null });
    for (const [query, parameter] of [
      ['', 'jrid'],
      ['jrid=x', 'jrid'],
      ['jrid=1&jrid=2', 'jrid'],
      ['jrid=1&limit=3', 'limit'],
      ['jrid=1&sort=nothing', 'sort'],
    ] as const) {
      const answer = await reader.get(`${path}?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ code: 'malformed' });
      expect(answer.body).toHaveProperty(['errors', parameter]);
    }
    const stranger = await t.signedIn('stranger');
    expect((await stranger.get(`${path}?jrid=1`)).status).toBe(404);
  });
});
