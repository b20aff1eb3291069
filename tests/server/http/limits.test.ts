import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { MAX_CONDITIONS, MAX_IDS, MAX_SEARCH_WORDS, MAX_SORT_KEYS } from '#shared/rules/limits.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import { statisticsAnswer } from '#shared/contract/table-analysis-answers.ts';
import {
  buildUser,
  openApp,
  type TestAnswer,
  type TestApp,
  type TestClient,
} from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const FIELDS = Array.from({ length: MAX_SORT_KEYS + 1 }, (_, i) => ({ name: `F${i}` }));
const IN_VALUES = 20;
const KEYWORDS = 30;

describeOnOneDatabase('limits of one request', (open) => {
  let t: TestApp;
  let archive: Archive;
  let table: Table;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open, { maxInValues: IN_VALUES, maxKeywords: KEYWORDS });
    archive = await buildArchive(t.database, FIELDS, ['SUBJECT']);
    table = await buildTable(t.database, FIELDS);
    const rows = [1, 2].map((n) => FIELDS.map(({ name }) => `${name} ${n}`));
    await buildRecords(t.database, archive, rows);
    await buildRecords(t.database, table, rows);
    await buildUser(t.database, { rights: [rightOn(archive, 'write'), rightOn(table, 'write')] });
    clerk = await t.signedIn('clerk');
  });

  const conditions = (count: number) =>
    Array.from({ length: count }, (_, i) => `where[F0][ne]=${i}`).join('&');
  const inList = (count: number) =>
    `where[F0][in]=${joinList(Array.from({ length: count }, (_, i) => `v${i}`))}`;
  const words = (count: number) =>
    `q=${Array.from({ length: count }, (_, i) => `w${i}`).join('+')}`;
  const sort = (count: number) =>
    `sort=${FIELDS.slice(0, count)
      .map(({ name }) => name)
      .join()}`;
  const filters = [
    {
      of: 'conditions',
      within: conditions(MAX_CONDITIONS),
      beyond: conditions(MAX_CONDITIONS + 60),
      parameter: 'where[F0][ne]',
      message: `A filter may have at most ${MAX_CONDITIONS} conditions.`,
    },
    {
      of: 'values of in',
      within: inList(IN_VALUES),
      beyond: inList(IN_VALUES + 1),
      parameter: 'where[F0][in]',
      message: `The operator in may have at most ${IN_VALUES} values.`,
    },
    {
      of: 'words',
      within: words(MAX_SEARCH_WORDS),
      beyond: words(MAX_SEARCH_WORDS + 1),
      parameter: 'q',
      message: `A search may have at most ${MAX_SEARCH_WORDS} words.`,
    },
  ];
  const sorts = {
    of: 'fields to sort by',
    within: sort(MAX_SORT_KEYS),
    beyond: sort(MAX_SORT_KEYS + 1),
    parameter: 'sort',
    message: `A list may be sorted by at most ${MAX_SORT_KEYS} fields.`,
  };

  /** Every call that takes conditions; each sends them its own way. */
  const calls: readonly {
    readonly name: string;
    readonly sorted: boolean;
    /** the statuses that a filter within the limits may have */
    readonly accepted: readonly number[];
    readonly send: (filter: string) => Promise<TestAnswer>;
  }[] = [
    ...['index', 'index/ids', 'documents', 'index/export'].map((path) => ({
      name: path,
      sorted: true,
      accepted: [200],
      send: (filter: string) => clerk.get(`${archivePath(archive)}/${path}?${filter}`),
    })),
    {
      name: 'index/count',
      sorted: false,
      accepted: [200],
      send: (filter) => clerk.get(`${archivePath(archive)}/index/count?${filter}`),
    },
    ...['', '/ids', '/export', '/position'].map((path) => ({
      name: `datasets${path}`,
      sorted: true,
      accepted: [200],
      send: (filter: string) =>
        clerk.get(
          `${datasetsPath(table)}${path}?${filter}${path === '/position' ? '&jrid=1' : ''}`,
        ),
    })),
    ...['/count', '/facts', '/groups'].map((path) => ({
      name: `datasets${path}`,
      sorted: false,
      accepted: [200],
      send: (filter: string) =>
        clerk.get(`${datasetsPath(table)}${path}?${filter}${path === '/groups' ? '&by=F0' : ''}`),
    })),
    {
      name: 'queues',
      sorted: true,
      // Of a filter that nothing matches no queue is made.
      accepted: [201, 422],
      send: (filter) => clerk.post(`${archivePath(archive)}/queues`, { filter }),
    },
    {
      name: 'bulkedits',
      sorted: true,
      accepted: [201],
      send: (filter) =>
        clerk.post(`${archivePath(archive)}/bulkedits`, {
          selection: { filter },
          edits: [{ field: 'F0', do: 'set', value: 'x' }],
        }),
    },
  ];

  it('bound what every call that takes a filter has to look for', { tags: ['long'] }, async () => {
    for (const call of calls) {
      for (const { of, within, beyond, parameter, message } of [
        ...filters,
        ...(call.sorted ? [sorts] : []),
      ]) {
        const accepted = await call.send(within);
        expect(call.accepted, `${call.name}: ${of}`).toContain(accepted.status);
        const refused = await call.send(beyond);
        expect([call.name, of, refused.status, refused.body]).toMatchObject([
          call.name,
          of,
          400,
          { code: 'malformed', errors: { [parameter]: [message] } },
        ]);
      }
    }
  });

  it('are told together with what else is wrong', async () => {
    const path = `${archivePath(archive)}/index?${conditions(40)}&where[F1][gte]=&${sort(9)}&x=1`;
    expect((await clerk.get(path)).body).toMatchObject({
      errors: {
        'where[F0][ne]': [`A filter may have at most ${MAX_CONDITIONS} conditions.`],
        sort: [sorts.message],
        x: ['This parameter is not known here.'],
      },
    });
  });

  it('bound the values of a keyword field, however they are sent', async () => {
    const path = `${archivePath(archive)}/documents/1/indexdata`;
    const values = (count: number) => Array.from({ length: count }, (_, i) => `k${i}`);
    const ways = {
      list: (count: number) => [{ name: 'SUBJECT', keywords: values(count).join(', ') }],
      entries: (count: number) => values(count).map((value) => ({ name: 'SUBJECT', value })),
      lists: (count: number) =>
        values(count).map((keyword) => ({ name: 'SUBJECT', keywords: keyword })),
    };
    for (const way of Object.values(ways)) {
      expect((await clerk.patch(path, { keywordFields: way(KEYWORDS) })).status).toBe(200);
      const refused = await clerk.patch(path, { keywordFields: way(KEYWORDS + 1) });
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        code: 'validation_failed',
        errors: {
          'keywordFields.SUBJECT': [`A keyword field may have at most ${KEYWORDS} values.`],
        },
      });
    }
  });

  it('let a keyword that is given twice stand once, in the order of the first', async () => {
    const answer = await clerk.patch(`${archivePath(archive)}/documents/2/indexdata`, {
      keywordFields: [
        { name: 'SUBJECT', keywords: 'b, a, b' },
        { name: 'subject', value: 'a' },
        { name: 'SUBJECT', value: 'c' },
      ],
    });
    expect(answer.body).toMatchObject({
      archivedocumentrevisions: [
        { keywordFields: ['b', 'a', 'c'].map((value) => ({ name: 'SUBJECT', value })) },
      ],
    });
  });

  it('take as many datasets by their ids as they say', { tags: ['slow'] }, async () => {
    const path = `${datasetsPath(table)}/facts`;
    const jrids = Array.from({ length: MAX_IDS + 1 }, (_, i) => i + 1);
    const answer = await clerk.post(path, { jrids: jrids.slice(1), columns: ['F0'] });
    expect(statisticsAnswer.parse(answer.body)).toMatchObject({ count: 1, facts: [{ filled: 1 }] });
    const refused = await clerk.post(path, { jrids });
    expect(refused.body).toMatchObject({
      code: 'validation_failed',
      errors: { '-': [expect.stringContaining('At most 100,000 datasets can be named.')] },
    });
  });

  it('tell nothing of no columns', async () => {
    const path = `${datasetsPath(table)}/facts`;
    const none = { facts: [], count: 2 };
    expect((await clerk.post(path, { jrids: ['1', '2'], columns: [] })).body).toEqual(none);
    expect((await clerk.get(`${path}?columns=`)).body).toEqual(none);
  });
});
