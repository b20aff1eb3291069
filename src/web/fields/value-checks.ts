import { MAX_SCALE } from '#shared/values/decimal.ts';
import { parseType, parseValue, type ValueRules } from '#shared/values/value-rules.ts';
import type { Parsed, Scalar } from '#shared/values/value-type.ts';
import { valueText } from './value-text.ts';

// The checks of values that lists and grids need at first. The functions for editors are in `field-model.ts`.

/** The rules of an index field or a column; null: a keyword field, whose value is a list of texts. */
export type FieldRules = ValueRules | null;

/** What a record stores in a field: a value, or the keywords of a keyword field. */
export type StoredContent = Scalar | readonly string[];

export function isList(value: StoredContent | undefined): value is readonly string[] {
  return typeof value === 'object' && value !== null;
}

/** Checks a value by the rules of its field, as the service does on a write. */
export function checkValue(rules: ValueRules, value: Scalar): Parsed {
  return parseValue(rules, typeof value === 'number' ? valueText(value) : value);
}

/** Why today's definition would reject a stored value; null: it would not. */
export function storedProblem(rules: FieldRules, stored: StoredContent): string | null {
  if (!rules || isList(stored)) return null;
  const checked = checkValue(rules, stored);
  return checked.ok ? null : checked.message;
}

/** Parses the value of a condition. The number of places is not limited: only fields have a scale. */
export function parseCondition({ type }: Pick<ValueRules, 'type'>, text: string): Parsed {
  return parseType({ type, scale: MAX_SCALE }, text);
}
