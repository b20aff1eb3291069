import { beforeAll, beforeEach, expect, it } from 'vitest';
import { insertRows } from '#server/database/records/bulk-statements.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { valueGroupsAnswer } from '#shared/contract/table-analysis-answers.ts';
import { valueAliasesAnswer, valueClustersAnswer } from '#shared/contract/value-cleanup.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { bulkEditOf, ended } from '#tests/support/bulk-edits.ts';
import { describeOnBothDatabases, describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

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

describeOnOneDatabase('values that are nearly equal', (open) => {
  let t: TestApp;
  let clerk: TestClient;
  let archive: Archive;
  let table: Table;
  beforeAll(async () => {
    t = await openApp(open);
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
        valueGroupsAnswer.parse((await clerk.get(`${path}?by=SUPPLIER&limit=2`)).body),
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

  const apply = async (base: string, path: string, body: unknown) => {
    const plan = bulkEditOf(await clerk.post(path, body));
    const at = `${base}/bulkedits/${plan.bulkEditId}`;
    expect((await clerk.post(`${at}/apply`, {})).status).toBe(200);
    expect(await ended(clerk, at)).toMatchObject({ state: 'done' });
    return { plan, at };
  };
  const valuesAt = async (path: string) => {
    const answer = await clerk.get(`${path}/groups?by=SUPPLIER&sort=value`);
    return valueGroupsAnswer
      .parse(answer.body)
      .groups.map(({ values, count }) => [values['SUPPLIER'], count]);
  };

  it('are corrected as one bulk edit, which can be reverted', async () => {
    const places = [
      [archivePath(archive), 'indices', 'index'],
      [tablePath(), 'columns', 'datasets'],
    ] as const;
    for (const [base, fields, list] of places) {
      const before = await valuesAt(`${base}/${list}`);
      const { plan, at } = await apply(base, `${base}/${fields}/SUPPLIER/replacements`, {
        filter: 'where[CITY][eq]=Bern',
        replacements: [
          { from: 'Müller Gmbh', to: 'Müller GmbH' },
          { from: 'Mueller G.m.b.H.', to: 'Müller GmbH' },
          { from: 'Durand S.A.R.L.', to: 'Durand SARL' },
        ],
      });
      // The one in Basel is not in the filter.
      expect(plan).toMatchObject({ kind: 'edit', counts: { total: 2, changed: 2 }, findings: [] });
      expect(await valuesAt(`${base}/${list}`)).toEqual([
        ['', 1],
        ['Acme', 1],
        ['Durand SARL', 2],
        ['Mueller G.m.b.H.', 1],
        ['Müler GmbH', 1],
        ['Müller GmbH', 3],
        [null, 1],
      ]);
      expect((await clerk.post(`${at}/undo`)).status).toBe(200);
      expect(await ended(clerk, at)).toMatchObject({ state: 'undone', counts: { takenBack: 2 } });
      expect(await valuesAt(`${base}/${list}`)).toEqual(before);
    }
  });

  it('are not planned where the result is not clear, or nobody may write it', async () => {
    const unique = await buildTable(t.database, [{ name: 'SUPPLIER', unique: true }]);
    const uniquePath = datasetsPath(unique).replace(/\/datasets$/, '/columns');
    const chain = {
      replacements: [
        { from: 'a', to: 'b' },
        { from: 'b', to: 'c' },
      ],
    };
    const one = { replacements: [{ from: 'a', to: 'b' }] };
    const hidden = new Map(archive.fields.map(({ number }) => [number, 'read' as const]));
    await buildUser(t.database, {
      username: 'anna',
      rights: [{ ...rightOn(archive, 'write'), fields: hidden }, rightOn(table, 'read')],
    });
    const anna = await t.signedIn('anna');
    const refusal = async (path: string, body: unknown, client = clerk) => {
      const answer = await client.post(path, body);
      return [answer.status, Object.keys(Object(answer.body).errors ?? {})];
    };
    for (const path of paths()) {
      const at = `${path}/SUPPLIER/replacements`;
      expect(await refusal(at, chain)).toEqual([422, ['replacements.0.to']]);
      expect(await refusal(at, { ...one, filter: 'where[NONE][eq]=1' })).toEqual([
        400,
        ['where[NONE][eq]'],
      ]);
      const stored = { replacements: [{ from: 'a\u0000', to: 'b' }] };
      expect(await refusal(at, stored)).toEqual([422, ['-']]);
      expect((await refusal(at, one, anna))[0]).toBe(403);
    }
    const { body } = await clerk.post(`${uniquePath}/SUPPLIER/replacements`, one);
    expect(Object(body).details).toEqual([
      { path: 'field', code: 'valueCleanup.unique', params: { name: 'SUPPLIER' } },
    ]);
  });

  it(
    'are remembered if one wants it, and corrected by later imports and pastes',
    { tags: ['slow'] },
    async () => {
      const remembered = {
        replacements: [{ from: 'Müller Gmbh', to: 'Müller GmbH' }],
        remember: true,
      };
      const places = [
        [archivePath(archive), 'indices'],
        [tablePath(), 'columns'],
      ] as const;
      for (const [base, fields] of places) {
        const path = `${base}/${fields}/SUPPLIER`;
        const aliases = async () =>
          valueAliasesAnswer
            .parse((await clerk.get(`${path}/aliases`)).body)
            .aliases.map(({ alias, value, createdBy }) => [alias, value, createdBy]);
        const { at } = await apply(base, `${path}/replacements`, remembered);
        expect(await aliases()).toEqual([['Müller Gmbh', 'Müller GmbH', 'clerk']]);
        // The import of new records, and of changes of an archive by the same reader of rows.
        const text = 'SUPPLIER,CITY\r\nMüller Gmbh,Chur\r\nDurand SARL,Chur\r\n';
        const file = ['files[0]', { name: 'rows.csv', bytes: text, type: 'text/csv' }] as const;
        const form = formOf([['mode', 'create'], [...file]]);
        const plan = bulkEditOf(
          await clerk.send('POST', `${base}/imports`, form.body, { headers: form.headers }),
        );
        const records = base === archivePath(archive) ? 'revisions' : 'datasets';
        const rows = await clerk.get(`${base}/bulkedits/${plan.bulkEditId}/${records}`);
        const [first, second] = Object(rows.body)[records];
        expect(first).toMatchObject({
          outcome: 'new',
          message: 'Row 2: SUPPLIER: “Müller Gmbh” was corrected to “Müller GmbH”.',
          changes: [
            { name: 'SUPPLIER', after: 'Müller GmbH' },
            { name: 'CITY', after: 'Chur' },
          ],
        });
        expect(second).toMatchObject({ outcome: 'new', message: null });
        // What is reverted is forgotten.
        await clerk.post(`${at}/undo`);
        await ended(clerk, at);
        expect(await aliases()).toEqual([]);
      }
      const columns = [{ field: 'SUPPLIER' }];
      const { at } = await apply(
        tablePath(),
        `${tablePath()}/columns/SUPPLIER/replacements`,
        remembered,
      );
      const pasted = bulkEditOf(
        await clerk.post(`${tablePath()}/pastes`, {
          columns,
          datasets: [{ jrid: '8', cells: ['Müller Gmbh'] }],
        }),
      );
      const rows = await clerk.get(`${tablePath()}/bulkedits/${pasted.bulkEditId}/datasets`);
      expect(Object(rows.body).datasets[0]).toMatchObject({
        outcome: 'changed',
        message: 'Row 1: SUPPLIER: “Müller Gmbh” was corrected to “Müller GmbH”.',
        changes: [{ name: 'SUPPLIER', before: 'Acme', after: 'Müller GmbH' }],
      });
      const listed = await clerk.get(`${tablePath()}/columns/SUPPLIER/aliases`);
      const [alias] = valueAliasesAnswer.parse(listed.body).aliases;
      const one = `${tablePath()}/columns/SUPPLIER/aliases/${alias?.aliasId}`;
      expect((await clerk.send('DELETE', one)).status).toBe(204);
      // As often as one likes.
      expect((await clerk.send('DELETE', one)).status).toBe(204);
      expect((await clerk.send('DELETE', `${one}x`)).status).toBe(404);
      const left = await clerk.get(`${tablePath()}/columns/SUPPLIER/aliases`);
      expect(left.body).toEqual({ aliases: [] });
      await clerk.post(`${at}/undo`);
      await ended(clerk, at);
    },
  );
});

describeOnOneDatabase('remembered corrections', (open) => {
  let t: TestApp;
  let clerk: TestClient;
  let base: string;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { role: 'administrator' });
    clerk = await t.signedIn('clerk');
  });
  beforeEach(async () => {
    const table = await buildTable(t.database, [{ name: 'CITY' }]);
    await buildRecords(t.database, table, [['A'], ['B'], ['C'], ['D']]);
    base = datasetsPath(table).replace(/\/datasets$/, '');
  });
  /** @returns the path of the bulk edit */
  const correct = async (from: string, to: string) => {
    const body = { replacements: [{ from, to }], remember: true };
    const plan = bulkEditOf(await clerk.post(`${base}/columns/CITY/replacements`, body));
    const at = `${base}/bulkedits/${plan.bulkEditId}`;
    expect((await clerk.post(`${at}/apply`, {})).status).toBe(200);
    expect(await ended(clerk, at)).toMatchObject({ state: 'done' });
    return at;
  };
  const revert = async (at: string) => {
    expect((await clerk.post(`${at}/undo`)).status).toBe(200);
    expect(await ended(clerk, at)).toMatchObject({ state: 'undone' });
  };
  const read = async () =>
    valueAliasesAnswer.parse((await clerk.get(`${base}/columns/CITY/aliases`)).body).aliases;
  const aliases = async () => (await read()).map(({ alias, value }) => `${alias} → ${value}`);

  it('that a later one changed are as before once that is reverted', async () => {
    await correct('A', 'B');
    const second = await correct('B', 'C');
    const third = await correct('C', 'A');
    expect(await aliases()).toEqual(['B → A', 'C → A']);
    await revert(third);
    expect(await aliases()).toEqual(['A → C', 'B → C']);
    await revert(second);
    expect(await aliases()).toEqual(['A → B']);
  });

  it('are forgotten with their bulk edit, also if a later one changed them', async () => {
    const first = await correct('A', 'B');
    const second = await correct('B', 'C');
    expect(await aliases()).toEqual(['A → C', 'B → C']);
    await clerk.post(`${first}/undo`);
    await ended(clerk, first);
    expect(await aliases()).toEqual(['B → C']);
    await revert(second);
    expect(await aliases()).toEqual([]);
  });

  it('that a user deletes stay deleted, and leave others as they are', async () => {
    await correct('A', 'B');
    const second = await correct('B', 'C');
    const [, toC] = await read();
    expect(
      (await clerk.send('DELETE', `${base}/columns/CITY/aliases/${toC?.aliasId}`)).status,
    ).toBe(204);
    expect(await aliases()).toEqual(['A → C']);
    await revert(second);
    expect(await aliases()).toEqual(['A → B']);
    await correct('B', 'D');
    expect(await aliases()).toEqual(['A → D', 'B → D']);
  });

  it('follow the conversions of their field, and are used again once it is a text', async () => {
    const table = await buildTable(t.database, [{ name: 'CITY' }]);
    await buildRecords(t.database, table, [['2024-01-01'], ['2024-01-02']]);
    base = datasetsPath(table).replace(/\/datasets$/, '');
    await correct('2024-01-02', '2024-01-01');
    const convert = async (type: string) => {
      const path = `configuration/tables/${table.guid}`;
      const change = { table: { name: table.name, columns: [{ name: 'CITY', type }] } };
      const answer = await clerk.put(path, change, { headers: { 'if-match': '*' } });
      expect(answer.status).toBe(200);
    };
    const pasted = async () => {
      const body = { columns: [{ field: 'CITY' }], datasets: [{ cells: ['2024-01-02'] }] };
      const { bulkEditId } = bulkEditOf(await clerk.post(`${base}/pastes`, body));
      const rows = await clerk.get(`${base}/bulkedits/${bulkEditId}/datasets`);
      return Object(rows.body).datasets[0].changes[0].after;
    };
    await convert('date');
    expect(await pasted()).toBe('2024-01-02');
    await convert('text');
    expect(await aliases()).toEqual(['2024-01-02 → 2024-01-01']);
    expect(await pasted()).toBe('2024-01-01');
  });

  it('stay with a field that is kept beside the one with its converted values', async () => {
    const table = await buildTable(t.database, [{ name: 'CITY' }]);
    await buildRecords(t.database, table, [['2024-01-01'], ['2024-01-02'], ['Bern']]);
    base = datasetsPath(table).replace(/\/datasets$/, '');
    await correct('2024-01-02', '2024-01-01');
    const define = async (...columns: object[]) => {
      const path = `configuration/tables/${table.guid}`;
      const change = { table: { name: table.name, columns }, onMisfit: 'keep' };
      const answer = await clerk.put(path, change, { headers: { 'if-match': '*' } });
      expect(answer.status).toBe(200);
    };
    await define({ name: 'CITY', type: 'date' });
    await define({ name: 'CITY', type: 'date' }, { name: 'CITY_before_1', type: 'text' });
    const body = { columns: [{ field: 'CITY_before_1' }], datasets: [{ cells: ['2024-01-02'] }] };
    const { bulkEditId } = bulkEditOf(await clerk.post(`${base}/pastes`, body));
    const rows = await clerk.get(`${base}/bulkedits/${bulkEditId}/datasets`);
    expect(rows.body).toMatchObject({ datasets: [{ changes: [{ after: '2024-01-01' }] }] });
  });

  it('are changed by nobody who may only read the field', async () => {
    const table = await buildTable(t.database, [{ name: 'CITY' }]);
    await buildRecords(t.database, table, [['A']]);
    base = datasetsPath(table).replace(/\/datasets$/, '');
    await correct('A', 'B');
    const known = await read();
    await buildUser(t.database, { username: 'anna', rights: [rightOn(table, 'write')] });
    const anna = await t.signedIn('anna');
    const body = { replacements: [{ from: 'B', to: 'C' }], remember: true };
    const plan = bulkEditOf(await anna.post(`${base}/columns/CITY/replacements`, body));
    const rights = {
      archives: {},
      tables: { [table.guid]: { right: 'write', fields: { CITY: 'read' } } },
    };
    expect((await clerk.patch('configuration/users/anna', { user: { rights } })).status).toBe(200);
    const again = await t.signedIn('anna');
    const at = `${base}/bulkedits/${plan.bulkEditId}`;
    expect((await again.post(`${at}/apply`, {})).status).toBe(200);
    await ended(again, at);
    expect(await read()).toEqual(known);
    const path = `${base}/columns/CITY/aliases/${known[0]?.aliasId}`;
    expect((await again.send('DELETE', path)).status).toBe(403);
    expect(await read()).toEqual(known);
  });

  it('are those of the newest 10,000 corrections', { tags: ['slow'] }, async () => {
    await correct('A', 'B');
    await correct('B', 'C');
    // Calls would take minutes.
    await t.database.write(async (db) => {
      const columns = ['scope', 'thing_id', 'field', 'created_at', 'created_by'] as const;
      const like = await db.k
        .selectFrom('value_corrections')
        .select(columns)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      const rows = Array.from({ length: 9_998 }, (_, i) => [
        ...columns.map((column) => like[column]),
        `typo ${i}`,
        'C',
      ]);
      await insertRows(db, 'value_corrections', [...columns, 'alias', 'value'], rows);
    });
    expect(await read()).toHaveLength(10_000);
    expect((await aliases()).slice(0, 2)).toEqual(['A → C', 'B → C']);
    await correct('C', 'D');
    expect(await read()).toHaveLength(10_000);
    expect((await aliases()).slice(0, 2)).toEqual(['B → D', 'C → D']);
    await correct('D', 'E');
    // Those of newer corrections follow them, also where the correction that made them equal is gone.
    expect(await aliases()).toEqual(expect.arrayContaining(['C → E', 'D → E', 'typo 9997 → E']));
    expect(await read()).toHaveLength(10_000);
  });
});

/** Lists as clerks write them; one has the same value twice. */
const TOPICS = [['Tax', 'Bern'], ['Tax', 'Tax', 'Zoo'], ['Bern', 'tax', 'Tax', 'Zoo'], ['TAX'], []];

describeOnBothDatabases('values of a keyword field', (open) => {
  it(
    'are counted once for a record, corrected inside its list, and remembered',
    { tags: ['slow'] },
    async () => {
      const t = await openApp(open);
      const archive = await buildArchive(t.database, [{ name: 'TITLE' }], ['TOPIC', 'OTHER']);
      await buildRecords(
        t.database,
        archive,
        TOPICS.map((_, i) => [`Title ${i}`]),
        (row) => [TOPICS[row] ?? [], ['tax']],
      );
      const number = archive.keywordFields[0]?.number ?? 0;
      await buildUser(t.database, { username: 'admin', role: 'administrator' });
      const restricted = {
        ...rightOn(archive, 'write'),
        fields: new Map([[number, 'read' as const]]),
      };
      await buildUser(t.database, { username: 'anna', rights: [restricted] });
      const [clerk, anna] = [await t.signedIn('admin'), await t.signedIn('anna')];
      const base = archivePath(archive);
      const path = `${base}/indices/keyword.TOPIC`;
      const groups = async (query: string) => {
        const answer = await clerk.get(`${base}/index/groups?by=keyword.topic${query}`);
        const { groups: found, meta } = valueGroupsAnswer.parse(answer.body);
        return [
          ...found.map(({ values, count }) => [values['keyword.TOPIC'], count]),
          meta.pagination.total,
        ];
      };
      expect(await groups('')).toEqual([
        ['Tax', 3],
        ['Bern', 2],
        ['Zoo', 2],
        ['TAX', 1],
        ['tax', 1],
        5,
      ]);
      expect(await groups('&where[TITLE][eq]=Title 3')).toEqual([['TAX', 1], 1]);
      expect(await groups('&like=AX&sort=-value&limit=2')).toEqual([['tax', 1], ['Tax', 3], 3]);
      expect(await groups('&startsWith=b&total=false')).toEqual([['Bern', 2], undefined]);
      expect((await clerk.get(`${base}/index/groups?by=keyword.TOPIC&sum=TITLE`)).status).toBe(400);
      expect((await clerk.get(`${base}/index/groups?by=NONE`)).body).toMatchObject({
        errors: { by: ['There is no field NONE.'] },
      });

      const found = await clerk.get(`${path}/clusters`);
      expect(valueClustersAnswer.parse(found.body)).toEqual({
        clusters: [
          {
            distance: 0,
            count: 5,
            values: [
              { value: 'Tax', count: 3 },
              { value: 'TAX', count: 1 },
              { value: 'tax', count: 1 },
            ],
          },
        ],
        meta: { clusters: 1, values: 5, compared: 5, message: null },
      });
      const body = {
        replacements: [
          { from: 'tax', to: 'Tax' },
          { from: 'TAX', to: 'Tax' },
        ],
        remember: true,
      };
      const tooLong = { replacements: [{ from: 'tax', to: 'x'.repeat(256) }] };
      expect((await clerk.post(`${path}/replacements`, tooLong)).status).toBe(422);
      expect((await anna.post(`${path}/replacements`, body)).status).toBe(403);
      expect((await clerk.get(`${base}/indices/keyword.NONE/clusters`)).status).toBe(404);
      const plan = bulkEditOf(await clerk.post(`${path}/replacements`, body));
      expect(plan).toMatchObject({
        edits: [{ field: 'keyword.TOPIC', do: 'replaceValues' }],
        counts: { total: 2, changed: 2 },
      });
      const at = `${base}/bulkedits/${plan.bulkEditId}`;
      const { revisions } = Object((await clerk.get(`${at}/revisions`)).body);
      // The value that is there already stays where it was first.
      expect(revisions.map(({ changes }: { changes: unknown }) => changes)).toEqual([
        [
          {
            name: 'keyword.TOPIC',
            before: ['Bern', 'tax', 'Tax', 'Zoo'],
            after: ['Bern', 'Tax', 'Zoo'],
          },
        ],
        [{ name: 'keyword.TOPIC', before: ['TAX'], after: ['Tax'] }],
      ]);
      await clerk.post(`${at}/apply`, {});
      expect(await ended(clerk, at)).toMatchObject({ state: 'done' });
      expect(await groups('')).toEqual([['Tax', 4], ['Bern', 2], ['Zoo', 2], 3]);

      const text = 'revisionId,keyword.TOPIC,keyword.OTHER\r\n5,"TAX,Zoo,tax",TAX\r\n';
      const form = formOf([['files[0]', { name: 'rows.csv', bytes: text, type: 'text/csv' }]]);
      const imported = bulkEditOf(
        await clerk.send('POST', `${base}/imports`, form.body, { headers: form.headers }),
      );
      const rows = await clerk.get(`${base}/bulkedits/${imported.bulkEditId}/revisions`);
      expect(Object(rows.body).revisions).toMatchObject([
        {
          outcome: 'changed',
          message: 'TOPIC: “TAX” was corrected to “Tax”. TOPIC: “tax” was corrected to “Tax”.',
          changes: [
            { name: 'keyword.TOPIC', after: ['Tax', 'Zoo'] },
            { name: 'keyword.OTHER', after: ['TAX'] },
          ],
        },
      ]);
      await clerk.post(`${at}/undo`);
      expect(await ended(clerk, at)).toMatchObject({ state: 'undone' });
      expect(await groups('')).toContainEqual(['tax', 1]);
      expect((await clerk.get(`${path}/aliases`)).body).toEqual({ aliases: [] });
    },
  );
});
