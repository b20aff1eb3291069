import fc from 'fast-check';
import type { Database } from '#server/database/database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { fold } from '#shared/values/fold.ts';
import { joinList } from '#shared/rules/comma-list.ts';
import type { ValueType } from '#shared/values/registry.ts';
import { compareValues } from '#shared/values/value-rules.ts';
import type { Operator, Scalar } from '#shared/values/value-type.ts';
import { buildTable } from '#tests/support/builders.ts';

export const TYPES: ValueType[] = [
  'text',
  'integer',
  'decimal',
  'boolean',
  'date',
  'datetime',
  'time',
  'text',
];
export const NAMES = TYPES.map((type, i) => `${type}_${i}`);

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
  time: fc.constantFrom('00:00', '09:30', '09:30:00', '09:30:01', '23:59:59'),
};
const row = fc.tuple(
  ...TYPES.map((type) =>
    fc.oneof({ weight: 4, arbitrary: VALUES[type] }, { weight: 1, arbitrary: fc.constant(null) }),
  ),
);

export const SEED = 20_240_229;
/** Records of a table of every type; their ids count from 1. */
export const rows: Scalar[][] = fc.sample(row, { numRuns: 160, seed: SEED });

interface SortItem {
  readonly column: number;
  readonly descending: boolean;
}
export const sort = fc.uniqueArray(
  fc.record({ column: fc.nat(TYPES.length - 1), descending: fc.boolean() }),
  {
    selector: ({ column }) => column,
    maxLength: 3,
  },
);

/** What a list must answer, computed from the rules of the values alone. */
export function expected(
  items: readonly SortItem[],
  matches: (values: Scalar[]) => boolean,
): number[] {
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

/** A condition of `where[FIELD][OP]`. */
export const condition = fc.nat(TYPES.length - 1).chain((column) =>
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

export function parameterOf({ column, op, values, isNull }: Asked): [string, string] {
  const texts = values.map(String);
  const value = op === 'null' ? String(isNull) : op === 'in' ? joinList(texts) : (texts[0] ?? '');
  return [`where[${NAMES[column]}][${op}]`, value];
}

/** Which rows meet conditions, computed from the rules of the values alone. */
export const meeting = (conditions: readonly Asked[]) => (row: Scalar[]) =>
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

export const sortParameter = (items: readonly SortItem[]) =>
  items.map(({ column, descending }) => `${descending ? '-' : ''}${NAMES[column]}`).join(',');

/** The table that `rows` are of. */
export function buildSampleTable(database: Database): Promise<Table> {
  return buildTable(
    database,
    NAMES.map((name, i) => ({
      name,
      type: TYPES[i],
      ...(TYPES[i] === 'decimal' ? { scale: 4 } : {}),
    })),
  );
}
