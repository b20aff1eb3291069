import { parseValue, type Parsed, type Scalar, type ValueRules } from '#shared/values/values.ts';
import { valueText } from './value-text.ts';

/** Holds a value to the rules of its field, as the service will when it is written. */
export function checkValue(rules: ValueRules, value: Scalar): Parsed {
  return parseValue(rules, typeof value === 'number' ? valueText(value) : value);
}

/** Why the definition of today would refuse a stored value; null: it would not. */
export function storedProblem(rules: ValueRules, value: Scalar): string | null {
  const checked = checkValue(rules, value);
  return checked.ok ? null : checked.message;
}
