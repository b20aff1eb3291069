import { JsonNumber } from '#shared/values/json.ts';
import { plainDecimal } from '#shared/values/numbers.ts';
import { notationOf, readText } from '#shared/values/readings.ts';
import { isText } from '#shared/values/registry.ts';
import {
  checkRules,
  parseType,
  TYPE_ONLY_RULES,
  type Scalar,
  type ValueRules,
} from '#shared/values/values.ts';
import type { Conversion, ConversionStep } from './collection.ts';

/** The result of converting a value to a new field type. */
export interface Converted {
  /** null also if the value has no meaning in the new type */
  readonly value: Scalar;
  /** whether it can be converted, and is valid by the rules of the field */
  readonly fits: boolean;
}

/**
 * Converts a value by the rules of typed input. The result depends only on the arguments, so that the history can be
 * replayed.
 * @param to the field with its new type
 * @param readAs the language of texts (BCP 47); null: only the form of the interface
 */
export function convertValue(to: ValueRules, readAs: string | null, value: Scalar): Converted {
  const typed = typedValue(to, readAs, value);
  if (typed === undefined) return { value: null, fits: false };
  return { value: typed, fits: checkRules({ ...to, required: false }, typed).ok };
}

/**
 * The converted value, whatever the rules of the field.
 * @returns undefined if the value has no meaning in the new type
 */
export function typedValue(
  to: Pick<ValueRules, 'type' | 'scale'>,
  readAs: string | null,
  value: Scalar,
): Scalar | undefined {
  if (value === null) return null;
  if (typeof value !== 'string' || isText(to) || readAs === null) {
    const raw = typeof value === 'number' ? new JsonNumber(plainDecimal(value)) : value;
    const parsed = parseType(to, typeof raw === 'string' && !isText(to) ? raw.trim() : raw);
    return parsed.ok ? parsed.value : undefined;
  }
  const reading = readText(
    { ...TYPE_ONLY_RULES, type: to.type, scale: to.scale },
    value,
    notationOf(readAs),
  );
  return reading.kind === 'value' ? reading.value : undefined;
}

/** A value of a former field as the present one has it. @returns undefined if it has no meaning in one of the types */
export function convertedThrough(
  steps: readonly ConversionStep[],
  value: Scalar,
): Scalar | undefined {
  let converted: Scalar | undefined = value;
  for (const step of steps) {
    if (converted !== undefined) converted = typedValue(step, step.readAs, converted);
  }
  return converted;
}

/**
 * The conversions that led from the values of one field to those of another one, in their order.
 * @returns undefined if there are none, or one of them was a revert
 */
export function stepsBetween(
  fields: readonly {
    readonly number: number;
    readonly type: ConversionStep['type'];
    readonly conversion: Conversion | null;
  }[],
  from: number,
  to: number,
): readonly ConversionStep[] | undefined {
  const field = fields.find(({ number }) => number === to);
  if (!field?.conversion || field.conversion.original !== undefined) return undefined;
  const { conversion, type } = field;
  const step = { type, readAs: conversion.readAs, scale: conversion.scale };
  if (conversion.from === from) return [step];
  const before = stepsBetween(fields, from, conversion.from);
  return before && [...before, step];
}

/** Whether a value is still what an original one was converted into. */
export function isUnchanged(
  steps: readonly ConversionStep[],
  original: Scalar,
  value: Scalar,
): boolean {
  return (convertedThrough(steps, original) ?? null) === value;
}
