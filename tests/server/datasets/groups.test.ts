import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { groupsOfMatching } from '#server/modules/datasets/value-groups.service.ts';
import { fold } from '#shared/values/fold.ts';
import { GROUP_SORTS, type ValueGroup } from '#shared/contract/table-analysis-answers.ts';
import { compareValues, equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildRecords, buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import {
  buildSampleTable,
  condition,
  meeting,
  NAMES,
  parameterOf,
  rows,
  SEED,
  TYPES,
} from '../records/list-samples.ts';
import { repeated } from '#tests/support/effort.ts';

const SUM = 2;

/** The groups computed from all rows, in their order. */
function expectedGroups(
  matching: readonly Scalar[][],
  by: readonly number[],
  sort: (typeof GROUP_SORTS)[number],
): ValueGroup[] {
  const groups = new Map<string, Scalar[][]>();
  for (const row of matching) {
    const key = JSON.stringify(by.map((i) => equalityKey(TYPES[i] ?? 'text', row[i] ?? null)));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const down = sort === '-value' ? -1 : 1;
  const byCount = sort === 'count' ? 1 : sort === '-count' ? -1 : 0;
  return [...groups.values()]
    .sort((a, b) => {
      if (byCount !== 0 && a.length !== b.length) return (a.length - b.length) * byCount;
      for (const i of by) {
        const [x, y] = [a[0]?.[i] ?? null, b[0]?.[i] ?? null];
        if (x === null || y === null) {
          if (x !== y) return x === null ? 1 : -1;
        } else {
          const order = compareValues(TYPES[i] ?? 'text', x, y);
          if (order !== 0) return order * down;
        }
      }
      return 0;
    })
    .map((group) => {
      const numbers = group.flatMap((row) => row[SUM] ?? []).map(Number);
      const sum = numbers.reduce((all, number) => all + Math.round(number * 10_000), 0) / 10_000;
      return {
        values: Object.fromEntries(by.map((i) => [NAMES[i] ?? '', group[0]?.[i] ?? null])),
        count: group.length,
        sums: { [NAMES[SUM] ?? '']: numbers.length === 0 ? null : sum },
      };
    });
}

describeOnOneDatabase('groups of datasets', (open, { dialect }) => {
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
    path = `${datasetsPath(table)}/groups`;
  });
  const groups = (parameters: [string, string][]) =>
    t.database.read((db) => groupsOfMatching(db, table, parameters));

  it('count and add what a look at every dataset that matches tells', async () => {
    const query = fc.record({
      by: fc.uniqueArray(fc.nat(TYPES.length - 1), { minLength: 1, maxLength: 2 }),
      adds: fc.boolean(),
      conditions: fc.array(condition, { maxLength: 1 }),
      start: fc.constantFrom('', '', 'ä', 'STRAS', 'long l', 'o’', '𝒳'),
      like: fc.constantFrom('', '', 'Arg', 'b', 'ng'),
      sort: fc.constantFrom(...GROUP_SORTS),
      limit: fc.integer({ min: 1, max: 30 }),
      offset: fc.nat(20),
      withTotal: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        query,
        async ({ by, adds, conditions, start, like, sort, limit, offset, withTotal }) => {
          const isText = TYPES[by[0] ?? 0] === 'text';
          const matching = rows.filter(meeting(conditions)).filter((row) => {
            const text = row[by[0] ?? 0] ?? null;
            if (!isText || (start === '' && like === '')) return true;
            if (text === null) return false;
            const folded = fold(String(text));
            return folded.startsWith(fold(start)) && folded.includes(fold(like));
          });
          const wanted = expectedGroups(matching, by, sort);
          const { groups: found, meta } = await groups([
            ...conditions.map(parameterOf),
            ['by', by.map((i) => NAMES[i]).join(',')],
            ...(adds ? [['sum', NAMES[SUM] ?? ''] as [string, string]] : []),
            ...(isText
              ? ([
                  ['startsWith', start],
                  ['like', like],
                ] as [string, string][])
              : []),
            ['sort', sort],
            ['limit', String(limit)],
            ['offset', String(offset)],
            ['total', String(withTotal)],
          ]);
          const total = withTotal ? { total: wanted.length } : {};
          expect(meta).toEqual({ pagination: { ...total, limit, offset } });
          expect(found).toEqual(
            wanted
              .slice(offset, offset + limit)
              .map((group) => (adds ? group : { ...group, sums: {} })),
          );
        },
      ),
      { numRuns: repeated(dialect === 'sqlite' ? 60 : 20), seed: SEED },
    );
  });

  it(
    'are the same over more datasets than one statement looks at',
    { tags: ['long'] },
    async () => {
      const large = await buildTable(t.database, [
        { name: 'text' },
        { name: 'n', type: 'integer' },
        { name: 'half', type: 'boolean' },
      ]);
      const long = 'Long '.repeat(100);
      const text = (i: number) =>
        i % 5 === 0 ? `${long}${i % 3}` : i % 7 === 0 ? null : `v${i % 11_000}`;
      const all = Array.from({ length: 20_000 }, (_, i): Scalar[] => [
        text(i),
        i % 10,
        i % 2 === 0,
      ]);
      await buildRecords(t.database, large, all);
      for (const halves of [false, true]) {
        const counts = new Map<Scalar, number>();
        for (const [value = null, , half] of all)
          if (half === true || !halves) counts.set(value, (counts.get(value) ?? 0) + 1);
        const asked: [string, string][] = [
          ['by', 'text'],
          ['limit', '1000'],
          ...(halves ? [['where[half][eq]', 'true'] as [string, string]] : []),
        ];
        for (const sums of [[], [['sum', 'n'] as [string, string]]]) {
          const { groups: found, meta } = await t.database.read((db) =>
            groupsOfMatching(db, large, [...asked, ...sums]),
          );
          expect(meta.pagination.total).toBe(counts.size);
          expect(found.map(({ count }) => count)).toEqual(
            [...counts.values()].sort((a, b) => b - a).slice(0, 1_000),
          );
          for (const { values, count } of found)
            expect(count).toBe(counts.get(values['text'] ?? null));
        }
      }
    },
  );

  it('are answered to who may read the table, and name what they do not understand', async () => {
    const answer = await reader.get(`${path}?by=BOOLEAN_3&sort=value`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      groups: [
        { values: { [NAMES[3] ?? '']: false } },
        { values: { [NAMES[3] ?? '']: true } },
        { values: { [NAMES[3] ?? '']: null } },
      ],
      meta: { pagination: { total: 3, limit: 100, offset: 0 } },
    });
    const refused = await reader.get(`${path}?by=x&sum=text_0&sort=up&limit=1001&where[y][eq]=1`);
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      errors: {
        by: ['There is no column x.'],
        sum: ['text_0 is of type text and has no sum.'],
        sort: ['This must be one of: count, -count, value, -value.'],
        limit: ['This must be a whole number from 1 to 1000.'],
        'where[y][eq]': ['There is no field y.'],
      },
    });
    for (const [query, parameter] of [
      ['', 'by'],
      ['by=text_0,integer_1,decimal_2', 'by'],
      ['by=integer_1&like=1', 'like'],
      ['by=integer_1&startsWith=1', 'startsWith'],
      ['by=text_0&after=x', 'after'],
      ['by=text_0&total=0', 'total'],
    ] as const) {
      const wrong = await reader.get(`${path}?${query}`);
      expect(wrong.status).toBe(400);
      expect(wrong.body).toHaveProperty(['errors', parameter]);
    }
    const stranger = await t.signedIn('stranger');
    expect((await stranger.get(`${path}?by=text_0`)).status).toBe(404);
  });
});
