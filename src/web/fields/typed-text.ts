import * as texts from '#messages/values.ts';
import type { Message } from '#shared/messages/message.ts';
import { isBoolean, isInstant, isLocalized, isText, valueType } from '#shared/values/registry.ts';
import { habitsOf, type Reading, readText } from '#shared/values/readings.ts';
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
import type { EditorRules } from './editor.ts';
import { localOffsets } from './local-offsets.ts';

/**
 * What a text that was typed means as a value of the field: options by their beginning or a part of them,
 * numbers and dates as they are written under the locale, times without an offset as those of the clock here.
 * Texts are what was typed, to the character.
 */
export function readTyped(rules: ValueRules, typed: string, locale = userLocale()): Reading {
  const meant =
    rules.options && !isBoolean(rules)
      ? (choiceMeant(choicesOf(rules.options), typed) ?? typed)
      : typed;
  const habits = habitsOf(locale);
  const reading = readText(rules, meant, habits, localOffsets);
  const expanded =
    reading.kind === 'unreadable' && valueType(rules.type).expandTyped?.(meant, habits);
  return expanded ? readText(rules, expanded, habits, localOffsets) : reading;
}

/** The moment that a field of date and time holds, by the reader's own clock; null: it holds none, or another type. */
export function momentHeld(rules: ValueRules, text: string | null): string | null {
  if (!isInstant(rules) || text === null) return null;
  return parseType(rules, text).ok ? readersInstant(text) : null;
}

/**
 * What was typed in the form of the interface, where it means one value of the type; else as it was typed, if need
 * be with a blank behind, so that it is not taken for the form of the interface.
 */
export function meantText(rules: EditorRules, typed: string, locale = userLocale()): string {
  if (!isLocalized(rules)) return typed;
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
export function formatFieldValue(rules: EditorRules, held: string | null): string | null {
  if (held === null || !isLocalized(rules)) return held;
  const { type, scale = MAX_SCALE } = rules;
  const parsed = parseType({ type, scale }, held);
  return parsed.ok ? localText({ type, scale }, parsed.value) : held;
}

/** As `formatFieldValue`, with thousands separators for amounts (`groupedText`). */
export function groupedHeld(rules: EditorRules, held: string | null): string | null {
  const { type, scale = MAX_SCALE } = rules;
  const parsed = held === null ? null : parseType({ type, scale }, held);
  return parsed?.ok ? groupedText({ type, scale }, parsed.value) : held;
}

/** Decides whether a text that a form holds is a value: in the form of the interface, or as it was typed. */
export function parseFieldValue(rules: ValueRules, text: string | null): Parsed {
  if (text === null || isText(rules) || parseType(rules, text).ok) {
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
      return { ok: false, ...inUserForm(rules, reading) };
    default:
      return reading satisfies never;
  }
}

/** In the interface values of a type have one form; a clerk reads the one of the locale. */
function inUserForm({ type }: ValueRules, { code, params, message }: Message): Message {
  const form = valueType(type).form?.(userLocale());
  if (form !== undefined && code === texts.notADate.code) return texts.notADate({ form });
  if (form !== undefined && code === texts.notADatetime.code) return texts.notADatetime({ form });
  return { code, params, message };
}
