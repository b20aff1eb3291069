import { joinList, splitList } from '#shared/rules/lists.ts';
import { isInstant, isText, valueType } from '#shared/values/registry.ts';
import type { Operator, ValueTypeDefinition } from '#shared/values/value-type.ts';
import { compareValues, parseType } from '#shared/values/values.ts';
import type { ListOperator, Where } from '#web/api/list-view.ts';
import { readWithin, writeWithin } from '#web/api/relative-dates.ts';
import type { ListField } from './list-field.ts';
import { rangeOfStart, startOfRange } from './text-start.ts';

/**
 * An operator as the filter offers it; `null` is two: with no value and with one. `between` is `gte` with `lte`, `starts`
 * is `gt` with `lt`.
 */
export type Test = Exclude<ListOperator, 'null'> | 'empty' | 'filled' | 'between' | 'starts';

const NUMBER_WORDS: Record<Test, string> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  empty: 'is empty',
  filled: 'is not empty',
  between: 'is between',
  like: 'contains',
  starts: 'begins with',
  within: 'is in the period',
};

const WORDS: Record<ValueTypeDefinition['family'], Record<Test, string>> = {
  text: {
    ...NUMBER_WORDS,
    gt: 'sorts after',
    gte: 'is or sorts after',
    lt: 'sorts before',
    lte: 'is or sorts before',
  },
  number: NUMBER_WORDS,
  boolean: NUMBER_WORDS,
  date: {
    ...NUMBER_WORDS,
    gt: 'is after',
    gte: 'is on or after',
    lt: 'is before',
    lte: 'is on or before',
  },
};

/** The tests that are offered for an operator. */
const TESTS_OF = {
  eq: ['eq'],
  ne: ['ne'],
  gt: ['gt'],
  gte: ['gte'],
  lt: ['lt'],
  lte: ['lte'],
  like: ['like'],
  in: ['in'],
  null: ['empty', 'filled'],
} as const satisfies Record<Operator, readonly Test[]>;

const OF_KEYWORDS: readonly Operator[] = ['eq', 'like', 'in', 'null'];
/** What is chosen from a list is seldom looked for by a part of it. */
const OF_OPTIONS: readonly Operator[] = ['eq', 'ne', 'in', 'like', 'null'];

/** The tests to offer for a field, the likeliest first. */
export function testsFor(field: ListField): readonly Test[] {
  const operators =
    field.kind === 'keyword'
      ? OF_KEYWORDS
      : field.options && isText(field)
        ? OF_OPTIONS
        : valueType(field.type).operators;
  return operators.flatMap((operator) => TESTS_OF[operator]);
}

/**
 * The tests of a list's filter: also ranges, which are two conditions. One value of a keyword field may meet the first of
 * them and another one the second, so that these fields have none.
 */
export function filterTestsFor(field: ListField): readonly Test[] {
  const tests = testsFor(field);
  if (field.kind === 'keyword') return tests;
  const hasPeriods = valueType(field.type).family === 'date';
  return tests.flatMap((test): readonly Test[] => {
    if (test === 'like') return [test, 'starts'];
    return test === 'lte' ? [test, 'between', ...(hasPeriods ? ['within' as const] : [])] : [test];
  });
}

/** A test in words fit for the field's type. */
export function testWords({ type }: ListField, test: Test): string {
  return WORDS[valueType(type).family][test];
}

/** One condition as it is edited: it may still lack its value. */
export interface Condition {
  readonly field: string;
  readonly test: Test;
  /** of `in` and `between` a comma list; in that of `between` a limit may still be empty */
  readonly value: string | null;
}

/** The conditions of a filter as they are edited: two that follow each other may be one range of their field. */
export function groupConditions(where: readonly Where[]): readonly (readonly Where[])[] {
  const groups: Where[][] = [];
  for (const one of where) {
    const last = groups.at(-1);
    const [lower] = last ?? [];
    if (last?.length === 1 && lower && rangeOf(lower, one)) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** The range that two conditions are together; null: they are none. */
function rangeOf(lower: Where, upper: Where): Condition | null {
  const { field } = lower;
  if (upper.field !== field) return null;
  if (lower.op === 'gte' && upper.op === 'lte') {
    return { field, test: 'between', value: joinList([lower.value, upper.value]) };
  }
  const isOpen = lower.op === 'gt' && upper.op === 'lt';
  const start = isOpen ? startOfRange({ after: lower.value, before: upper.value }) : null;
  return start === null ? null : { field, test: 'starts', value: start };
}

/** The conditions of a filter for their editors; `whereOf` writes each back. */
export function toConditions(where: readonly Where[]): Condition[] {
  return groupConditions(where).flatMap(([one, upper]) => {
    if (!one) return [];
    return (upper && rangeOf(one, upper)) ?? toCondition(one);
  });
}

/** The conditions that the list takes, what is wrong with a value, or null where a value is still missing. */
export function whereOf(field: ListField, condition: Condition): readonly Where[] | string | null {
  if (condition.test === 'starts') {
    if (condition.value === null || condition.value === '') return null;
    const range = rangeOfStart(condition.value);
    if (!range) return 'Enter at least one letter or digit.';
    return [
      { field: field.name, op: 'gt', value: range.after },
      { field: field.name, op: 'lt', value: range.before },
    ];
  }
  if (condition.test !== 'between') {
    const one = fromCondition(field, condition);
    return one === null || typeof one === 'string' ? one : [one];
  }
  const [from = '', to = ''] = splitList(condition.value ?? '');
  const lower = fromCondition(field, { field: field.name, test: 'gte', value: from });
  const upper = fromCondition(field, { field: field.name, test: 'lte', value: to });
  if (typeof lower === 'string') return lower;
  if (typeof upper === 'string') return upper;
  if (lower === null || upper === null) return null;
  const [least, most] = [from, to].map((text) => parseType({ type: field.type, scale: 14 }, text));
  if (!least?.ok || !most?.ok) return null;
  return compareValues(field.type, least.value, most.value) > 0
    ? 'The first value must not come after the second one.'
    : [lower, upper];
}

export function toCondition({ field, op, value }: Where): Condition {
  if (op === 'null') return { field, test: value === 'false' ? 'filled' : 'empty', value: null };
  // A condition that is edited holds the period alone; whether of days or moments its field decides.
  return { field, test: op, value: op === 'within' ? (readWithin(value)?.period ?? null) : value };
}

/** The condition as the list takes it, what is wrong with its value, or null where the value is still missing. */
export function fromCondition(field: ListField, condition: Condition): Where | string | null {
  const { test, value } = condition;
  if (test === 'empty' || test === 'filled') {
    return { field: field.name, op: 'null', value: test === 'empty' ? 'true' : 'false' };
  }
  if (value === null || value === '' || test === 'between' || test === 'starts') return null;
  if (test === 'within') {
    const within = readWithin(`${isInstant(field) ? 'moments' : 'days'}:${value}`);
    return within && { field: field.name, op: test, value: writeWithin(within) };
  }
  for (const one of test === 'like' ? [] : test === 'in' ? splitList(value) : [value]) {
    // A number is looked for with any number of places; it is the field that has a scale.
    const parsed = parseType({ type: field.type, scale: 14 }, one);
    if (!parsed.ok) return test === 'in' ? `“${one}”: ${parsed.message}` : parsed.message;
  }
  return { field: field.name, op: test, value };
}
