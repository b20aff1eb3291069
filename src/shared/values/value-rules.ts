import * as texts from '#messages/values.ts';
import type { Message } from '../messages/message.ts';
import { countCodePoints } from './code-points.ts';
import { DEFAULT_SCALE } from './decimal.ts';
import { compareTexts } from './fold.ts';
import { JsonNumber, type JsonValue } from './json.ts';
import { examplePatternText, matchesPattern } from './pattern.ts';
import { isText, type ValueType, valueType } from './registry.ts';
import { type Parsed, parsedAs, refused, type Scalar } from './value-type.ts';

/** The rules of a definition for the values of one index field or column. */
export interface ValueRules {
  readonly type: ValueType;
  readonly required: boolean;
  /** Unicode code points; null: 1,000,000 */
  readonly maxLength: number | null;
  /** decimal places of a decimal, 0 to 14; null: 2 */
  readonly scale: number | null;
  readonly options: readonly Scalar[] | null;
  readonly min: number | string | null;
  readonly max: number | string | null;
  /** a regular expression (RE2) for the whole text */
  readonly pattern: string | null;
  /** what the pattern requires, in words for the people who type: `Two letters, then nine digits` */
  readonly patternDescription?: string | undefined;
}

/** The rules of a value if only its type matters; its scale is that of its type. */
export const TYPE_ONLY_RULES = {
  required: false,
  maxLength: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
} as const satisfies Omit<ValueRules, 'type' | 'scale'>;

/**
 * The maximum length of a text, in Unicode code points. Code that only bounds its work compares `length` with twice as
 * many: a code point is one or two UTF-16 code units.
 */
export const MAX_TEXT_LENGTH = 1_000_000;

/**
 * Parses `raw` as a value of the field. Routes, forms, the grid, the loader and imports all use this function.
 * @param raw as it came: a JSON value with its numbers as they were written, or text as typed
 * @returns the value to store, or the message that says what is wrong
 */
export function parseValue(rules: ValueRules, raw: JsonValue): Parsed {
  const typed = parseType(rules, raw);
  return typed.ok ? checkRules(rules, typed.value) : typed;
}

/** The first half of `parseValue`: only the type, as for a filter's value. */
export function parseType(rules: Pick<ValueRules, 'type' | 'scale'>, raw: JsonValue): Parsed {
  if (raw === null) return parsedAs(null);
  if (typeof raw === 'object' && !(raw instanceof JsonNumber)) {
    return refused(texts.notSingle);
  }
  if (raw === '' && !isText(rules)) return parsedAs(null);
  return valueType(rules.type).parse(raw, rules.scale ?? DEFAULT_SCALE);
}

/** The second half of `parseValue`: required, length, options, bounds and pattern for a value of the right type. */
export function checkRules(rules: ValueRules, typed: Scalar): Parsed {
  const value = typed === '' && rules.options ? null : typed;
  if (value === null || value === '') {
    if (rules.required) return refused(texts.required);
    if (value === null) return parsedAs(null);
  }
  if (rules.options && !rules.options.includes(value)) {
    return refused(optionsMessage(rules.options));
  }
  if (typeof value === 'string' && isText(rules)) {
    const limit = rules.maxLength ?? MAX_TEXT_LENGTH;
    const length = countCodePoints(value, limit);
    if (length > limit) {
      return refused(texts.tooLong({ max: limit }));
    }
    if (rules.pattern !== null && !matchesPattern(rules.pattern, value)) {
      return refused(patternMessage(rules.pattern, rules.patternDescription));
    }
  }
  if (rules.min !== null && compareValues(rules.type, value, rules.min) < 0) {
    return refused(texts.atLeast({ min: rules.min }));
  }
  if (rules.max !== null && compareValues(rules.type, value, rules.max) > 0) {
    return refused(texts.atMost({ max: rules.max }));
  }
  return parsedAs(value);
}

/** Names the first of the allowed values. */
function optionsMessage(all: readonly Scalar[]): Message {
  const options = all.slice(0, MAX_OPTIONS_NAMED).map(String).join(', ');
  return all.length > MAX_OPTIONS_NAMED
    ? texts.notAnOptionOfMany({ options, count: all.length })
    : texts.notAnOption({ options });
}

const MAX_OPTIONS_NAMED = 12;

/** What a pattern requires. The expression itself is never shown to people. */
function patternMessage(pattern: string, description: string | undefined): Message {
  const example = examplePatternText(pattern);
  if (description !== undefined) {
    const asked = description.replace(/[.\s]+$/, '');
    return example === null
      ? texts.notAsDescribed({ description: asked })
      : texts.notAsDescribedWithExample({ description: asked, example });
  }
  return example === null ? texts.notOfPattern : texts.notLikeExample({ example });
}

/** Two values of a unique column are the same if they have the same key: date-times are compared by their instants. */
export function equalityKey(type: ValueType, value: Scalar): Scalar {
  const { comparison } = valueType(type);
  return comparison.by === 'number' && value !== null ? comparison.numberOf(String(value)) : value;
}

/**
 * The order of two values of one type, as lists sort them: texts by folded form, then code points; date-times
 * by instant. Null is no value and is not compared here.
 * @returns below 0, 0 or above 0
 */
export function compareValues(type: ValueType, a: Scalar, b: Scalar): number {
  const { comparison } = valueType(type);
  switch (comparison.by) {
    case 'foldedText':
      return compareTexts(String(a), String(b));
    case 'number':
      return comparison.numberOf(String(a)) - comparison.numberOf(String(b));
    case 'value':
      if (typeof a !== 'string' && typeof b !== 'string') return Number(a) - Number(b);
      return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
    default:
      return comparison satisfies never;
  }
}
