import type { RawBuilder } from 'kysely';
import { valueType } from '#shared/values/registry.ts';
import type { ValueRules } from '#shared/values/value-rules.ts';
import type { StoredField } from './columns.ts';

/** A column to be summed. */
export type SummedField = StoredField & Pick<ValueRules, 'scale'>;

/** How a database computes the exact sum of a column: the aggregates to select, and how to parse their results. */
export interface Sum {
  readonly aggregates: readonly RawBuilder<string | null>[];
  /** the sum, in units of 10^-scale, from the results of the aggregates */
  total(results: readonly unknown[]): bigint;
  readonly scale: number;
}

/** The decimal places of a sum. */
export function scaleOf({ type, scale }: SummedField): number {
  return valueType(type).placesOf?.(scale) ?? 0;
}

/**
 * Parses a sum in units of 10^-scale.
 * @param text a plain number of at most `scale` places; null: there was no value
 */
export function unitsOf(text: unknown, scale: number): bigint {
  if (typeof text !== 'string') return 0n;
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
}
