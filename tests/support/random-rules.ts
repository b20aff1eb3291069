import fc from 'fast-check';
import type { RuleScope } from '#shared/checks/type-rule.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** The fields of the records that random rules are about. */
export const RULE_FIELDS = [
  { name: 'NET', type: 'decimal' },
  { name: 'VAT', type: 'decimal' },
  { name: 'TOTAL', type: 'decimal' },
  { name: 'PAGES', type: 'integer' },
  { name: 'NAME', type: 'text' },
  { name: 'CODE', type: 'text' },
  { name: 'PAID', type: 'boolean' },
  { name: 'DUE', type: 'date' },
  { name: 'ISSUED', type: 'date' },
  { name: 'SENT', type: 'datetime' },
  { name: 'READ', type: 'datetime' },
  { name: 'OPENS', type: 'time' },
] as const satisfies readonly { readonly name: string; readonly type: ValueType }[];

/** The columns of the table SUPPLIERS, in which random rules look values up. */
export const RULE_COLUMNS = [
  { name: 'NO', type: 'text' },
  { name: 'LIMIT', type: 'decimal' },
  { name: 'SINCE', type: 'date' },
  { name: 'SEEN', type: 'datetime' },
] as const satisfies readonly { readonly name: string; readonly type: ValueType }[];

/** The GUID of that table. */
export const RULE_TABLE_GUID = '7e1d5a4e-0000-4000-8000-000000000001';

export const RULE_SCOPE: RuleScope = {
  fields: RULE_FIELDS,
  column(table, column) {
    if (table.toUpperCase() !== 'SUPPLIERS') return 'no table';
    const found = RULE_COLUMNS.find(({ name }) => name === column.toUpperCase());
    return found ? { table: RULE_TABLE_GUID, column: found.name, type: found.type } : 'no column';
  },
};

type Kind = 'number' | 'text' | 'boolean' | 'date' | 'datetime' | 'time';

const TEXTS = [
  '',
  'a',
  'A',
  'Straße',
  'STRASSE',
  'Ångström',
  'RE-2026',
  're-1',
  "d'Or",
  '①2',
  '\u{1f600}x',
  'ﬁn',
  '\u0301',
];
const NUMBERS = [
  '0',
  '1',
  '2',
  '0.1',
  '0.3',
  '1.19',
  '19',
  '100.00',
  '33.335',
  '0.00000000000001',
  '999999999999999',
];
const DATES = ['0001-01-01', '1999-12-31', '2024-02-29', '2026-01-31', '2026-11-23', '9999-12-31'];
const DATETIMES = [
  '2026-01-31T23:30:00-05:00',
  '2026-02-01T04:30:00Z',
  '2026-02-01T05:30:00.5+01:00',
  '1999-12-31T00:00:00+14:00',
];
const TIMES = ['00:00', '08:30', '08:30:00', '23:59:59'];
const PATTERNS = [
  '[A-Z]{2}-[0-9]+',
  'a|A',
  '.',
  '\\w+',
  '[^a]*',
  '(?:re|RE)-?\\d{1,4}',
  '.*\\d',
  '^a$',
  '[\\d-]+',
  'S.*?e',
  '\\D*',
  '.{2}',
];

/** Values of records and literals: near each other, so that comparisons have all results. */
const VALUES: Readonly<Record<ValueType, fc.Arbitrary<Scalar>>> = {
  text: fc.constantFrom(...TEXTS),
  decimal: fc.oneof(
    fc.constantFrom(...NUMBERS.map(Number)),
    fc.constantFrom(...NUMBERS.map((text) => -Number(text))),
    fc.integer({ min: -3_000, max: 3_000 }).map((cents) => cents / 100),
  ),
  integer: fc.constantFrom(0, 1, 2, 3, 19, -1, 9_007_199_254_740_991, -9_007_199_254_740_991),
  boolean: fc.boolean(),
  date: fc.constantFrom(...DATES),
  datetime: fc.constantFrom(...DATETIMES),
  time: fc.constantFrom(...TIMES),
};

export function ruleValue(type: ValueType): fc.Arbitrary<Scalar> {
  return fc.option(VALUES[type], { freq: 4 });
}

/** Values of a record, by field. */
export const ruleRecord: fc.Arbitrary<Readonly<Record<string, Scalar>>> = fc.record(
  Object.fromEntries(RULE_FIELDS.map(({ name, type }) => [name, ruleValue(type)])),
);

function fieldsOf(kind: Kind): string[] {
  return RULE_FIELDS.filter(({ type }) =>
    kind === 'number' ? type === 'decimal' || type === 'integer' : type === kind,
  ).map(({ name }) => name);
}

/** In any case, and sometimes between double quotes. */
function name(of: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    of,
    of.toLowerCase(),
    `${of.charAt(0)}${of.slice(1).toLowerCase()}`,
    `"${of}"`,
  );
}

function field(kind: Kind): fc.Arbitrary<string> {
  return fc.constantFrom(...fieldsOf(kind)).chain(name);
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Joins arbitraries and texts to the text of an expression. */
function written(
  strings: TemplateStringsArray,
  ...parts: fc.Arbitrary<string>[]
): fc.Arbitrary<string> {
  return fc.tuple(...parts).map((values) => String.raw({ raw: strings }, ...values));
}

const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');
const equality = fc.constantFrom('=', '<>');

const EXPRESSIONS = fc.letrec<Record<Kind, string>>((tie) => {
  const number = tie('number');
  const text = tie('text');
  const date = tie('date');
  const datetime = tie('datetime');
  const boolean = tie('boolean');
  const day = fc.oneof(date, datetime);
  const choice = (of: fc.Arbitrary<string>) =>
    written`if(${boolean}, ${of}, ${fc.oneof(of, fc.constant('null'))})`;
  const compared = (of: fc.Arbitrary<string>, operator = comparison) =>
    fc.oneof(
      written`${of} ${operator} ${of}`,
      written`${of} in (${of}, ${fc.oneof(of, fc.constant('null'))}, ${of})`,
      ...(operator === comparison ? [written`${of} BETWEEN ${of} And ${of}`] : []),
    );
  const small = { depthSize: 'small', withCrossShrink: true } as const;
  return {
    number: fc.oneof(
      small,
      field('number'),
      fc.constantFrom(...NUMBERS),
      written`-${field('number')}`,
      written`(${number} ${fc.constantFrom('+', '-', '*', '/')} ${number})`,
      written`${field('number')} ${fc.constantFrom('+', '-')} ${field('number')} ${fc.constantFrom('*', '/')} ${number}`,
      written`abs(${number})`,
      written`round(${number}, ${fc.constantFrom('0', '1', '2', '15', '-1')})`,
      written`length(${text})`,
      written`days(${day}, ${day})`,
      written`${fc.constantFrom('year', 'Month', 'DAY')}(${day})`,
      choice(number),
    ),
    text: fc.oneof(
      small,
      field('text'),
      fc.constantFrom(...TEXTS).map(quoted),
      written`lower(${text})`,
      written`digits(${text})`,
      choice(text),
    ),
    date: fc.oneof(small, field('date'), fc.constantFrom(...DATES, 'today'), choice(date)),
    datetime: fc.oneof(small, field('datetime'), fc.constant('now'), choice(datetime)),
    time: fc.oneof(small, field('time'), choice(field('time'))),
    boolean: fc.oneof(
      small,
      compared(number),
      compared(text),
      compared(date),
      compared(datetime),
      compared(day),
      compared(tie('time')),
      compared(field('boolean'), equality),
      written`${field('datetime')} ${comparison} ${fc.constantFrom(...DATETIMES).map(quoted)}`,
      written`${field('time')} ${comparison} ${fc.constantFrom(...TIMES).map(quoted)}`,
      field('boolean'),
      fc.constantFrom('true', 'FALSE', 'null', 'empty(NAME)', 'empty(net)', 'empty("PAID")'),
      written`${text} contains ${text}`,
      written`${text} starts with ${text}`,
      written`${text} Ends With ${text}`,
      written`${text} matches ${fc.constantFrom(...PATTERNS).map(quoted)}`,
      written`${fc.oneof(field('text'), written`lower(${field('text')})`, written`if(${field('boolean')}, ${field('text')}, 'a')`)} in suppliers.no`,
      written`${fc.oneof(field('number'), written`(${field('number')} / ${field('number')} + 1)`)} in Suppliers.Limit`,
      written`${fc.oneof(field('date'), fc.constant('today'))} in SUPPLIERS.SINCE`,
      written`${fc.oneof(field('datetime'), fc.constant('now'))} in SUPPLIERS.SEEN`,
      written`not (${boolean})`,
      written`(${boolean}) and (${boolean})`,
      written`(${boolean}) OR ${boolean}`,
      written`NOT ${boolean} and ${boolean}`,
      choice(boolean),
    ),
  };
});

/** A rule that is valid in `RULE_SCOPE`. */
export const validRule: fc.Arbitrary<string> = EXPRESSIONS.boolean;
