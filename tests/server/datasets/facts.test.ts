import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import {
  statisticsOfMatching,
  statisticsOfSelected,
} from '#server/modules/datasets/statistics.service.ts';
import { listIds } from '#server/modules/records/lists.service.ts';
import type { ValueType } from '#shared/values/registry.ts';
import { compareValues, equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import {
  statisticsAnswer,
  type AnsweredColumnStatistics,
} from '#shared/contract/table-analysis-answers.ts';
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
  sort,
  sortParameter,
  TYPES,
} from '../records/list-samples.ts';
import { repeated } from '#tests/support/effort.ts';

/** The sum of numbers of at most four places, in units of the fourth. */
const units = (values: readonly Scalar[]) =>
  values.reduce<bigint>((sum, value) => sum + BigInt(Math.round(Number(value) * 10_000)), 0n);

/** What is to be told of a column, computed from all its values. */
function expectedFacts(
  name: string,
  type: ValueType,
  column: readonly Scalar[],
): AnsweredColumnStatistics {
  const values = column.filter((value) => value !== null && value !== '');
  // A stable sort: the first of equal date-times is that of the lowest id.
  const sorted = values.toSorted((a, b) => compareValues(type, a, b));
  const last = sorted.at(-1) ?? null;
  const most = sorted.find((value) => compareValues(type, value, last) === 0);
  const ends = type === 'boolean' ? [null, null] : [sorted[0] ?? null, most ?? null];
  const same = (value: Scalar) => equalityKey(type, value);
  const isNumber = (type === 'integer' || type === 'decimal') && values.length > 0;
  const places = type === 'decimal' ? 6 : 2;
  return {
    name,
    filled: values.length,
    empty: column.length - values.length,
    distinct: new Set(values.map(same)).size,
    min: ends[0] ?? null,
    max: ends[1] ?? null,
    sum: isNumber ? Number(units(values)) / 10_000 : null,
    mean: isNumber ? meanOf(units(values), values.length, places) : null,
  };
}

/** Half to even, digit by digit: more places than are wanted, then the rest looked at. */
function meanOf(sum: bigint, count: number, places: number): string {
  const negative = sum < 0n;
  const numerator = (negative ? -sum : sum) * 10n ** BigInt(places);
  const by = BigInt(count) * 10_000n;
  const floor = numerator / by;
  const rest = numerator - floor * by;
  const up = rest * 2n > by || (rest * 2n === by && floor % 2n !== 0n);
  const rounded = (up ? floor + 1n : floor).toString().padStart(places + 1, '0');
  const text = `${rounded.slice(0, -places)}.${rounded.slice(-places)}`;
  return negative && Number(text) !== 0 ? `-${text}` : text;
}

describeOnOneDatabase('facts of columns', (open, { dialect }) => {
  let t: TestApp;
  let table: Table;
  let reader: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    table = await buildSampleTable(t.database);
    await buildRecords(t.database, table, rows);
    await buildUser(t.database, { username: 'reader', rights: [rightOn(table, 'read')] });
    await buildUser(t.database, { username: 'stranger' });
    reader = await t.signedIn('reader');
  });

  it('tell what a look at every dataset that matches tells', { tags: ['slow'] }, async () => {
    const query = fc.record({
      conditions: fc.array(condition, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ conditions }) => {
        const parameters = conditions.map(parameterOf);
        const matching = rows.filter(meeting(conditions));
        expect(await t.database.read((db) => statisticsOfMatching(db, table, parameters))).toEqual({
          count: matching.length,
          facts: NAMES.map((name, i) =>
            expectedFacts(
              name,
              TYPES[i] ?? 'text',
              matching.map((values) => values[i] ?? null),
            ),
          ),
        });
      }),
      { numRuns: repeated(dialect === 'sqlite' ? 40 : 15), seed: SEED },
    );
  });

  it('tell the same of a selection; what is not there does not count', async () => {
    const query = fc.uniqueArray(fc.integer({ min: 0, max: rows.length + 9 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(query, async (jrids) => {
        const selected = jrids
          .toSorted((a, b) => a - b)
          .flatMap((jrid) => {
            const row = rows[jrid - 1];
            return row ? [row] : [];
          });
        const { facts, count } = await t.database.read((db) =>
          statisticsOfSelected(db, table, jrids, ['DECIMAL_2', 'text_0', 'datetime_5']),
        );
        expect(count).toBe(selected.length);
        expect(facts).toEqual(
          [2, 0, 5].map((i) =>
            expectedFacts(
              NAMES[i] ?? '',
              TYPES[i] ?? 'text',
              selected.map((values) => values[i] ?? null),
            ),
          ),
        );
      }),
      { numRuns: repeated(10), seed: SEED },
    );
  });

  it('tell the same of some rows of the list as it is sorted', async () => {
    const stretch = fc.record({
      conditions: fc.array(condition, { maxLength: 1 }),
      items: sort,
      offset: fc.nat({ max: rows.length }),
      limit: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(stretch, async ({ conditions, items, offset, limit }) => {
        const list: [string, string][] = [
          ...conditions.map(parameterOf),
          ['sort', sortParameter(items)],
        ];
        await t.database.read(async (db) => {
          const { ids } = await listIds(db, table, list);
          const shown = ids.slice(offset, offset + limit).map(Number);
          const told = await statisticsOfMatching(db, table, [
            ...list,
            ['limit', String(limit)],
            ['offset', String(offset)],
          ]);
          expect(told).toEqual(await statisticsOfSelected(db, table, shown, undefined));
        });
      }),
      { numRuns: repeated(10), seed: SEED },
    );
  });

  it('add without rounding, whatever the size and number of the values', async () => {
    const wide = await buildTable(t.database, [
      { name: 'whole', type: 'integer' },
      { name: 'cents', type: 'decimal', scale: 2 },
      { name: 'fine', type: 'decimal', scale: 14 },
      { name: 'group', type: 'integer' },
    ]);
    const largest = Number.MAX_SAFE_INTEGER;
    const values = fc.sample(
      fc.record({
        whole: fc.oneof(
          fc.integer({ min: -9, max: 9 }),
          fc.constantFrom(largest, largest - 1, -largest),
        ),
        digits: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 }),
        point: fc.integer({ min: 1, max: 15 }),
        negative: fc.boolean(),
      }),
      { numRuns: repeated(300), seed: SEED },
    );
    /** All the digits that a decimal may have, as many of them behind the point as the scale lets. */
    const decimal = ({ digits, point, negative }: (typeof values)[number], scale: number) => {
      const text = `${digits.slice(0, point).join('')}.${digits.slice(point, point + scale).join('')}`;
      return `${negative ? '-' : ''}${text.replace(/\.$/, '')}`;
    };
    const exact = (texts: readonly string[], scale: number) =>
      texts.reduce<bigint>((sum, text) => {
        const [whole = '', fraction = ''] = text.split('.');
        return sum + BigInt(whole + fraction.padEnd(scale, '0'));
      }, 0n);
    const texts = values.map((value) => [
      String(value.whole),
      decimal(value, 2),
      decimal(value, 14),
    ]);
    await buildRecords(
      t.database,
      wide,
      texts.map((row, i) => [...row.map((text) => Number(text) || 0), i % 3]),
    );
    const sumsOf = (of: readonly (readonly string[])[]) =>
      [0, 2, 14].map((scale, i) =>
        exact(
          of.map((row) => row[i] ?? ''),
          scale,
        ),
      );
    const told = (facts: readonly (number | string | null | undefined)[]) =>
      [0, 2, 14].map((scale, i) => exact([String(facts[i])], scale));
    const all = await t.database.read((db) =>
      statisticsOfMatching(db, wide, [['columns', 'whole,cents,fine']]),
    );
    expect(told(all.facts.map(({ sum }) => sum))).toEqual(sumsOf(texts));
    const some = await t.database.read((db) =>
      statisticsOfMatching(db, wide, [
        ['where[group][ne]', '0'],
        ['columns', 'whole,cents,fine'],
      ]),
    );
    const chosen = texts.filter((_, i) => i % 3 !== 0);
    expect(told(some.facts.map(({ sum }) => sum))).toEqual(sumsOf(chosen));
    expect(typeof all.facts[2]?.sum).toBe('string');
  });

  it(
    'are the same over more datasets than one statement looks at',
    { tags: ['long'] },
    async () => {
      const columns = [
        { name: 'text', type: 'text' },
        { name: 'n', type: 'integer' },
        { name: 'at', type: 'datetime' },
        { name: 'half', type: 'boolean' },
      ] as const;
      const large = await buildTable(t.database, columns);
      const long = 'Long '.repeat(100);
      const all = Array.from({ length: 20_000 }, (_, i): Scalar[] => [
        i % 5 === 0 ? `${long}${i % 3}` : i % 7 === 0 ? null : i % 11 === 0 ? '' : `v${i % 11_000}`,
        i % 13 === 0 ? null : i,
        i % 17 === 0 ? null : `2024-01-01T0${i % 10}:00:00Z`,
        i % 2 === 0,
      ]);
      await buildRecords(t.database, large, all);
      for (const halves of [false, true]) {
        const matching = all.filter((row) => row[3] === true || !halves);
        const parameters: [string, string][] = halves ? [['where[half][eq]', 'true']] : [];
        const { facts, count } = await t.database.read((db) =>
          statisticsOfMatching(db, large, parameters),
        );
        expect(count).toBe(matching.length);
        expect(facts).toEqual(
          columns.map(({ name, type }, i) =>
            expectedFacts(
              name,
              type,
              matching.map((row) => row[i] ?? null),
            ),
          ),
        );
      }
    },
  );

  it('are answered to who may read the table, and name what they do not understand', async () => {
    const path = `${datasetsPath(table)}/facts`;
    const answer = await reader.get(`${path}?columns=integer_1&where[jrid][lte]=3`);
    expect(answer.status).toBe(200);
    expect(statisticsAnswer.parse(answer.body)).toMatchObject({
      count: 3,
      facts: [{ name: NAMES[1] }],
    });
    const selected = await reader.post(path, { jrids: ['1', '2'], columns: ['INTEGER_1'] });
    expect(statisticsAnswer.parse(selected.body)).toMatchObject({ count: 2 });
    for (const [query, parameter] of [
      ['columns=nothing', 'columns'],
      ['columns=text_0,TEXT_0', 'columns'],
      ['columns=text_0&columns=text_0', 'columns'],
      ['where[integer_1][eq]=x', 'where[integer_1][eq]'],
    ] as const) {
      const refused = await reader.get(`${path}?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toHaveProperty(['errors', parameter]);
    }
    expect((await reader.post(path, { jrids: [], columns: ['x'] })).body).toMatchObject({
      code: 'validation_failed',
      errors: { columns: ['There is no column x.'] },
    });
    expect((await reader.post(path, { jrids: ['x'] })).status).toBe(422);
    const stranger = await t.signedIn('stranger');
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(path, { jrids: [] })).status).toBe(404);
  });
});
