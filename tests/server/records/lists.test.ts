import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { listCount, listIds, listPage } from '#server/modules/records/lists.service.ts';
import type { Table } from '#server/db/records/thing.ts';
import { fold } from '#shared/fold.ts';
import { joinList, type Operator } from '#shared/lists.ts';
import { compareValues, type Scalar, type ValueType } from '#shared/values.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnEveryDatabase } from '#tests/support/databases.ts';

const TYPES: ValueType[] = ['text', 'integer', 'decimal', 'boolean', 'date', 'datetime', 'text'];
const NAMES = TYPES.map((type, i) => `${type}_${i}`);

const words = fc.constantFrom(
  'Ärger',
  'ärger',
  'ARGER',
  'Straße',
  'strasse',
  'a_b',
  'a%b',
  'o’neil',
  '𝒳y',
  'z',
  "'",
  '"',
);
const long = fc.constantFrom('x', 'X', 'xy', 'ü').map((tail) => 'long '.repeat(80) + tail);
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join(' ')),
  },
  { weight: 1, arbitrary: long },
  { weight: 1, arbitrary: fc.constant('') },
);
const VALUES: Record<ValueType, fc.Arbitrary<Scalar>> = {
  text,
  integer: fc.integer({ min: -3, max: 3 }),
  decimal: fc.constantFrom(-1.5, 0, 0.1, 0.25, 2, 123456789012.34),
  boolean: fc.boolean(),
  date: fc.constantFrom('0001-01-01', '1999-12-31', '2024-02-29', '9999-12-31'),
  datetime: fc.constantFrom(
    '2024-01-01T00:00:00Z',
    '2024-01-01T01:00:00+01:00',
    '2023-12-31T23:59:59.999-14:00',
    '0001-01-01T00:00:00+14:00',
  ),
};
const row = fc.tuple(
  ...TYPES.map((type) =>
    fc.oneof({ weight: 4, arbitrary: VALUES[type] }, { weight: 1, arbitrary: fc.constant(null) }),
  ),
);

const SEED = 20_240_229;
const rows: Scalar[][] = fc.sample(row, { numRuns: 160, seed: SEED });

interface SortItem {
  readonly column: number;
  readonly descending: boolean;
}
const sort = fc.uniqueArray(
  fc.record({ column: fc.nat(TYPES.length - 1), descending: fc.boolean() }),
  {
    selector: ({ column }) => column,
    maxLength: 3,
  },
);

/** What a list must answer, computed from the rules of the values alone. */
function expected(items: readonly SortItem[], matches: (values: Scalar[]) => boolean): number[] {
  return rows
    .map((values, i) => ({ values, id: i + 1 }))
    .filter(({ values }) => matches(values))
    .sort((a, b) => {
      for (const { column, descending } of items) {
        const [x, y] = [a.values[column] ?? null, b.values[column] ?? null];
        if (x === null || y === null) {
          if (x !== y) return x === null ? 1 : -1;
        } else {
          const order = compareValues(TYPES[column] ?? 'text', x, y);
          if (order !== 0) return descending ? -order : order;
        }
      }
      return a.id - b.id;
    })
    .map(({ id }) => id);
}

const condition = fc.nat(TYPES.length - 1).chain((column) =>
  fc.record({
    column: fc.constant(column),
    op: fc.constantFrom<Operator>(
      'eq',
      'ne',
      'gt',
      'gte',
      'lt',
      'lte',
      'in',
      'null',
      ...(TYPES[column] === 'text' ? (['like'] as const) : []),
    ),
    values: fc.array(VALUES[TYPES[column] ?? 'text'], { minLength: 1, maxLength: 3 }),
    isNull: fc.boolean(),
  }),
);

type Asked = typeof condition extends fc.Arbitrary<infer Value> ? Value : never;

function parameterOf({ column, op, values, isNull }: Asked): [string, string] {
  const texts = values.map(String);
  const value = op === 'null' ? String(isNull) : op === 'in' ? joinList(texts) : (texts[0] ?? '');
  return [`where[${NAMES[column]}][${op}]`, value];
}

const meeting = (conditions: readonly Asked[]) => (row: Scalar[]) =>
  conditions.every(({ column, op, values, isNull }) => {
    const type = TYPES[column] ?? 'text';
    const value = row[column] ?? null;
    const same = (other: Scalar) =>
      value !== null &&
      (type === 'text' ? value === other : compareValues(type, value, other) === 0);
    const order = value === null ? Number.NaN : compareValues(type, value, values[0] ?? null);
    switch (op) {
      case 'eq':
        return same(values[0] ?? null);
      case 'ne':
        return !same(values[0] ?? null);
      case 'gt':
        return order > 0;
      case 'gte':
        return order >= 0;
      case 'lt':
        return order < 0;
      case 'lte':
        return order <= 0;
      case 'in':
        return values.some(same);
      case 'like':
        return value !== null && fold(String(value)).includes(fold(String(values[0])));
      case 'null':
        return isNull === (value === null || value === '');
      default:
        return op satisfies never;
    }
  });

const sortParameter = (items: readonly SortItem[]) =>
  items.map(({ column, descending }) => `${descending ? '-' : ''}${NAMES[column]}`).join(',');

describeOnEveryDatabase('lists', (open, { dialect }) => {
  let database: Database;
  let table: Table;
  beforeAll(async () => {
    database = await open();
    table = await buildTable(
      database,
      NAMES.map((name, i) => ({
        name,
        type: TYPES[i],
        ...(TYPES[i] === 'decimal' ? { scale: 4 } : {}),
      })),
    );
    await buildRecords(database, table, rows);
  });
  const page = (parameters: [string, string][], few?: number) =>
    database.read((db) => listPage(db, table, parameters, few));
  const ids = async (parameters: [string, string][]) =>
    (await database.read((db) => listIds(db, table, parameters))).ids.map(Number);

  it('sorts by any fields in either direction, nulls last, then by id', async () => {
    await fc.assert(
      fc.asyncProperty(sort, async (items) => {
        expect(await ids([['sort', sortParameter(items)]])).toEqual(expected(items, () => true));
      }),
      { numRuns: 60, seed: SEED },
    );
  });

  it('walks every record once by `after`, and the same pages by `offset`', async () => {
    await fc.assert(
      fc.asyncProperty(sort, fc.integer({ min: 20, max: 60 }), async (items, limit) => {
        const wanted = expected(items, () => true);
        const walked: number[] = [];
        let after: string | null = null;
        do {
          const parameters: [string, string][] = [
            ['sort', sortParameter(items)],
            ['limit', String(limit)],
          ];
          const byOffset = await page([...parameters, ['offset', String(walked.length)]]);
          const byKey = await page(after === null ? parameters : [...parameters, ['after', after]]);
          expect(byKey.records).toEqual(byOffset.records);
          walked.push(...byKey.records.map(({ id }) => id));
          after = byKey.pagination.next;
        } while (after !== null);
        expect(walked).toEqual(wanted);
      }),
      { numRuns: 20, seed: SEED },
    );
  });

  it('filters by every operator as the values compare', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(condition, { minLength: 1, maxLength: 2 }), async (conditions) => {
        const parameters = conditions.map(parameterOf);
        const wanted = expected([], meeting(conditions));
        expect(await ids(parameters)).toEqual(wanted);
        expect(await database.read((db) => listCount(db, table, parameters))).toBe(wanted.length);
      }),
      { numRuns: 150, seed: SEED },
    );
  });

  it('answers filtered pages alike, whether what matches is taken for few or many', async () => {
    const query = fc.record({
      conditions: fc.array(condition, { maxLength: 3 }),
      words: fc.subarray(['arger', 'stra', 'b', 'a_'], { maxLength: 1 }),
      items: sort,
      few: fc.constantFrom(1, 4, 30, 1_000),
      limit: fc.integer({ min: 1, max: 40 }),
      offset: fc.nat(170),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ conditions, words, items, few, limit, offset }) => {
        const parameters: [string, string][] = [
          ...conditions.map(parameterOf),
          ['q', words.join(' ')],
          ['sort', sortParameter(items)],
          ['limit', String(limit)],
        ];
        const found = new Set(await ids([['q', words.join(' ')]]));
        const inFound = new Map(rows.map((values, i) => [values, found.has(i + 1)]));
        const wanted = expected(
          items,
          (values) => inFound.get(values) === true && meeting(conditions)(values),
        );
        const read = async (place: [string, string]) => {
          const { records, pagination } = await page([...parameters, place], few);
          expect(pagination.total).toBe(wanted.length);
          return { ids: records.map(({ id }) => id), next: pagination.next };
        };
        const deep = await read(['offset', String(offset)]);
        expect(deep.ids).toEqual(wanted.slice(offset, offset + limit));
        if (deep.next !== null) {
          const next = await read(['after', deep.next]);
          expect(next.ids).toEqual(wanted.slice(offset + limit, offset + 2 * limit));
        } else expect(offset + limit).toBeGreaterThanOrEqual(wanted.length);
      }),
      // PostgreSQL knows no few and many.
      { numRuns: dialect === 'sqlite' ? 500 : 100, seed: SEED },
    );
  });

  it('finds every word of a search as part of any text, short words at the start of a word', async () => {
    const texts = (values: Scalar[]) =>
      values
        .filter((value, i) => TYPES[i] === 'text' && value !== null)
        .map((value) => fold(String(value)));
    const isWord = (character: string | undefined) =>
      character !== undefined && /[\p{L}\p{N}]/u.test(character);
    const found = (values: Scalar[], word: string) =>
      texts(values).some((folded) => {
        const short = Array.from(word).length <= 2;
        for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
          if (!short || !isWord(word[0]) || !isWord(Array.from(folded.slice(0, at)).at(-1)))
            return true;
        }
        return false;
      });
    const search = fc.array(
      fc.constantFrom(
        'arger',
        'RGE',
        'stra',
        'SS',
        'b',
        'a_',
        'a%b',
        'neil',
        'il',
        '𝒳',
        'xy',
        "'",
        '"',
        'z',
        'ng',
      ),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(search, async (typed) => {
        const wanted = expected([], (values) => typed.every((word) => found(values, fold(word))));
        expect(await ids([['q', typed.join(' ')]])).toEqual(wanted);
      }),
      { numRuns: 80, seed: SEED },
    );
  });

  it('refuses a position that was made for another sort or filter', async () => {
    const first = await page([
      ['sort', NAMES[1] ?? ''],
      ['limit', '5'],
    ]);
    await expect(
      page([
        ['sort', `-${NAMES[1]}`],
        ['after', first.pagination.next ?? ''],
      ]),
    ).rejects.toThrow(/another sort or filter/);
    await expect(page([['after', 'nonsense']])).rejects.toThrow(/another sort or filter/);
  });
});
