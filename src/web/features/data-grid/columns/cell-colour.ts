import type { Column } from '#shared/rules/definitions.ts';
import { fold } from '#shared/values/fold.ts';
import { splitList } from '#shared/rules/comma-list.ts';
import { compareValues, equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Colour, ColourRule } from '#web/api/list-view.ts';
import { parseCondition } from '#web/fields/value-checks.ts';

/** The colour of a column's cells by value; the first rule that applies wins. */
export function createColourFunction(
  column: Column,
  rules: readonly ColourRule[],
): ((value: Scalar) => Colour | null) | null {
  const own = rules.filter(({ field }) => field === column.name);
  if (own.length === 0) return null;
  const tests = own.map((rule) => ({ colour: rule.colour, holds: testOf(column, rule) }));
  return (value) => tests.find(({ holds }) => holds(value))?.colour ?? null;
}

/** The conditions of the list's filter (docs/interface/decisions.md, section 6), applied to one value. */
function testOf(column: Column, { op, value: text }: ColourRule): (value: Scalar) => boolean {
  if (op === 'null') return (value) => (value === null || value === '') === (text === 'true');
  if (op === 'like') {
    const part = fold(text);
    return (value) => value !== null && fold(String(value)).includes(part);
  }
  if (op === 'in') {
    const wanted = splitList(text).flatMap((one) => read(column, one) ?? []);
    return (value) => value !== null && wanted.some((one) => same(column, value, one));
  }
  const wanted = read(column, text);
  const holds = COMPARISONS[op];
  return (value) => {
    if (wanted === null) return false;
    return value === null ? op === 'ne' : holds(column, value, wanted);
  };
}

type Comparison = (column: Column, value: Scalar, wanted: Scalar) => boolean;

const COMPARISONS: Record<Exclude<ColourRule['op'], 'null' | 'like' | 'in'>, Comparison> = {
  eq: same,
  ne: (...args) => !same(...args),
  gt: ({ type }, value, wanted) => compareValues(type, value, wanted) > 0,
  gte: ({ type }, value, wanted) => compareValues(type, value, wanted) >= 0,
  lt: ({ type }, value, wanted) => compareValues(type, value, wanted) < 0,
  lte: ({ type }, value, wanted) => compareValues(type, value, wanted) <= 0,
};

function read(column: Column, text: string): Scalar {
  const parsed = parseCondition(column, text);
  return parsed.ok ? parsed.value : null;
}

function same(column: Column, value: Scalar, wanted: Scalar): boolean {
  return equalityKey(column.type, value) === equalityKey(column.type, wanted);
}
