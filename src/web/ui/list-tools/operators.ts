import type { Operator } from '#shared/lists.ts';
import { joinList, splitList } from '#shared/lists.ts';
import { compareValues, parseType } from '#shared/values.ts';
import type { Where } from '#web/api/list-view.ts';
import type { ListField } from './list-field.ts';

/** An operator as the filter offers it; `null` is two: with no value and with one. `between` is `gte` with `lte`. */
export type Test = Exclude<Operator, 'null'> | 'empty' | 'filled' | 'between';

const WORDS = {
  text: {
    like: 'contains',
    eq: 'is',
    ne: 'is not',
    in: 'is one of',
    gt: 'sorts after',
    gte: 'is or sorts after',
    lt: 'sorts before',
    lte: 'is or sorts before',
    empty: 'is empty',
    filled: 'is not empty',
    between: 'is between',
  },
  number: {
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
  },
  date: {
    eq: 'is',
    ne: 'is not',
    gt: 'is after',
    gte: 'is on or after',
    lt: 'is before',
    lte: 'is on or before',
    in: 'is one of',
    empty: 'is empty',
    filled: 'is not empty',
    between: 'is between',
    like: 'contains',
  },
} satisfies Record<string, Record<Test, string>>;

const OFFERED: Readonly<Record<ListField['type'] | 'keyword', readonly Test[]>> = {
  text: ['like', 'eq', 'ne', 'in', 'empty', 'filled'],
  integer: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'empty', 'filled'],
  decimal: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'empty', 'filled'],
  boolean: ['eq', 'empty', 'filled'],
  date: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'empty', 'filled'],
  datetime: ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'empty', 'filled'],
  keyword: ['eq', 'like', 'in', 'empty', 'filled'],
};

/** The tests to offer for a field, the likeliest first. */
export function testsFor(field: ListField): readonly Test[] {
  return field.kind === 'keyword'
    ? OFFERED.keyword
    : field.options && field.type === 'text'
      ? ['eq', 'ne', 'in', 'like', 'empty', 'filled']
      : OFFERED[field.type];
}

/** The tests of a list's filter: a range, which is two conditions, also where values have an order. */
export function filterTestsFor(field: ListField): readonly Test[] {
  const tests = testsFor(field);
  const at = tests.indexOf('lte');
  return at < 0 ? tests : tests.toSpliced(at + 1, 0, 'between');
}

/** A test in words fit for the field's type. */
export function testWords(field: ListField, test: Test): string {
  switch (field.type) {
    case 'text':
      return WORDS.text[test];
    case 'date':
    case 'datetime':
      return WORDS.date[test];
    default:
      return WORDS.number[test];
  }
}

/** One condition as it is edited: it may still lack its value. */
export interface Condition {
  readonly field: string;
  readonly test: Test;
  /** of `in` and `between` a comma list; in that of `between` a limit may still be empty */
  readonly value: string | null;
}

/** The conditions of a filter as they are edited: `gte` that is followed by `lte` of its field is one range. */
export function groupConditions(where: readonly Where[]): readonly (readonly Where[])[] {
  const groups: Where[][] = [];
  for (const one of where) {
    const last = groups.at(-1);
    const [lower] = last ?? [];
    const completes =
      last?.length === 1 && lower?.op === 'gte' && one.op === 'lte' && lower.field === one.field;
    if (completes) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** The conditions of a filter for their editors; `whereOf` writes each back. */
export function toConditions(where: readonly Where[]): Condition[] {
  return groupConditions(where).flatMap(([one, upper]) => {
    if (!one) return [];
    return upper
      ? { field: one.field, test: 'between' as const, value: joinList([one.value, upper.value]) }
      : toCondition(one);
  });
}

/** The conditions that the list takes, what is wrong with a value, or null where a value is still missing. */
export function whereOf(field: ListField, condition: Condition): readonly Where[] | string | null {
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
  return op === 'null'
    ? { field, test: value === 'false' ? 'filled' : 'empty', value: null }
    : { field, test: op, value };
}

/** The condition as the list takes it, what is wrong with its value, or null where the value is still missing. */
export function fromCondition(field: ListField, condition: Condition): Where | string | null {
  const { test, value } = condition;
  if (test === 'empty' || test === 'filled') {
    return { field: field.name, op: 'null', value: test === 'empty' ? 'true' : 'false' };
  }
  if (value === null || value === '' || test === 'between') return null;
  if (test !== 'like' && test !== 'in') {
    // A number is looked for with any number of places; it is the field that has a scale.
    const parsed = parseType({ type: field.type, scale: 14 }, value);
    if (!parsed.ok) return parsed.message;
  }
  return { field: field.name, op: test, value };
}
