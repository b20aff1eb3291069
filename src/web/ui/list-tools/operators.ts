import type { Operator } from '#shared/lists.ts';
import { parseType } from '#shared/values.ts';
import type { Where } from '#web/api/list-view.ts';
import type { ListField } from './list-field.ts';

/** An operator as the filter offers it; `null` is two: with no value and with one. */
export type Test = Exclude<Operator, 'null'> | 'empty' | 'filled';

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
  readonly value: string | null;
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
  if (value === null || value === '') return null;
  if (test !== 'like' && test !== 'in') {
    // A number is looked for with any number of places; it is the field that has a scale.
    const parsed = parseType({ type: field.type, scale: 14 }, value);
    if (!parsed.ok) return parsed.message;
  }
  return { field: field.name, op: test, value };
}
