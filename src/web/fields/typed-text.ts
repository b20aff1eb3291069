import * as texts from '#messages/values.ts';
import type { Message } from '#shared/messages/message.ts';
import { dayForm, habitsOf, type Reading, readText } from '#shared/values/readings.ts';
import {
  MAX_SCALE,
  parseType,
  parseValue,
  type Parsed,
  UNBOUND,
  type ValueRules,
} from '#shared/values/values.ts';
import { userLocale } from '#shared/messages/format.ts';
import { groupedText, inWords, localText, readersInstant, valueText } from './value-text.ts';
import { choiceMeant, choicesOf } from './choices.ts';
import { localOffsets } from './local-offsets.ts';

/**
 * What a text that was typed means as a value of the field: options by their beginning or a part of them,
 * numbers and dates as they are written under the locale, times without an offset as those of the clock here.
 * Texts are what was typed, to the character.
 */
export function readTyped(rules: ValueRules, typed: string, locale = userLocale()): Reading {
  const meant =
    rules.options && rules.type !== 'boolean'
      ? (choiceMeant(choicesOf(rules.options), typed) ?? typed)
      : typed;
  const reading = readText(rules, meant, habitsOf(locale), localOffsets);
  const apart =
    reading.kind === 'unreadable' && rules.type === 'date' && digitsApart(meant, locale);
  return apart ? readText(rules, apart, habitsOf(locale), localOffsets) : reading;
}

/** The moment that a field of date and time holds, by the reader's own clock; null: it holds none, or another type. */
export function momentHeld(rules: ValueRules, text: string | null): string | null {
  if (rules.type !== 'datetime' || text === null) return null;
  return parseType(rules, text).ok ? readersInstant(text) : null;
}

/** `101225` and `10122025` as the day that they are under the locale, `10.12.25`; null: they are none. */
function digitsApart(typed: string, locale: string): string | null {
  const digits = /^(?:\d{6}|\d{8})$/.exec(typed.trim())?.[0];
  const { order } = habitsOf(locale);
  if (!digits || order === null) return null;
  const year = digits.length - 4;
  const at = order === 'ymd' ? [year, year + 2] : [2, 4];
  const parts = [digits.slice(0, at[0]), digits.slice(at[0], at[1]), digits.slice(at[1])];
  return parts.join(SIGNS[order]);
}

/** What stands between the parts of a day so that no other order is read. */
const SIGNS = { dmy: '.', mdy: '/', ymd: '-' };

/** What of a field's definition decides how its texts are read; without a scale any places are numbers. */
export type TypedRules = Pick<ValueRules, 'type' | 'options'> & Partial<Pick<ValueRules, 'scale'>>;

/**
 * What was typed in the form of the interface, where it means one value of the type; else as it was typed, if need
 * be with a blank behind, so that it is not taken for the form of the interface.
 */
export function meantText(rules: TypedRules, typed: string, locale = userLocale()): string {
  if (rules.type === 'text' || rules.type === 'boolean') return typed;
  const scale = rules.scale === undefined ? MAX_SCALE : rules.scale;
  const reading = readTyped({ ...UNBOUND, type: rules.type, scale }, typed, locale);
  const own = parseType({ type: rules.type, scale }, typed);
  if (reading.kind === 'ambiguous') return own.ok ? `${typed} ` : typed;
  if (reading.kind !== 'value' || reading.value === null) return typed;
  if (own.ok && own.value === reading.value) return typed;
  return (
    valueText(reading.value, rules.scale === undefined ? undefined : { ...rules, scale }) ?? typed
  );
}

/** A text that a form holds as the reader writes it; what is no value of the type stays as it was typed. */
export function formatFieldValue(rules: TypedRules, held: string | null): string | null {
  if (held === null || rules.type === 'text' || rules.type === 'boolean') return held;
  const { type, scale = MAX_SCALE } = rules;
  const parsed = parseType({ type, scale }, held);
  return parsed.ok ? localText({ type, scale }, parsed.value) : held;
}

/** As `formatFieldValue`, with thousands separators for amounts (`groupedText`). */
export function groupedHeld(rules: TypedRules, held: string | null): string | null {
  const { type, scale = MAX_SCALE } = rules;
  const parsed = type === 'decimal' && held !== null ? parseType({ type, scale }, held) : null;
  return parsed?.ok ? groupedText({ type, scale }, parsed.value) : formatFieldValue(rules, held);
}

/** Decides whether a text that a form holds is a value: in the form of the interface, or as it was typed. */
export function parseFieldValue(rules: ValueRules, text: string | null): Parsed {
  if (text === null || rules.type === 'text' || parseType(rules, text).ok) {
    return parseValue(rules, heldChoice(rules, text));
  }
  return toParsed(rules, text, readTyped(rules, text));
}

function heldChoice({ options }: ValueRules, text: string | null): string | null {
  return text === null || !options ? text : (choiceMeant(choicesOf(options), text) ?? text);
}

/** A reading as the rule for values has it: what can mean several things is no value yet. */
export function toParsed(rules: ValueRules, typed: string, reading: Reading): Parsed {
  switch (reading.kind) {
    case 'value':
      return { ok: true, value: reading.value };
    case 'ambiguous': {
      const meanings = reading.readings.map(({ value }) => inWords(rules, value));
      return { ok: false, ...texts.ambiguous({ typed, meanings }) };
    }
    case 'unreadable':
      return { ok: false, ...inUserForm(reading) };
    default:
      return reading satisfies never;
  }
}

/** In the interface days have one form; a clerk reads the one of the locale. */
function inUserForm({ code, params, message }: Message): Message {
  const form = dayForm(userLocale());
  if (code === texts.notADate.code) return texts.notADate({ form });
  if (code === texts.notADatetime.code) return texts.notADatetime({ form: `${form} HH:mm` });
  return { code, params, message };
}
