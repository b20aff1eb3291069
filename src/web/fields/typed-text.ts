import * as inputTexts from '#messages/inputs.ts';
import * as texts from '#messages/values.ts';
import type { Message } from '#shared/messages/message.ts';
import { notationOf, type Reading, readText } from '#shared/values/readings.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import { isBoolean, isInstant, isLocalized, isText, valueType } from '#shared/values/registry.ts';
import {
  parseType,
  parseValue,
  TYPE_ONLY_RULES,
  type ValueRules,
} from '#shared/values/value-rules.ts';
import type { Parsed, Scalar } from '#shared/values/value-type.ts';
import { userLocale } from '#shared/messages/format.ts';
import { inWords, localText, momentInWords, valueText } from './value-text.ts';
import { matchingChoice, choicesOf } from './field-choices.ts';
import type { EditorRules } from './editor.ts';
import { localOffsets } from './local-offsets.ts';

/**
 * Interprets a typed text as a value of the field: options by their beginning or a part of them, numbers and dates in
 * the format of the locale, times without an offset in the user's time zone. Texts are taken unchanged.
 */
export function readTyped(rules: ValueRules, typed: string, locale = userLocale()): Reading {
  const text =
    rules.options && !isBoolean(rules)
      ? (matchingChoice(choicesOf(rules.options), typed) ?? typed)
      : typed;
  const notation = notationOf(locale);
  const reading = readText(rules, text, notation, localOffsets);
  const expanded =
    reading.kind === 'unreadable' && valueType(rules.type).expandTyped?.(text, notation);
  return expanded ? readText(rules, expanded, notation, localOffsets) : reading;
}

/**
 * Converts a typed text to the form of the interface, if it means exactly one value of the type; otherwise it is
 * unchanged, with a trailing space if it would be mistaken for the form of the interface.
 */
export function toInterfaceForm(rules: EditorRules, typed: string, locale = userLocale()): string {
  if (!isLocalized(rules)) return typed;
  const scale = rules.scale === undefined ? MAX_SCALE : rules.scale;
  const reading = readTyped({ ...TYPE_ONLY_RULES, type: rules.type, scale }, typed, locale);
  const own = parseType({ type: rules.type, scale }, typed);
  if (reading.kind === 'ambiguous') return own.ok ? `${typed} ` : typed;
  if (reading.kind !== 'value' || reading.value === null) return typed;
  if (own.ok && own.value === reading.value) return typed;
  return (
    valueText(reading.value, rules.scale === undefined ? undefined : { ...rules, scale }) ?? typed
  );
}

/** The possible meanings of a typed text, if it is ambiguous. */
export function meaningsOf(rules: ValueRules, typed: string): readonly Scalar[] {
  const reading = readTyped(rules, typed);
  return reading.kind === 'ambiguous' ? reading.readings.map(({ value }) => value) : [];
}

interface ParsedText {
  /** the value in the user's format; the typed text if it cannot be parsed */
  readonly text: string | null;
  readonly parsed: Parsed;
}

/**
 * Parses text that was typed into a cell, in the user's format.
 * @param typed null if the cell was cleared
 * @param before the previous value of the cell: an emptied text stays '' only if it was ''
 */
export function parseTyped(rules: ValueRules, typed: string | null, before: Scalar): ParsedText {
  const text = typed === '' && (!isText(rules) || before !== '') ? null : typed;
  if (text === null) return { text, parsed: parseValue(rules, null) };
  const parsed = toParsed(rules, text, readTyped(rules, text));
  return { text: parsed.ok ? localText(rules, parsed.value) : text, parsed };
}

/**
 * The parsed value of a text, if the text does not show it: a date or moment in words, a number with grouped digits; or
 * why a moment does not exist, or occurs twice, in the user's time zone. Null: nothing.
 */
export function typedTextHint(rules: ValueRules, typed: string): string | null {
  if (!isLocalized(rules)) return null;
  const reading = readTyped(rules, typed);
  if (reading.kind === 'ambiguous') {
    const meanings = reading.readings.map(({ value }) => inWords(rules, value));
    return texts.canMean({ meanings });
  }
  if (reading.kind === 'unreadable') {
    // An incomplete text is not an error yet; a complete time that does not exist in this time zone is.
    const elsewhere = readText(rules, typed, notationOf(userLocale()), () => ['Z']);
    return elsewhere.kind === 'value' ? reading.message : null;
  }
  const { value } = reading;
  if (value === null) return null;
  if (typeof value === 'number') return String(value) === typed ? null : inWords(rules, value);
  return isInstant(rules)
    ? inputTexts.localTime(momentInWords(String(value)) ?? '')
    : inWords(rules, value);
}

/** Converts a reading to the result of a value check: an ambiguous text is not a value yet. */
export function toParsed(rules: ValueRules, typed: string, reading: Reading): Parsed {
  switch (reading.kind) {
    case 'value':
      return { ok: true, value: reading.value };
    case 'ambiguous': {
      const meanings = reading.readings.map(({ value }) => inWords(rules, value));
      return { ok: false, ...texts.ambiguous({ typed, meanings }) };
    }
    case 'unreadable':
      return { ok: false, ...localizedMessage(rules, reading) };
    default:
      return reading satisfies never;
  }
}

/**
 * The interface has one form for values of a type; a clerk sees that of a locale.
 * @param locale in which the value is written
 */
export function localizedMessage(
  { type }: Pick<ValueRules, 'type'>,
  { code, params, message }: Message,
  locale = userLocale(),
): Message {
  const form = valueType(type).form?.(locale);
  if (form !== undefined && code === texts.notADate.code) return texts.notADate({ form });
  if (form !== undefined && code === texts.notADatetime.code) return texts.notADatetime({ form });
  return { code, params, message };
}
