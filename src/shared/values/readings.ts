import type { Message } from '../messages/message.ts';
import { fold } from './fold.ts';
import { DIRECTION_MARKS } from './locale-formats.ts';
import { fixedPlaces, MAX_SCALE } from './decimal.ts';
import { hasRule, isText, type ValueType, valueType } from './registry.ts';
import { parseType, parseValue, type ValueRules } from './value-rules.ts';
import {
  type Candidate,
  type Notation,
  type OffsetsAt,
  UNKNOWN_NOTATION,
  type Parsed,
  type Scalar,
} from './value-type.ts';

export { notationOf } from './locale-formats.ts';
export { type Notation, type OffsetsAt, UNKNOWN_NOTATION };

/** What a text means as a value of a field. */
export type Reading =
  | { readonly kind: 'value'; readonly value: Scalar }
  /** each with the notation under which it would be meant so */
  | { readonly kind: 'ambiguous'; readonly readings: readonly Interpretation[] }
  | ({ readonly kind: 'unreadable' } & Message);

/** The reading of a text that is not a value, with the reason. */
export function unreadable({ code, params, message }: Message): Reading {
  return { kind: 'unreadable', code, params, message };
}

interface Interpretation {
  readonly value: Scalar;
  readonly notation: Notation;
}

/**
 * What a number, date or date-time shows of its writer's notation, by the type of its field alone: whether the field
 * then accepts the value does not show how it is written.
 * @returns the notations under which it can have been written, if they make a difference: several if it is not clear
 * which of them
 */
export function possibleNotations({ type }: Pick<ValueRules, 'type'>, written: string): Notation[] {
  const { readInAnyNotation } = valueType(type);
  const plain = written.replace(DIRECTION_MARKS, '').trim();
  if (!readInAnyNotation || plain.length > MAX_WRITTEN_LENGTH) return [];
  const candidates = readInAnyNotation(plain);
  const [first, ...others] = candidates;
  const isSame = others.length > 0 && others.every(({ raw }) => raw === first?.raw);
  return isSame ? [] : candidates.map(({ notation }) => notation);
}

/**
 * What a text that was written by people means as a value of the field: taken from a document, a spreadsheet or
 * typed in a grid. It is never rounded or guessed: what the writer's notation does not decide is `ambiguous`, whether
 * or not the field takes each of the values. A text that cannot be meant under the writer's notation but can under
 * others is read as those: `0.125` is an eighth to a German too. Values in the form of the interface (`YYYY-MM-DD`,
 * ISO 8601) are read under any notation.
 * @param offsetsAt gives a date-time without an offset the one it has where it was written; without it such a
 * text is unreadable
 */
export function readText(
  field: ValueRules,
  written: string,
  notation: Notation,
  offsetsAt?: OffsetsAt,
): Reading {
  if (isText(field)) return checked(parseValue(field, matchOption(field, written)));
  return readWritten(field, written, notation, offsetsAt, (raw) => parseValue(field, raw));
}

/**
 * Reads a text as `readText` does, by the type alone: also a value that the field does not accept, such as 1.5 in a
 * field of whole numbers.
 */
export function readLenient(
  { type }: Pick<ValueRules, 'type'>,
  written: string,
  notation: Notation,
  offsetsAt?: OffsetsAt,
): Reading {
  return readWritten({ type }, written, notation, offsetsAt, (raw) => parseLenient({ type }, raw));
}

function readWritten(
  { type }: Pick<ValueRules, 'type'>,
  written: string,
  notation: Notation,
  offsetsAt: OffsetsAt | undefined,
  parse: (raw: string | null) => Parsed,
): Reading {
  const text = written.replace(DIRECTION_MARKS, '').trim();
  if (text === '') return checked(parse(null));
  // The patterns below scan a text repeatedly, which would take minutes for a long one.
  if (text.length > MAX_WRITTEN_LENGTH) return checked(parse(text));
  const meanings = valueType(type).read(text, notation, offsetsAt);
  if ('unreadable' in meanings) return unreadable(meanings.unreadable);
  return choose(type, text, meanings, parse);
}

/** Longer texts are not numbers, dates or truth values in any form. */
const MAX_WRITTEN_LENGTH = 200;

/** The value that a text in the form of the interface means by its type alone, even one that the type cannot hold. */
export function parseLenient({ type }: Pick<ValueRules, 'type'>, raw: string | null): Parsed {
  const { parseLenient: parseOfType } = valueType(type);
  return parseOfType && raw !== null && raw !== ''
    ? parseOfType(raw)
    : parseType({ type, scale: MAX_SCALE }, raw);
}

/**
 * Writes a value as the locale does; `readText` under `notationOf(locale)` gives the same value back. Numbers are
 * not grouped, as in a spreadsheet; seconds are left out if they are zero. Null is written as the empty text.
 */
export function writeText(
  { type, scale }: Pick<ValueRules, 'type' | 'scale'>,
  value: Scalar,
  locale: string,
): string {
  return value === null ? '' : valueType(type).write(value, scale, locale);
}

/** A value as `writeText` writes it, amounts with the group separators of the locale: `1.234,50`. */
export function writeGrouped(
  { type, scale }: Pick<ValueRules, 'type' | 'scale'>,
  value: Scalar,
  locale: string,
): string {
  const { write, writeGrouped: group = write } = valueType(type);
  return value === null ? '' : group(value, scale, locale);
}

/** The `fixedPlaces` of a field; 0 if its type has no decimal places. */
export function fixedPlacesOf({ type, scale }: Pick<ValueRules, 'type' | 'scale'>): number {
  return hasRule(type, 'scale') ? fixedPlaces(scale) : 0;
}

function checked(parsed: Parsed): Reading {
  return parsed.ok ? { kind: 'value', value: parsed.value } : unreadable(parsed);
}

/** One of the options, where the text is one except for case, accents and blanks around it. */
function matchOption(field: ValueRules, text: string): string {
  if (!field.options || field.options.includes(text)) return text;
  const wanted = fold(text.trim());
  const alike = field.options.filter((option) => fold(String(option)) === wanted);
  return alike.length === 1 ? String(alike[0]) : text;
}

function choose(
  type: ValueType,
  text: string,
  candidates: readonly Candidate[],
  parse: (raw: string) => Parsed,
): Reading {
  const [first] = candidates;
  if (!first) return checked(parse(text));
  const meanings = new Map<Scalar, Interpretation>();
  for (const { raw, notation } of candidates) {
    // A number with too many places still has a meaning; a time of 25 hours has none.
    const meant = parseLenient({ type }, raw);
    if (meant.ok && !meanings.has(meant.value)) {
      meanings.set(meant.value, { value: meant.value, notation });
    }
  }
  if (meanings.size > 1) return { kind: 'ambiguous', readings: [...meanings.values()] };
  const only = candidates.find(({ raw }) => parse(raw).ok) ?? first;
  return checked(parse(only.raw));
}
