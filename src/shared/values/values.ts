import * as texts from '#messages/values.ts';
import type { Message } from '#shared/messages/message.ts';
import { countCodePoints } from './code-points.ts';
import { isDate, readInstant } from './dates.ts';
import { compareTexts } from './fold.ts';
import { JsonNumber, type JsonValue } from './json.ts';
import {
  MAX_SIGNIFICANT_DIGITS,
  readJsonNumber,
  readPlainNumber,
  significantDigits,
  toDouble,
  toInteger,
} from './numbers.ts';
import { exampleOf } from './pattern-example.ts';
import { matchesPattern } from './pattern.ts';
import { VALUE_TYPES, type ValueType } from './value-types.ts';

export { VALUE_TYPES, type ValueType };

/** A value as it is answered and stored: text, date and date-time as string; null is no value. */
export type Scalar = string | number | boolean | null;

/** What a definition says about the values of one index field or column. */
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
  /** what the pattern asks for, in the words of those who type: `Two letters, then nine digits` */
  readonly patternDescription?: string | undefined;
}

/** What a value has to meet where its type alone counts; its scale is its type's matter. */
export const UNBOUND = {
  required: false,
  maxLength: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
} as const satisfies Omit<ValueRules, 'type' | 'scale'>;

export const MAX_TEXT_LENGTH = 1_000_000;
export const DEFAULT_SCALE = 2;
export const MAX_SCALE = 14;

export type Parsed =
  | { readonly ok: true; readonly value: Scalar }
  | ({ readonly ok: false } & Message);

const good = (value: Scalar): Parsed => ({ ok: true, value });
const bad = (message: Message): Parsed => ({ ok: false, ...message });

/**
 * Decides whether `raw` is a value of the field, and which. The one rule for the routes, the forms, the
 * grid, the loader and imports.
 * @param raw as it came: a JSON value with its numbers as they were written, or text as typed
 * @returns the value to store, or the message that says what is wrong
 */
export function parseValue(rules: ValueRules, raw: JsonValue): Parsed {
  const typed = parseType(rules, raw);
  return typed.ok ? checkRules(rules, typed.value) : typed;
}

/** The first half of `parseValue`: the type alone, as a filter's value is read. */
export function parseType(rules: Pick<ValueRules, 'type' | 'scale'>, raw: JsonValue): Parsed {
  if (raw === null) return good(null);
  if (typeof raw === 'object' && !(raw instanceof JsonNumber)) {
    return bad(texts.notSingle);
  }
  if (rules.type === 'text') return parseText(raw);
  if (raw === '') return good(null);
  switch (rules.type) {
    case 'integer':
      return parseInteger(raw);
    case 'decimal':
      return parseDecimal(raw, rules.scale ?? DEFAULT_SCALE);
    case 'boolean':
      return parseBoolean(raw);
    case 'date':
      return typeof raw === 'string' && isDate(raw)
        ? good(raw)
        : bad(texts.notADate({ form: 'YYYY-MM-DD' }));
    case 'datetime':
      return parseDatetime(raw);
    default:
      return rules.type satisfies never;
  }
}

/** The second half of `parseValue`: required, length, options, bounds and pattern for a value of the right type. */
export function checkRules(rules: ValueRules, typed: Scalar): Parsed {
  const value = typed === '' && rules.options ? null : typed;
  if (value === null || value === '') {
    if (rules.required) return bad(texts.required);
    if (value === null) return good(null);
  }
  if (rules.options && !rules.options.includes(value)) {
    return bad(optionsMessage(rules.options));
  }
  if (typeof value === 'string' && rules.type === 'text') {
    const limit = rules.maxLength ?? MAX_TEXT_LENGTH;
    const length = countCodePoints(value, limit);
    if (length > limit) {
      return bad(texts.tooLong({ max: limit }));
    }
    if (rules.pattern !== null && !matchesPattern(rules.pattern, value)) {
      return bad(patternMessage(rules.pattern, rules.patternDescription));
    }
  }
  if (rules.min !== null && compareValues(rules.type, value, rules.min) < 0) {
    return bad(texts.atLeast({ min: rules.min }));
  }
  if (rules.max !== null && compareValues(rules.type, value, rules.max) > 0) {
    return bad(texts.atMost({ max: rules.max }));
  }
  return good(value);
}

/** Names the first of the values that a field may have. */
function optionsMessage(all: readonly Scalar[]): Message {
  const options = all.slice(0, MAX_OPTIONS_NAMED).map(String).join(', ');
  return all.length > MAX_OPTIONS_NAMED
    ? texts.notAnOptionOfMany({ options, count: all.length })
    : texts.notAnOption({ options });
}

const MAX_OPTIONS_NAMED = 12;

/** What a pattern asks for. People are never shown the expression itself. */
function patternMessage(pattern: string, description: string | undefined): Message {
  const example = exampleOf(pattern);
  if (description !== undefined) {
    const asked = description.replace(/[.\s]+$/, '');
    return example === null
      ? texts.notAsDescribed({ description: asked })
      : texts.notAsDescribedWithExample({ description: asked, example });
  }
  return example === null ? texts.notOfPattern : texts.notLikeExample({ example });
}

function parseText(raw: string | boolean | JsonNumber): Parsed {
  const text = typeof raw === 'string' ? raw : raw instanceof JsonNumber ? raw.source : String(raw);
  if (text.includes('\u0000')) return bad(texts.hasNul);
  if (!text.isWellFormed()) return bad(texts.hasHalfCharacter);
  return good(text);
}

function readNumber(raw: string | boolean | JsonNumber) {
  if (raw instanceof JsonNumber) return readJsonNumber(raw.source);
  return typeof raw === 'string' ? readPlainNumber(raw) : undefined;
}

function parseInteger(raw: string | boolean | JsonNumber): Parsed {
  const exact = readNumber(raw);
  if (!exact) return bad(texts.notAnIntegerNumber);
  if (exact.places > 0) return bad(texts.notWhole);
  const integer = toInteger(exact);
  if (integer === undefined) {
    return bad(texts.notASafeInteger);
  }
  return good(integer);
}

function parseDecimal(raw: string | boolean | JsonNumber, scale: number): Parsed {
  const exact = readNumber(raw);
  if (!exact) return bad(texts.notADecimalNumber);
  if (exact.places > scale) {
    return bad(scale === 0 ? texts.hasPlaces : texts.tooManyPlaces({ max: scale }));
  }
  if (significantDigits(exact) > MAX_SIGNIFICANT_DIGITS) {
    return bad(texts.tooManyDigits({ max: MAX_SIGNIFICANT_DIGITS }));
  }
  return good(toDouble(exact));
}

function parseBoolean(raw: string | boolean | JsonNumber): Parsed {
  if (typeof raw === 'boolean') return good(raw);
  const text = raw instanceof JsonNumber ? raw.source : raw;
  if (text === 'true' || text === '1') return good(true);
  if (text === 'false' || text === '0') return good(false);
  return bad(texts.notABoolean);
}

function parseDatetime(raw: string | boolean | JsonNumber): Parsed {
  const text = typeof raw === 'string' ? raw : '';
  switch (readInstant(text)) {
    case 'offset':
      return bad(texts.noOffset);
    case 'form':
      return bad(texts.notADatetime({ form: 'YYYY-MM-DDTHH:mm:ss+hh:mm' }));
    case 'real':
      return bad(texts.noRealDatetime);
    default:
      return good(text);
  }
}

/** The instant of a stored date-time, in milliseconds since 1970 UTC. */
export function instantOf(datetime: string): number {
  const instant = readInstant(datetime);
  if (typeof instant !== 'number') throw new Error(`Not a date-time: ${datetime}`);
  return instant;
}

/** What makes two values of a unique column the same: date-times are compared by their instants. */
export function equalityKey(type: ValueType, value: Scalar): Scalar {
  return type === 'datetime' && value !== null ? instantOf(String(value)) : value;
}

/**
 * The order of two values of one type, as lists sort them: texts by folded form, then code points; date-times
 * by instant. Null is no value and is not compared here.
 * @returns below 0, 0 or above 0
 */
export function compareValues(type: ValueType, a: Scalar, b: Scalar): number {
  if (type === 'text') return compareTexts(String(a), String(b));
  if (type === 'datetime') return instantOf(String(a)) - instantOf(String(b));
  if (typeof a === 'string' || typeof b === 'string') {
    return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
  }
  return Number(a) - Number(b);
}
