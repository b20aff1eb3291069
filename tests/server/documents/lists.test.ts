import { sql } from 'kysely';
import * as z from 'zod';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { tableName } from '#server/database/records/columns.ts';
import { orderIndex } from '#server/database/records/record-tables.ts';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { indexAnswer, paginationSchema, revisionIdsAnswer } from '#shared/contract/answers.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnEveryDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

describeOnEveryDatabase('lists of an archive', (open, { hasTrigrams }) => {
  // Without trigrams PostgreSQL searches texts in another way; all else is the same.
  const isSearchAlone = !hasTrigrams && !IS_LONG_RUN;
  let t: TestApp;
  let archive: Archive;
  /** for what many records are needed */
  let large: Table;
  /** whose field takes its options from a table */
  let ordered: Archive;
  let clerk: TestClient;
  /** who does not see that table */
  let stranger: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(
      t.database,
      [
        { name: 'Supplier' },
        { name: 'AMOUNT', type: 'decimal' },
        { name: 'COUNT', type: 'integer' },
        { name: 'PAID', type: 'boolean' },
        { name: 'DAY', type: 'date' },
        { name: 'STATE', options: ['open', 'paid', 'void'] },
      ],
      ['SUBJECT'],
    );
    large = await buildTable(t.database, [{ name: 'n', type: 'integer' }]);
    await buildRecords(
      t.database,
      archive,
      [
        ['Müller, Söhne', 10.5, 1, true, '2024-01-01', 'open'],
        ['müller', 2, 2, false, '2024-01-02', 'paid'],
        ['Acme 100%', null, 3, null, null, null],
        ['acme_1', 0.25, 4, true, '2023-12-31', 'open'],
        ['', 7, 5, null, '2024-01-01', 'gone'],
        [null, 7, 6, null, '2024-01-01', null],
      ],
      (row) => [row === 0 ? ['paper', 'Ink'] : row === 1 ? ['ink'] : []],
    );
    const partners = await buildTable(t.database, [{ name: 'name' }]);
    await buildRecords(t.database, partners, [['Acme'], ['Bolt'], [null], ['12']]);
    const optionsFrom = { table: partners.name, column: 'name' };
    ordered = await buildArchive(t.database, [{ name: 'PARTNER', optionsFrom }]);
    await buildRecords(t.database, ordered, [['Bolt'], ['Typo'], ['Bolt'], [null]]);
    const rights = [archive, large, ordered].map((seen) => rightOn(seen, 'write'));
    await buildUser(t.database, { rights: [...rights, rightOn(partners, 'read')] });
    await buildUser(t.database, { username: 'stranger', rights });
    clerk = await t.signedIn('clerk');
    stranger = await t.signedIn('stranger');
  });
  const index = (query: string) => `${archivePath(archive)}/index${query}`;
  const ids = async (query: string) => {
    const answer = await clerk.get(index(`/ids?${query}`));
    return answer.status === 200
      ? revisionIdsAnswer.parse(answer.body).revisionIds.join()
      : answer.text;
  };

  it('answer records of the decided shape', async () => {
    const answer = await clerk.get(index('?limit=1&sort=-AMOUNT'));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      archivedocuments: [
        {
          revisionId: '1',
          documentId: '1',
          revision: 1,
          createdAt: '2024-01-01T00:00:00.000Z',
          changedAt: '2024-01-01T00:00:00.000Z',
          changedBy: 'builder',
          locked: null,
          indexFields: [
            { name: 'Supplier', value: 'Müller, Söhne' },
            { name: 'AMOUNT', value: 10.5 },
            { name: 'COUNT', value: 1 },
            { name: 'PAID', value: true },
            { name: 'DAY', value: '2024-01-01' },
            { name: 'STATE', value: 'open' },
          ],
        },
      ],
      meta: {
        pagination: { total: 6, limit: 1, offset: 0, next: expect.any(String) },
        etags: { '1': (await clerk.get(`${archivePath(archive)}/documents/1`)).headers['etag'] },
      },
    });
    const documents = await clerk.get(`${archivePath(archive)}/documents?where[COUNT][eq]=1`);
    const [entry] = indexAnswer.parse(answer.body).archivedocuments;
    expect(documents.body).toEqual({
      archivedocuments: [
        {
          ...entry,
          keywordFields: [
            { name: 'SUBJECT', value: 'paper' },
            { name: 'SUBJECT', value: 'Ink' },
          ],
          files: [],
        },
      ],
      meta: {
        pagination: { total: 1, limit: 50, offset: 0, next: null },
        etags: { '1': expect.any(String) },
      },
    });
  });

  const queries = [
    ['where[supplier][eq]=müller', '2'],
    ['where[Supplier][ne]=müller', '1,3,4,5,6'],
    ['where[Supplier][like]=MULLER', '1,2'],
    ['where[Supplier][like]=100%25', '3'],
    ['where[Supplier][like]=_', '4'],
    ['where[Supplier][in]=müller,Müller\\, Söhne', '1,2'],
    ['where[Supplier][null]=true', '5,6'],
    ['where[Supplier][null]=false', '1,2,3,4'],
    ['where[AMOUNT][gt]=2', '1,5,6'],
    ['where[AMOUNT][lte]=2.0', '2,4'],
    ['where[AMOUNT][ne]=7', '1,2,3,4'],
    ['where[AMOUNT][in]=7,10.50', '1,5,6'],
    ['where[AMOUNT][eq]=10.5000001', ''],
    ['where[PAID][eq]=true', '1,4'],
    ['where[PAID][ne]=1', '2,3,5,6'],
    ['where[DAY][gte]=2024-01-01&where[DAY][lt]=2024-01-02', '1,5,6'],
    ['where[DAY][gte]=2024-01-01&where[PAID][null]=true&where[AMOUNT][eq]=7', '5,6'],
    ['where[keyword.SUBJECT][eq]=ink', '2'],
    ['where[KEYWORD.subject][like]=INK', '1,2'],
    ['where[keyword.SUBJECT][null]=true', '3,4,5,6'],
    ['where[keyword.SUBJECT][ne]=ink', '1,3,4,5,6'],
    ['where[keyword.SUBJECT][gt]=ink', '1'],
    ['where[keyword.SUBJECT][gte]=ink', '1,2'],
    ['where[keyword.SUBJECT][lt]=ink', '1'],
    ['where[keyword.SUBJECT][lte]=ink', '1,2'],
    ['where[keyword.SUBJECT][in]=ink,Ink', '1,2'],
    ['where[keyword.SUBJECT][ne]=ink&where[keyword.SUBJECT][ne]=paper', '3,4,5,6'],
    ['where[keyword.SUBJECT][like]=in&where[AMOUNT][null]=false&q=in', '1,2'],
    ['where[revisionId][in]=2,3', '2,3'],
    ['where[revisionId][gt]=4', '5,6'],
    ['where[changedBy][eq]=builder', '1,2,3,4,5,6'],
    ['where[changedAt][gt]=2024-01-01T00:00:00Z', ''],
    ['where[changedAt][eq]=2024-01-01T01:00:00%2B01:00', '1,2,3,4,5,6'],
    ['q=mull', '1,2'],
    ['q=ull+pap', '1'],
    ['q=so', '1'],
    ['q=ul', ''],
    ['q=ink', '1,2'],
    ['q=10', '3'],
    ['q=10.5', ''],
    ['q=', '1,2,3,4,5,6'],
    ['q=%20&sort=-revisionId', '6,5,4,3,2,1'],
    ['sort=Supplier', '5,3,4,2,1,6'],
    ['sort=-supplier', '1,2,4,3,5,6'],
    ['sort=AMOUNT', '4,2,5,6,1,3'],
    ['sort=-AMOUNT', '1,5,6,2,4,3'],
    ['sort=-DAY,AMOUNT', '2,5,6,1,4,3'],
    ['sort=changedAt,-COUNT', '6,5,4,3,2,1'],
    ['sort=', '1,2,3,4,5,6'],
  ] as const;
  const searches = queries.filter(([query]) => /q=|like/.test(query));
  it.each(isSearchAlone ? searches : queries)('%s finds %s', async (query, wanted) => {
    expect(await ids(query)).toBe(wanted);
    if (query.includes('sort')) return;
    expect((await clerk.get(index(`/count?${query}`))).body).toEqual({
      count: wanted === '' ? 0 : wanted.split(',').length,
    });
  });

  if (isSearchAlone) return;

  it('name everything that is wrong with the parameters', async () => {
    for (const [query, ...wrong] of [
      ['where[NOPE][eq]=1', 'where[NOPE][eq]'],
      ['where[constructor][eq]=1', 'where[constructor][eq]'],
      ['where[AMOUNT][like]=1', 'where[AMOUNT][like]'],
      ['where[AMOUNT][is]=1', 'where[AMOUNT][is]'],
      ['where[AMOUNT][EQ]=1', 'where[AMOUNT][EQ]'],
      ['where[AMOUNT][eq]=many', 'where[AMOUNT][eq]'],
      ['where[AMOUNT][eq]=', 'where[AMOUNT][eq]'],
      ['where[AMOUNT][in]=1,x', 'where[AMOUNT][in]'],
      ['where[AMOUNT][null]=yes', 'where[AMOUNT][null]'],
      ['where[DAY][eq]=2023-02-29', 'where[DAY][eq]'],
      ['where[changedAt][gt]=2024-01-01', 'where[changedAt][gt]'],
      ['where[keyword.NOPE][eq]=1', 'where[keyword.NOPE][eq]'],
      ['where[Supplier]=1', 'where[Supplier]'],
      ['where[Supplier][eq]=%00', 'where[Supplier][eq]'],
      ['sort=NOPE', 'sort'],
      ['sort=AMOUNT,-amount', 'sort'],
      ['sort=keyword.SUBJECT', 'sort'],
      ['sort=AMOUNT&sort=DAY', 'sort'],
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['limit=ten', 'limit'],
      ['limit=-1', 'limit'],
      ['offset=-1', 'offset'],
      ['offset=1.5', 'offset'],
      ['after=x', 'after'],
      ['total=no', 'total'],
      ['total=', 'total'],
      ['total=true&total=false', 'total'],
      ['limit=1&page=2', 'page'],
      ['__proto__=1', '__proto__'],
      [
        'where[A][eq]=1&where[B][eq]=1&limit=0&more=1',
        'limit',
        'more',
        'where[A][eq]',
        'where[B][eq]',
      ],
    ]) {
      const answer = await clerk.get(index(`?${query}`));
      expect([query, answer.status]).toEqual([query, 400]);
      const { code, errors } = errorBodySchema.parse(JSON.parse(answer.text));
      expect(code).toBe('malformed');
      if (query !== '__proto__=1') expect(Object.keys(errors).sort()).toEqual(wrong);
      else expect(answer.text).toContain('"__proto__":["');
    }
    for (const path of [
      '/ids?limit=1',
      '/ids?offset=1',
      '/count?sort=AMOUNT',
      '/count?limit=1',
      '/count?total=false',
    ]) {
      expect((await clerk.get(index(path))).status).toBe(400);
    }
    expect((await clerk.get(index('?q=%ff'))).status).toBe(400);
  });

  it('leave the total out where it is not wanted', async () => {
    for (const path of [
      index('?'),
      `${archivePath(archive)}/documents?sort=AMOUNT&`,
      index('?where[COUNT][gt]=1&q=ink&'),
      `${datasetsPath(large)}?`,
    ]) {
      const whole = z.object({ meta: z.object({ pagination: paginationSchema }) }).loose();
      const wanted = whole.parse((await clerk.get(`${path}total=true&limit=3`)).body);
      const { total, ...others } = wanted.meta.pagination;
      expect(total).toBeTypeOf('number');
      const without = whole.parse((await clerk.get(`${path}total=false&limit=3`)).body);
      expect(without).toEqual({ ...wanted, meta: { ...wanted.meta, pagination: others } });
    }
    // A position may be taken on with a total or without.
    const first = indexAnswer.parse((await clerk.get(index('?limit=2&total=false'))).body);
    const second = await clerk.get(index(`?limit=2&after=${first.meta.pagination.next}`));
    expect(indexAnswer.parse(second.body).meta.pagination.total).toBe(6);
  });

  it('take offset or a position, which is bound to sort and filter', async () => {
    const page = async (query: string) => {
      const answer = await clerk.get(index(query));
      return {
        status: answer.status,
        ...(answer.status === 200 ? indexAnswer.parse(answer.body) : null),
      };
    };
    const first = await page('?sort=AMOUNT&limit=2&where[COUNT][gt]=1');
    const next = first.meta?.pagination.next ?? '';
    const second = await page(`?sort=AMOUNT&limit=2&where[COUNT][gt]=1&after=${next}`);
    expect(second.archivedocuments?.map(({ revisionId }) => revisionId)).toEqual(['5', '6']);
    const offset = await page('?sort=AMOUNT&limit=2&where[COUNT][gt]=1&offset=2');
    expect(offset.archivedocuments).toEqual(second.archivedocuments);
    expect(offset.meta?.pagination).toMatchObject({ total: 5, limit: 2, offset: 2 });
    for (const query of [
      `?sort=-AMOUNT&limit=2&where[COUNT][gt]=1&after=${next}`,
      `?sort=AMOUNT&limit=2&after=${next}`,
      `?sort=AMOUNT&limit=2&where[COUNT][gt]=1&q=x&after=${next}`,
      `?sort=AMOUNT&limit=2&where[COUNT][gt]=1&offset=0&after=${next}`,
      `?sort=AMOUNT&limit=2&where[COUNT][gt]=1&after=${next}x`,
      `?after=`,
      ...[['x'], [1, 2], [], [true]].map((places) => {
        const [made, , id] = JSON.parse(Buffer.from(next, 'base64url').toString());
        const forged = Buffer.from(JSON.stringify([made, places, id])).toString('base64url');
        return `?sort=AMOUNT&limit=2&where[COUNT][gt]=1&after=${forged}`;
      }),
    ]) {
      expect([query, (await page(query)).status]).toEqual([query, 400]);
    }
    // Another length of page is no other list.
    expect((await page(`?sort=AMOUNT&limit=5&where[COUNT][gt]=1&after=${next}`)).status).toBe(200);
    // The same conditions in another order are the same filter.
    const [one, other] = ['where[COUNT][gt]=1', 'where[DAY][null]=false'];
    const narrowed = await page(`?${one}&${other}&limit=1`);
    const further = await page(`?${other}&${one}&limit=1&after=${narrowed.meta?.pagination.next}`);
    expect(further.archivedocuments?.map(({ revisionId }) => revisionId)).toEqual(['4']);
    const last = await page('?offset=6');
    expect([last.archivedocuments, last.meta?.pagination.next]).toEqual([[], null]);
  });

  describe('list options', () => {
    const options = async (field: string, query = '') =>
      (await clerk.get(`${archivePath(archive)}/indices/${field}/listoptions${query}`)).body;

    it('are those of the definition', async () => {
      expect(await options('state')).toEqual({
        listoptions: [
          { value: 'open', count: 2 },
          { value: 'paid', count: 1 },
          { value: 'void', count: 0 },
        ],
      });
      expect(await options('STATE', '?q=OI')).toEqual({
        listoptions: [{ value: 'void', count: 0 }],
      });
    });

    it('are else the values in use, most used first', async () => {
      expect(await options('AMOUNT')).toEqual({
        listoptions: [
          { value: 7, count: 2 },
          { value: 0.25, count: 1 },
          { value: 2, count: 1 },
          { value: 10.5, count: 1 },
        ],
      });
      expect(await options('PAID')).toEqual({
        listoptions: [
          { value: true, count: 2 },
          { value: false, count: 1 },
        ],
      });
      expect(await options('SUPPLIER', '?q=M%C3%9CLL')).toEqual({
        listoptions: [
          { value: 'müller', count: 1 },
          { value: 'Müller, Söhne', count: 1 },
        ],
      });
    });

    it('are also those of the table from which the field takes its options, for who sees it', async () => {
      const at = (query = '') => `${archivePath(ordered)}/indices/PARTNER/listoptions${query}`;
      const used = [
        { value: 'Bolt', count: 2 },
        { value: 'Typo', count: 1 },
      ];
      const others = ['12', 'Acme'].map((value) => ({ value, count: 0 }));
      expect((await clerk.get(at())).body).toEqual({ listoptions: [...used, ...others] });
      expect((await clerk.get(at('?q=ME'))).body).toEqual({ listoptions: [others[1]] });
      expect((await stranger.get(at())).body).toEqual({ listoptions: used });
    });

    it('refuse what they do not know', async () => {
      const at = (rest: string) => clerk.get(`${archivePath(archive)}/indices/${rest}`);
      expect((await at('NOPE/listoptions')).status).toBe(404);
      expect((await at('SUBJECT/listoptions')).status).toBe(404);
      expect((await at('AMOUNT/listoptions?limit=1')).body).toMatchObject({
        code: 'malformed',
        errors: { limit: [expect.any(String)] },
      });
    });
  });

  describe('of many records', { tags: ['slow'] }, () => {
    const MANY = 250_001;
    beforeAll(async () => {
      const rows = !t.database.adapter.isShared
        ? sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${MANY}) select i from numbers`
        : sql`select i from generate_series(1, ${MANY}::int) as numbers(i)`;
      const field = sql.ref(`f${large.fields[0]?.number}`);
      await t.database.write(async (db) => {
        // No list of these records reads them, and to fill them takes as long as all else.
        const search = `${tableName(large)}_search`;
        for (const name of [
          orderIndex(large, 'changed_at'),
          orderIndex(large, 'changed_by'),
          search,
        ]) {
          await sql`drop index if exists ${sql.ref(name)}`.execute(db.k);
        }
        await sql`insert into ${sql.table(tableName(large))} (_id, _version, _created_at, _changed_at, _changed_by, _changed_by_fold, _search, ${field})
          select i, 1, 0, 0, 'x', 'x', '', i from (${rows}) as source`.execute(db.k);
        await db.adapter.advanceIdCounter(db, large);
      });
      if (t.database.adapter.isShared) {
        await t.database.write((db) => sql`analyze`.execute(db.k));
      }
    });

    it('ids are at most 100,000; else the answer names the count', { tags: ['long'] }, async () => {
      const at = (most: number) =>
        clerk.get(`${datasetsPath(large)}/ids?where[n][lte]=${most}&sort=-n`);
      const tooMany = await at(100_001);
      expect(tooMany.status).toBe(422);
      expect(errorBodySchema.parse(tooMany.body).errors['-']?.[0]).toContain('100001');
      const body: unknown = (await at(100_000)).body;
      expect(body).toMatchObject({
        jrids: { length: 100_000, 0: '100000' },
        etags: { length: 100_000 },
      });
    });

    it('the total is exact as far as a page waits for it, the count always', async () => {
      // PostgreSQL counts as far as time allows.
      const counted = !t.database.adapter.isShared ? 250_000 : 10_000;
      const further = !t.database.adapter.isShared ? [] : [50_000, 250_000];
      const list = await clerk.get(`${datasetsPath(large)}?limit=1&where[n][gt]=0`);
      expect(list.body).toMatchObject({
        meta: { pagination: { total: null, limit: 1, offset: 0 } },
      });
      const told = z
        .object({ meta: z.object({ pagination: z.object({ atLeast: z.number() }) }) })
        .parse(list.body).meta.pagination.atLeast;
      expect([counted, ...further]).toContain(told);
      expect((await clerk.get(`${datasetsPath(large)}/count`)).body).toEqual({ count: MANY });
      const fewer = await clerk.get(
        `${datasetsPath(large)}?limit=1&where[n][gt]=${MANY - counted}`,
      );
      expect(fewer.body).toMatchObject({ meta: { pagination: { total: counted } } });
    });
  });

  it('are walked over while records are inserted before and behind the position', async () => {
    const table = await buildTable(t.database, [{ name: 'n', type: 'integer' }]);
    const last = 300;
    await buildRecords(
      t.database,
      table,
      Array.from({ length: last }, (_, i) => [i + 1]),
    );
    await buildUser(t.database, { username: 'walker', rights: [rightOn(table, 'write')] });
    const walker = await t.signedIn('walker');
    const path = datasetsPath(table);
    // The service looks for new definitions twice a second.
    await vi.waitFor(async () => expect((await walker.get(path)).status).toBe(200));
    const from = last - 200;
    const seen: number[] = [];
    let after: string | null = null;
    do {
      const position: string = after === null ? '' : `&after=${after}`;
      const { body } = await walker.get(`${path}?where[n][gt]=${from}&sort=-n&limit=25${position}`);
      const { datasets, meta } = walkedAnswer.parse(body);
      seen.push(...datasets.map(({ n }) => n));
      after = meta.pagination.next;
      for (const n of [last + seen.length, from + 1]) {
        expect((await walker.post(path, { dataset: { n } })).status).toBe(200);
      }
    } while (after !== null && seen.length < 1_000);
    // Every record of the beginning came once, in order; of the new ones those behind the position.
    const first = seen.slice(0, 200);
    expect(first).toEqual(Array.from({ length: 200 }, (_, i) => last - i));
    expect(seen.slice(200).every((n) => n === from + 1)).toBe(true);
    expect(seen.length).toBeGreaterThan(200);
  });
});

const walkedAnswer = z.object({
  datasets: z.array(z.object({ n: z.number() })),
  meta: z.object({ pagination: z.object({ next: z.string().nullable() }) }),
});
