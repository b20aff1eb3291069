import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { groupsAnswer } from '#shared/contract/table-analysis-answers.ts';
import { valueClustersAnswer } from '#shared/contract/value-cleanup.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { describeOnBothDatabases } from '#tests/support/databases.ts';

const FIELDS = [{ name: 'SUPPLIER' }, { name: 'CITY' }, { name: 'TOTAL', type: 'decimal' }];
const ROWS = [
  ['Müller GmbH', 'Bern', 1],
  ['Müller GmbH', 'Bern', 2],
  ['Müller Gmbh', 'Bern', 3],
  ['Mueller G.m.b.H.', 'Basel', 4],
  ['Müler GmbH', 'Bern', 5],
  ['Durand SARL', 'Bern', 6],
  ['Durand S.A.R.L.', 'Bern', 7],
  ['Acme', 'Bern', 8],
  ['', 'Bern', 9],
  [null, 'Bern', 10],
];

describeOnBothDatabases('values that are nearly equal', (open) => {
  let t: TestApp;
  let clerk: TestClient;
  let archive: Archive;
  let table: Table;
  beforeAll(async () => {
    t = await openApp(open, { definitionsFreshFor: 0 });
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
    archive = await buildArchive(t.database, FIELDS);
    table = await buildTable(t.database, FIELDS);
    await buildRecords(t.database, archive, ROWS);
    await buildRecords(t.database, table, ROWS);
  });
  const tablePath = () => datasetsPath(table).replace(/\/datasets$/, '');
  const paths = () => [`${archivePath(archive)}/indices`, `${tablePath()}/columns`];
  const clusters = async (path: string) => valueClustersAnswer.parse((await clerk.get(path)).body);

  it('are answered as clusters with counts, by letters that may differ', async () => {
    const durand = {
      distance: 0,
      count: 2,
      values: [
        { value: 'Durand S.A.R.L.', count: 1 },
        { value: 'Durand SARL', count: 1 },
      ],
    };
    const equal = [
      { value: 'Müller GmbH', count: 2 },
      { value: 'Mueller G.m.b.H.', count: 1 },
      { value: 'Müller Gmbh', count: 1 },
    ];
    for (const path of paths()) {
      expect(await clusters(`${path}/SUPPLIER/clusters?distance=0`)).toEqual({
        clusters: [{ distance: 0, count: 4, values: equal }, durand],
        meta: { clusters: 2, values: 7, compared: 7, message: null },
      });
      expect(await clusters(`${path}/supplier/clusters`)).toMatchObject({
        clusters: [
          {
            distance: 1,
            count: 5,
            values: equal.toSpliced(2, 0, { value: 'Müler GmbH', count: 1 }),
          },
          durand,
        ],
      });
    }
  });

  it('are those of the records that match', async () => {
    for (const path of paths()) {
      const { clusters: found, meta } = await clusters(
        `${path}/SUPPLIER/clusters?where[CITY][eq]=Bern&where[TOTAL][lt]=5&q=gmbh`,
      );
      expect(found.map(({ values }) => values.map(({ value }) => value))).toEqual([
        ['Müller GmbH', 'Müller Gmbh'],
      ]);
      expect(meta).toMatchObject({ values: 2, compared: 2 });
    }
  });

  it('are refused for other types, unknown fields and unknown parameters', async () => {
    for (const path of paths()) {
      expect((await clerk.get(`${path}/TOTAL/clusters`)).status).toBe(422);
      expect((await clerk.get(`${path}/NONE/clusters`)).status).toBe(404);
      expect((await clerk.get(`${path}/SUPPLIER/clusters?distance=3`)).status).toBe(400);
      expect((await clerk.get(`${path}/SUPPLIER/clusters?where[NONE][eq]=1`)).status).toBe(400);
    }
  });

  it('are read beside all values of an archive, by groups as those of a table', async () => {
    const [first, ...others] = await Promise.all(
      [`${archivePath(archive)}/index/groups`, `${tablePath()}/datasets/groups`].map(async (path) =>
        groupsAnswer.parse((await clerk.get(`${path}?by=SUPPLIER&limit=2`)).body),
      ),
    );
    expect(first).toEqual({
      groups: [
        { values: { SUPPLIER: 'Müller GmbH' }, count: 2, sums: {} },
        { values: { SUPPLIER: '' }, count: 1, sums: {} },
      ],
      meta: { pagination: { total: 9, limit: 2, offset: 0 } },
    });
    expect(others).toEqual([first]);
  });
});
