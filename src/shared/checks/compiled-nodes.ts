import type { Scalar } from '../values/value-type.ts';
import type { ColumnReference } from './rule-tree.ts';

/** The data that a rule may use besides the record. */
export interface RuleContext {
  /** `YYYY-MM-DD` in the service's time zone (`clockOf`) */
  readonly today: string;
  /** a date and time with the offset of the service's time zone */
  readonly now: string;
  /**
   * Whether a column of a table holds a value; null: not known.
   * @param value not empty; as the column would store it. Not called for a number that no column can store.
   * @param index which look-up of the rule it is, from 0 (`lookupsOf`)
   */
  isListed(reference: ColumnReference, value: Scalar, index: number): boolean | null;
}

/** The record and its context for one evaluation. */
export interface Frame {
  readonly inputs: readonly Scalar[];
  readonly context: RuleContext;
}

/** A node that computes a value; null: it has none. */
export type Compiled<Value> = (frame: Frame) => Value | null;

/** A node with the same value in each evaluation. */
export function constant<Value>(value: Value | null): Compiled<Value> {
  return () => value;
}

/** Applies a function to a value; null stays null. */
export function liftUnary<From, To>(
  from: Compiled<From>,
  map: (value: From) => To | null,
): Compiled<To> {
  return (frame) => {
    const value = from(frame);
    return value === null ? null : map(value);
  };
}

/** Applies a function to two values; null if one of them is null. */
export function liftBinary<A, B, To>(
  first: Compiled<A>,
  second: Compiled<B>,
  pair: (a: A, b: B) => To | null,
): Compiled<To> {
  return (frame) => {
    const a = first(frame);
    if (a === null) return null;
    const b = second(frame);
    return b === null ? null : pair(a, b);
  };
}

/**
 * `and` and `or` in three-valued logic. @param decisive the operand's value that determines the result: false for `and`
 */
export function combineLogical(
  operands: readonly Compiled<boolean>[],
  decisive: boolean,
): Compiled<boolean> {
  return (frame) => {
    let result: boolean | null = !decisive;
    for (const operand of operands) {
      const value = operand(frame);
      if (value === decisive) return decisive;
      if (value === null) result = null;
    }
    return result;
  };
}
