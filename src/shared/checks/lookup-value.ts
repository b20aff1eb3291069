import { exactOf, isCanonicalNumber, writeExact } from '../values/exact-numbers.ts';
import type { ValueType } from '../values/registry.ts';
import type { Scalar } from '../values/value-type.ts';
import { ruleKind } from './rule-tree.ts';

/**
 * The value by which a value of one type is found among those of another, as the check `_lookup` compares them: a number
 * and its text are equal if the text is as `writeExact` writes the number.
 * @returns null: no value of the other type is equal; undefined: the types cannot be compared
 */
export function convertLookupValue(
  value: Scalar,
  from: ValueType,
  to: ValueType,
): Scalar | undefined {
  const [own, other] = [ruleKind(from), ruleKind(to)];
  if (own === other) return value;
  if (own === 'number' && other === 'text') {
    return typeof value === 'number' ? writeExact(exactOf(value)) : null;
  }
  if (own === 'text' && other === 'number') {
    return typeof value === 'string' && isCanonicalNumber(value) ? Number(value) : null;
  }
  return undefined;
}
