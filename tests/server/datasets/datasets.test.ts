import * as z from 'zod';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetsAnswer, historyAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('datasets', (open) => {
  let t: TestApp;
  let table: Table;
  let unique: Table;
  let clerk: TestClient;
  let all: string;
  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [
      { name: 'sName', required: true, maxLength: 20 },
      { name: 'price', type: 'decimal', default: 1.5 },
      { name: 'since', type: 'datetime' },
      { name: 'active', type: 'boolean', default: true },
      { name: 'kind', required: true, default: 'x', options: ['x', 'y'] },
    ]);
    unique = await buildTable(t.database, [
      { name: 'no', unique: true },
      { name: 'n', type: 'decimal', unique: true },
      { name: 'at', type: 'datetime', unique: true },
      { name: 'start', type: 'time', unique: true },
    ]);
    await buildUser(t.database, {
      rights: [rightOn(table, 'manage'), rightOn(unique, 'manage')],
    });
    await buildUser(t.database, { username: 'writing', rights: [rightOn(table, 'write')] });
    await buildUser(t.database, { username: 'reading', rights: [rightOn(table, 'read')] });
    await buildUser(t.database, { username: 'nobody' });
    clerk = await t.signedIn('clerk');
    all = datasetsPath(table);
  });
  const first = (body: unknown) => {
    const [dataset] = datasetsAnswer.parse(body).datasets;
    if (!dataset) throw new Error('No dataset');
    return dataset;
  };
  const create = async (dataset: Record<string, unknown>, at = all) =>
    first((await clerk.post(at, { dataset })).body);
  const refused = (body: unknown) => {
    const { code, errors } = errorBodySchema.parse(body);
    return [code, ...Object.keys(errors).sort()];
  };
  const historyOf = async (jrid: string, at = all) =>
    historyAnswer.parse((await clerk.get(`${at}/${jrid}/history`)).body).history;

  describe('are created', () => {
    it('with defaults where a column is omitted, an explicit null stays null', async () => {
      const answer = await clerk.post(all, {
        dataset: { SNAME: 'CSI', since: '2024-01-01T00:00:00.500+02:00', active: null },
      });
      expect(answer.status).toBe(200);
      const { jrid } = first(answer.body);
      expect(jrid).toMatch(/^[1-9][0-9]*$/);
      // As text, so that the order of the columns is seen too.
      expect(answer.text).toBe(
        JSON.stringify({
          datasets: [
            {
              jrid,
              sName: 'CSI',
              price: 1.5,
              since: '2024-01-01T00:00:00.500+02:00',
              active: null,
              kind: 'x',
            },
          ],
          meta: { findings: [] },
        }),
      );
      const read = await clerk.get(`${all}/${jrid}`);
      expect([read.status, read.text]).toEqual([200, answer.text]);
      expect(read.headers['etag']).toBe(answer.headers['etag']);
      expect(await historyOf(jrid)).toEqual([
        {
          historyId: expect.any(String),
          at: expect.any(String),
          user: 'clerk',
          call: 'POST application/dataapp/tables/:guid/datasets',
          changes: [
            { name: 'sName', before: null, after: 'CSI' },
            { name: 'price', before: null, after: 1.5 },
            { name: 'since', before: null, after: '2024-01-01T00:00:00.500+02:00' },
            { name: 'kind', before: null, after: 'x' },
          ],
        },
      ]);
    });

    it('not without required columns, with unknown ones, a jrid or a bad value', async () => {
      for (const [dataset, ...places] of [
        [{}, 'dataset.sName'],
        [{ sName: null }, 'dataset.sName'],
        [{ sName: '' }, 'dataset.sName'],
        [{ sName: 'x', kind: null }, 'dataset.kind'],
        [{ sName: 'x', kind: '' }, 'dataset.kind'],
        [
          { sName: 'x', kind: 'z', price: 'much', more: 1 },
          'dataset.kind',
          'dataset.more',
          'dataset.price',
        ],
        [{ sName: 'x', jrid: 5 }, 'dataset.jrid'],
        [{ sName: 'x', sname: 'y' }, 'dataset.sName'],
        [{ sName: 'x'.repeat(21) }, 'dataset.sName'],
        [{ sName: 'x', price: { a: 1 } }, 'dataset.price'],
      ] as [object, ...string[]][]) {
        const answer = await clerk.post(all, { dataset });
        expect([dataset, answer.status, refused(answer.body)]).toEqual([
          dataset,
          422,
          ['validation_failed', ...places],
        ]);
      }
      for (const body of [
        {},
        [],
        { dataset: [] },
        { dataset: null },
        { dataset: 'x' },
        { dataset: { sName: 'x' }, datasets: [{ sName: 'x' }] },
        { dataset: { sName: 'x' }, more: 1 },
        { datasets: [] },
        { datasets: {} },
        { datasets: [1] },
      ]) {
        const answer = await clerk.post(all, body);
        expect([body, answer.status, refused(answer.body)]).toEqual([
          body,
          422,
          ['validation_failed', '-'],
        ]);
      }
      const prototype = await clerk.post(all, '{"dataset":{"sName":"x","__proto__":1}}');
      expect([prototype.status, prototype.text.includes('"dataset.__proto__":')]).toEqual([
        422,
        true,
      ]);
    });

    it('several at once, all or none, in the order of the request', async () => {
      const answer = await clerk.post(all, {
        datasets: ['b', 'a', 'c'].map((sName) => ({ sName })),
      });
      expect(answer.status).toBe(200);
      const { datasets, meta } = z.strictObject(datasetsAnswer.shape).parse(answer.body);
      expect(datasets.map(({ sName }) => sName)).toEqual(['b', 'a', 'c']);
      const jrids = datasets.map(({ jrid }) => Number(jrid));
      expect(jrids.toSorted((a, b) => a - b)).toEqual(jrids);
      expect(Object.keys(meta?.etags ?? {})).toEqual(jrids.map(String));
      const count = await clerk.get(`${all}/count`);
      const bad = await clerk.post(all, {
        datasets: [{ sName: 'ok' }, { price: 'x' }, { ifMatch: '*', sName: 'x' }],
      });
      expect([bad.status, refused(bad.body)]).toEqual([
        422,
        ['validation_failed', 'datasets.1.price', 'datasets.1.sName', 'datasets.2.ifMatch'],
      ]);
      expect((await clerk.get(`${all}/count`)).body).toEqual(count.body);
    });
  });

  describe('are changed', () => {
    it('in the named columns alone', async () => {
      const dataset = await create({ sName: 'one', price: 3 });
      const answer = await clerk.put(`${all}/${dataset.jrid}`, {
        dataset: { PRICE: '4.25', jrid: Number(dataset.jrid) },
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        datasets: [{ ...dataset, price: 4.25 }],
        meta: { findings: [] },
      });
      const [entry] = await historyOf(dataset.jrid);
      expect(entry).toMatchObject({
        call: 'PUT application/dataapp/tables/:guid/datasets/:jrid',
        changes: [{ name: 'price', before: 3, after: 4.25 }],
      });
      const again = await clerk.put(`${all}/${dataset.jrid}`, { dataset: { price: 4.25 } });
      expect([again.status, again.text]).toEqual([200, answer.text]);
      expect(again.headers['etag']).toBe(answer.headers['etag']);
      expect(await historyOf(dataset.jrid)).toHaveLength(2);
      const cleared = await clerk.put(`${all}/${dataset.jrid}`, { dataset: { price: '' } });
      expect(cleared.body).toMatchObject({ datasets: [{ price: null }] });
    });

    it('not by an empty dataset, another jrid, or a bad value', async () => {
      const { jrid } = await create({ sName: 'two' });
      for (const [dataset, place] of [
        [{}, '-'],
        [{ jrid }, '-'],
        [{ jrid: '99999', price: 1 }, 'dataset.jrid'],
        [{ jrid: 'x', price: 1 }, 'dataset.jrid'],
        [{ jrid: null, price: 1 }, 'dataset.jrid'],
        [{ sName: null }, 'dataset.sName'],
        [{ nope: 1 }, 'dataset.nope'],
      ] as const) {
        const answer = await clerk.put(`${all}/${jrid}`, { dataset });
        expect([dataset, answer.status, refused(answer.body)]).toEqual([
          dataset,
          422,
          ['validation_failed', place],
        ]);
      }
      for (const id of ['99999', 'x', '-1', '1.0', '1e3']) {
        expect((await clerk.put(`${all}/${id}`, { dataset: { price: 1 } })).status).toBe(404);
        expect((await clerk.get(`${all}/${id}`)).status).toBe(404);
        expect((await clerk.get(`${all}/${id}/history`)).status).toBe(404);
      }
    });

    it('several at once, all or none', async () => {
      const [a, b] = [await create({ sName: 'a' }), await create({ sName: 'b' })];
      const answer = await clerk.put(all, {
        datasets: [
          { jrid: b.jrid, price: 9 },
          { jrid: Number(a.jrid), sName: 'A', ifMatch: '*' },
        ],
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        datasets: [
          { ...b, price: 9 },
          { ...a, sName: 'A' },
        ],
      });
      const mixed = await clerk.put(all, {
        datasets: [
          { jrid: a.jrid, sName: 'z' },
          { jrid: a.jrid, sName: 'y' },
          { jrid: 99_999, sName: 'x' },
          { jrid: b.jrid, price: 'x', ifMatch: '"0"' },
          { sName: 'no jrid' },
          { jrid: 'x', sName: 'no jrid' },
          { jrid: b.jrid },
        ],
      });
      expect([mixed.status, refused(mixed.body)]).toEqual([
        404,
        [
          'not_found',
          'datasets.1',
          'datasets.2',
          'datasets.3',
          'datasets.3.price',
          'datasets.4.jrid',
          'datasets.5.jrid',
          'datasets.6',
        ],
      ]);
      expect((await clerk.get(`${all}/${a.jrid}`)).body).toMatchObject({
        datasets: [{ sName: 'A' }],
      });
    });

    it('only of the version meant', async () => {
      const dataset = await create({ sName: 'v' });
      const path = `${all}/${dataset.jrid}`;
      const tag = String((await clerk.get(path)).headers['etag']);
      const headers = { 'if-match': tag };
      expect((await clerk.put(path, { dataset: { price: 7 } }, { headers })).status).toBe(200);
      const stale = await clerk.put(path, { dataset: { price: 8 } }, { headers });
      expect([stale.status, stale.body]).toMatchObject([
        412,
        {
          code: 'changed_meanwhile',
          errors: { '-': [expect.stringContaining('clerk')] },
          current: { ...dataset, price: 7 },
        },
      ]);
      const batch = await clerk.put(all, {
        datasets: [{ jrid: dataset.jrid, price: 8, ifMatch: tag }],
      });
      expect([batch.status, batch.body]).toMatchObject([
        412,
        {
          errors: { 'datasets.0': [expect.any(String)] },
          current: { [dataset.jrid]: { ...dataset, price: 7 } },
        },
      ]);
      const removal = await clerk.delete(all, { datasets: [{ jrid: dataset.jrid, ifMatch: tag }] });
      expect([removal.status, removal.body]).toMatchObject([
        412,
        { current: { [dataset.jrid]: { price: 7 } } },
      ]);
      // The header is for the entries without a version of their own.
      const { jrid } = dataset;
      const put = (entry: object) =>
        clerk.put(all, { datasets: [{ jrid, price: 8, ...entry }] }, { headers });
      expect((await put({})).status).toBe(412);
      expect((await put({ ifMatch: '*' })).status).toBe(200);
      expect((await clerk.delete(all, { datasets: [{ jrid }] }, { headers })).status).toBe(412);
    });
  });

  describe('are deleted', () => {
    it('all or none', async () => {
      const [a, b] = [await create({ sName: 'a' }), await create({ sName: 'b' })];
      for (const [datasets, status, ...places] of [
        [[{ jrid: a.jrid }, { jrid: 99_999 }], 404, 'datasets.1'],
        [[{ jrid: a.jrid }, { jrid: Number(a.jrid) }], 422, 'datasets.1'],
        [[{ jrid: a.jrid, ifMatch: '"0"' }, { jrid: b.jrid }], 412, 'datasets.0'],
        [[], 422, '-'],
        [[{ jrid: a.jrid, sName: 'a' }], 422, '-'],
      ] as const) {
        const answer = await clerk.delete(all, { datasets });
        expect([answer.status, refused(answer.body).slice(1)]).toEqual([status, places]);
      }
      const deleted = await clerk.delete(all, {
        datasets: [{ jrid: a.jrid }, { jrid: Number(b.jrid) }],
      });
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      for (const { jrid } of [a, b]) {
        expect((await clerk.get(`${all}/${jrid}`)).status).toBe(404);
        expect((await historyOf(jrid))[0]).toMatchObject({
          user: 'clerk',
          changes: expect.arrayContaining([{ name: 'kind', before: 'x', after: null }]),
        });
      }
    });

    it('and their jrid is never used again', async () => {
      const last = await create({ sName: 'last' });
      await clerk.delete(all, { datasets: [{ jrid: last.jrid }] });
      const next = await create({ sName: 'next' });
      expect(Number(next.jrid)).toBeGreaterThan(Number(last.jrid));
    });
  });

  describe('with unique columns', () => {
    const at = () => datasetsPath(unique);

    it('refuse a value that is taken, naming the column; several nulls may stand', async () => {
      const [a] = [
        await create({ no: 'A', n: 1, at: '2024-01-01T00:00:00Z', start: '09:30' }, at()),
        await create({}, at()),
        await create({}, at()),
      ];
      for (const [dataset, ...places] of [
        [{ no: 'A' }, 'dataset.no'],
        [{ no: 'B', n: '1.00' }, 'dataset.n'],
        [{ at: '2024-01-01T01:00:00+01:00' }, 'dataset.at'],
        [{ start: '09:30:00' }, 'dataset.start'],
        [{ no: 'A', n: 1, at: '2024-01-01T00:00:00Z' }, 'dataset.at', 'dataset.n', 'dataset.no'],
      ] as [object, ...string[]][]) {
        const answer = await clerk.post(at(), { dataset });
        expect([answer.status, refused(answer.body)]).toEqual([409, ['conflict', ...places]]);
      }
      // Exactly: another case or notation is another text; "" is a value and no null.
      expect((await clerk.post(at(), { dataset: { no: 'a' } })).status).toBe(200);
      expect((await clerk.post(at(), { dataset: { no: '' } })).status).toBe(200);
      expect((await clerk.post(at(), { dataset: { no: '' } })).status).toBe(409);
      // Its own value is not taken.
      const own = await clerk.put(`${at()}/${a.jrid}`, {
        dataset: { no: 'A', at: '2024-01-01T01:00:00+01:00' },
      });
      expect(own.status).toBe(200);
      const invalid = await clerk.post(at(), { dataset: { no: 'A', n: 'x' } });
      expect([invalid.status, refused(invalid.body)]).toEqual([
        422,
        ['validation_failed', 'dataset.n', 'dataset.no'],
      ]);
    });

    it('name a value that is taken together with all other errors, also of an unknown dataset', async () => {
      await create({ no: 'taken' }, at());
      const one = await clerk.put(`${at()}/99999`, { dataset: { no: 'taken', n: 'x' } });
      expect([one.status, refused(one.body)]).toEqual([
        404,
        ['not_found', '-', 'dataset.n', 'dataset.no'],
      ]);
      const many = await clerk.put(at(), { datasets: [{ jrid: 99_999, no: 'taken' }] });
      expect([many.status, refused(many.body)]).toEqual([
        404,
        ['not_found', 'datasets.0', 'datasets.0.no'],
      ]);
    });

    it('within a batch too, which may swap and hand on values', async () => {
      const twice = await clerk.post(at(), { datasets: [{ no: 'C' }, { no: 'D' }, { no: 'C' }] });
      expect([twice.status, refused(twice.body)]).toEqual([
        409,
        ['conflict', 'datasets.0.no', 'datasets.2.no'],
      ]);
      const [c, d, e] = [
        await create({ no: 'C' }, at()),
        await create({ no: 'D' }, at()),
        await create({ no: 'E' }, at()),
      ];
      const put = (datasets: object[]) => clerk.put(at(), { datasets });
      expect((await put([{ jrid: c.jrid, no: 'D' }])).status).toBe(409);
      const swapped = await put([
        { jrid: c.jrid, no: 'D' },
        { jrid: d.jrid, no: 'C' },
      ]);
      expect([swapped.status, swapped.body]).toMatchObject([
        200,
        { datasets: [{ no: 'D' }, { no: 'C' }] },
      ]);
      expect(
        (
          await put([
            { jrid: c.jrid, no: 'F' },
            { jrid: d.jrid, no: 'D' },
            { jrid: e.jrid, no: 'C' },
          ])
        ).status,
      ).toBe(200);
      // One that the batch names without changing it keeps its value.
      const kept = await put([
        { jrid: d.jrid, no: 'D' },
        { jrid: e.jrid, no: 'D' },
      ]);
      expect([kept.status, refused(kept.body)]).toEqual([409, ['conflict', 'datasets.1.no']]);
    });

    it('compare long texts whole', async () => {
      const long = 'x'.repeat(500_000);
      expect(
        (await clerk.post(at(), { datasets: [{ no: `${long}a` }, { no: `${long}b` }] })).status,
      ).toBe(200);
      const taken = await clerk.post(at(), { datasets: [{ no: `${long}c` }, { no: `${long}b` }] });
      expect([taken.status, refused(taken.body)]).toEqual([409, ['conflict', 'datasets.1.no']]);
    });
  });

  it(
    '10,000 at once are created, changed and deleted; one more is refused',
    { tags: ['long'] },
    async () => {
      const many = Array.from({ length: 10_000 }, (_, i) => ({ sName: `m${i}` }));
      const created = await clerk.post(all, { datasets: many });
      expect(created.status).toBe(200);
      const datasets = datasetsAnswer
        .parse(created.body)
        .datasets.map(({ jrid }, i) => ({ jrid, price: i }));
      expect(datasets).toHaveLength(10_000);
      expect((await clerk.put(all, { datasets })).status).toBe(200);
      const jrids = datasets.map(({ jrid }) => ({ jrid }));
      expect((await clerk.delete(all, { datasets: jrids })).status).toBe(204);
      for (const answer of [
        await clerk.post(all, { datasets: [...many, { sName: 'x' }] }),
        await clerk.put(all, { datasets: [...datasets, { jrid: 1, price: 1 }] }),
        await clerk.delete(all, { datasets: [...jrids, { jrid: 1 }] }),
      ]) {
        expect([answer.status, refused(answer.body)]).toEqual([422, ['validation_failed', '-']]);
      }
    },
  );

  it('need rights: `write` to create and change, `manage` to delete, none is 404', async () => {
    const { jrid } = await create({ sName: 'r' });
    for (const [user, read, write, remove] of [
      ['writing', 200, 200, 403],
      ['reading', 200, 403, 403],
      ['nobody', 404, 404, 404],
    ] as const) {
      const client = await t.signedIn(user);
      expect((await client.get(`${all}/${jrid}`)).status).toBe(read);
      expect((await client.get(`${all}/${jrid}/history`)).status).toBe(read);
      expect((await client.post(all, { dataset: { sName: 'x' } })).status).toBe(write);
      expect((await client.put(`${all}/${jrid}`, { dataset: { sName: user } })).status).toBe(write);
      expect((await client.put(all, { datasets: [{ jrid, sName: 'x' }] })).status).toBe(write);
      expect((await client.delete(all, { datasets: [{ jrid }] })).status).toBe(remove);
    }
  });

  it('are listed with filters, sorting and tags', async () => {
    const { jrid } = await create({ sName: 'Listed Ärger', price: 77 });
    const list = await clerk.get(
      `${all}?where[SNAME][like]=arger&where[jrid][gte]=1&sort=-changedAt&limit=5`,
    );
    expect(list.body).toEqual({
      datasets: [first((await clerk.get(`${all}/${jrid}`)).body)],
      meta: {
        pagination: { total: 1, limit: 5, offset: 0, next: null },
        etags: { [jrid]: (await clerk.get(`${all}/${jrid}`)).headers['etag'] },
      },
    });
    expect((await clerk.get(`${all}/ids?q=arger&where[changedBy][eq]=clerk`)).body).toEqual({
      jrids: [jrid],
      etags: [expect.any(String)],
    });
    expect((await clerk.get(`${all}/count?q=arger`)).body).toEqual({ count: 1 });
    expect((await clerk.get(`${all}?where[keyword.X][eq]=1`)).status).toBe(400);
  });
});
