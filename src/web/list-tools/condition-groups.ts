import { joinList } from '#shared/rules/comma-list.ts';
import type { ListOperator, Where } from '#web/api/list-view.ts';
import { prefixOfRange } from './prefix-range.ts';

/**
 * An operator as the filter offers it; `null` becomes two: empty and filled. `between` is `gte` with `lte`, `starts` is
 * `gt` with `lt`.
 */
export type ConditionTest =
  | Exclude<ListOperator, 'null'>
  | 'empty'
  | 'filled'
  | 'between'
  | 'starts';

/** A condition while it is edited: its value may be missing. */
export interface EditedCondition {
  readonly field: string;
  readonly test: ConditionTest;
  /** for `in` and `between` a comma-separated list; for `between` a limit may be empty */
  readonly value: string | null;
}

/** The conditions of a filter in groups: alternatives, or two consecutive ones that form a range of their field. */
export function groupConditions(where: readonly Where[]): readonly (readonly Where[])[] {
  const groups: Where[][] = [];
  for (const condition of where) {
    const { group } = condition;
    const alternatives =
      group === undefined ? undefined : groups.find(([first]) => first?.group === group);
    const last = groups.at(-1);
    const [lower] = last ?? [];
    if (alternatives) alternatives.push(condition);
    else if (last?.length === 1 && lower && rangeOf(lower, condition)) last.push(condition);
    else groups.push([condition]);
  }
  return groups;
}

/** The range that two conditions form; null: none. */
export function rangeOf(lower: Where, upper: Where): EditedCondition | null {
  const { field } = lower;
  if (upper.field !== field) return null;
  if (lower.group !== undefined || upper.group !== undefined) return null;
  if (lower.op === 'gte' && upper.op === 'lte') {
    return { field, test: 'between', value: joinList([lower.value, upper.value]) };
  }
  const isOpen = lower.op === 'gt' && upper.op === 'lt';
  const start = isOpen ? prefixOfRange({ after: lower.value, before: upper.value }) : null;
  return start === null ? null : { field, test: 'starts', value: start };
}
