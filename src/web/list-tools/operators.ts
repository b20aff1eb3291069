import * as texts from '#messages/list-tools.ts';
import { splitList } from '#shared/rules/comma-list.ts';
import { isInstant, isText, valueType } from '#shared/values/registry.ts';
import { compareValues } from '#shared/values/value-rules.ts';
import type { Operator } from '#shared/values/value-type.ts';
import type { Where } from '#web/api/list-view.ts';
import { readWithin, writeWithin } from '#web/api/relative-dates.ts';
import { parseCondition } from '#web/fields/value-checks.ts';
import {
  type EditedCondition,
  groupConditions,
  rangeOf,
  type ConditionTest,
} from './condition-groups.ts';
import type { ListField } from './list-field.ts';
import { prefixRange } from './prefix-range.ts';

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
} as const satisfies Record<Operator, readonly ConditionTest[]>;

const OF_KEYWORDS: readonly Operator[] = ['eq', 'like', 'in', 'null'];
const OF_CHECKS: readonly Operator[] = ['eq', 'in', 'null'];
/** Values from a list are rarely searched by a part. */
const OF_OPTIONS: readonly Operator[] = ['eq', 'ne', 'in', 'like', 'null'];

/** The tests for a field, most likely first. */
export function testsFor(field: ListField): readonly ConditionTest[] {
  const operators =
    field.kind === 'keyword'
      ? OF_KEYWORDS
      : field.kind === 'check'
        ? OF_CHECKS
        : field.options && isText(field)
          ? OF_OPTIONS
          : valueType(field.type).operators;
  return operators.flatMap((operator) => TESTS_OF[operator]);
}

/**
 * The tests for a list's filter, including ranges, which are two conditions. Different values of a keyword field may
 * meet one condition each, so keyword fields have no ranges.
 */
export function filterTestsFor(field: ListField): readonly ConditionTest[] {
  const tests = testsFor(field);
  if (field.kind === 'keyword') return tests;
  const hasPeriods = valueType(field.type).family === 'date';
  return tests.flatMap((test): readonly ConditionTest[] => {
    if (test === 'like') return [test, 'starts'];
    return test === 'lte' ? [test, 'between', ...(hasPeriods ? ['within' as const] : [])] : [test];
  });
}

/** The name of a test that fits the field's type. */
export function testLabel({ type }: ListField, test: ConditionTest): string {
  return texts.tests[valueType(type).family][test];
}

/** Whether a condition becomes two of the service, both of which must be met: it cannot be an alternative. */
export function isRange({ test }: EditedCondition): boolean {
  return test === 'between' || test === 'starts' || test === 'within';
}

/** A condition of a filter and its conjunction with the previous one. */
export interface FilterStep {
  readonly condition: EditedCondition;
  /** whether it is an alternative to the condition before it */
  readonly isAlternative: boolean;
}

/** Converts the conditions of a filter for their editors; the inverse of `filterFromSteps`. */
export function toSteps(where: readonly Where[]): FilterStep[] {
  return groupConditions(where).flatMap((group) =>
    toConditions(group).map((condition, index) => ({ condition, isAlternative: index > 0 })),
  );
}

/** The filter from the conditions that are complete and valid; alternatives get a group. */
export function filterFromSteps(
  steps: readonly FilterStep[],
  written: (condition: EditedCondition) => readonly Where[] | string | null,
): readonly Where[] {
  return groupSteps(steps).flatMap((group, number) => {
    const complete = group
      .map(({ condition }) => written(condition))
      .filter((where) => where !== null && typeof where !== 'string');
    const where = complete.flat();
    return complete.length > 1
      ? where.map((condition) => ({ ...condition, group: number + 1 }))
      : where;
  });
}

/** Groups the conditions: each alternative with the previous condition. */
function groupSteps(steps: readonly FilterStep[]): readonly FilterStep[][] {
  const groups: FilterStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last && step.isAlternative) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** The conditions of one group: a range is one condition. */
function toConditions(group: readonly Where[]): EditedCondition[] {
  const [first, upper] = group;
  const range = first && upper && rangeOf(first, upper);
  return range ? [range] : group.map(toCondition);
}

/** The list's conditions, an error in a value, or null while a value is missing. */
export function whereOf(
  field: ListField,
  condition: EditedCondition,
): readonly Where[] | string | null {
  if (condition.test === 'starts') {
    if (condition.value === null || condition.value === '') return null;
    const range = prefixRange(condition.value);
    if (!range) return texts.noWord;
    return [
      { field: field.name, op: 'gt', value: range.after },
      { field: field.name, op: 'lt', value: range.before },
    ];
  }
  if (condition.test !== 'between') {
    const converted = fromCondition(field, condition);
    return converted === null || typeof converted === 'string' ? converted : [converted];
  }
  const [from = '', to = ''] = splitList(condition.value ?? '');
  const lower = fromCondition(field, { field: field.name, test: 'gte', value: from });
  const upper = fromCondition(field, { field: field.name, test: 'lte', value: to });
  if (typeof lower === 'string') return lower;
  if (typeof upper === 'string') return upper;
  if (lower === null || upper === null) return null;
  const [least, most] = [from, to].map((text) => parseCondition(field, text));
  if (!least?.ok || !most?.ok) return null;
  return compareValues(field.type, least.value, most.value) > 0
    ? texts.rangeReversed
    : [lower, upper];
}

export function toCondition({ field, op, value }: Where): EditedCondition {
  if (op === 'null') return { field, test: value === 'false' ? 'filled' : 'empty', value: null };
  // A condition in the editor contains only the period; the field decides whether it is of days or moments.
  return { field, test: op, value: op === 'within' ? (readWithin(value)?.period ?? null) : value };
}

/** The list's condition, an error in its value, or null while the value is missing. */
export function fromCondition(field: ListField, condition: EditedCondition): Where | string | null {
  const { test, value } = condition;
  if (test === 'empty' || test === 'filled') {
    return { field: field.name, op: 'null', value: test === 'empty' ? 'true' : 'false' };
  }
  if (value === null || value === '' || test === 'between' || test === 'starts') return null;
  if (test === 'within') {
    const within = readWithin(`${isInstant(field) ? 'moments' : 'days'}:${value}`);
    return within && { field: field.name, op: test, value: writeWithin(within) };
  }
  for (const text of test === 'like' ? [] : test === 'in' ? splitList(value) : [value]) {
    const parsed = parseCondition(field, text);
    if (!parsed.ok) {
      return test === 'in'
        ? texts.wrongValue({ value: text, problem: parsed.message })
        : parsed.message;
    }
  }
  return { field: field.name, op: test, value };
}
