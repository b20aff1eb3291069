import { isInstant, isLocalized, isText } from '#shared/values/registry.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { habitsOf, readText } from '#shared/values/readings.ts';
import * as texts from '#messages/values.ts';
import { parseValue, type Parsed, type Scalar, type ValueRules } from '#shared/values/values.ts';
import { readTyped as read, toParsed } from '#web/fields/typed-text.ts';
import { userLocale } from '#shared/messages/format.ts';
import { inWords, localText, readersInstant } from '#web/fields/value-text.ts';

export interface Typed {
  /** the text as it stays in the cell where it cannot be read */
  readonly text: string | null;
  readonly parsed: Parsed;
}

/**
 * Reads what was typed into a cell as the reader writes it, by the one rule for values. Nothing is bent.
 * @param typed null where the cell was cleared
 * @param before the value that stood in the cell: an emptied text stays '' only where it was ''
 */
export function readTyped(rules: ValueRules, typed: string | null, before: Scalar): Typed {
  const text = typed === '' && (!isText(rules) || before !== '') ? null : typed;
  if (text === null) return { text, parsed: parseValue(rules, null) };
  const parsed = toParsed(rules, text, read(rules, text));
  return { text: parsed.ok ? localText(rules, parsed.value) : text, parsed };
}

/** What a text that was typed into a cell can mean, where it can mean several things. */
export function meaningsOf(rules: ValueRules, typed: string): readonly Scalar[] {
  const reading = read(rules, typed);
  return reading.kind === 'ambiguous' ? reading.readings.map(({ value }) => value) : [];
}

/**
 * What a text is about to be taken for, where that is not plain from the text: the day in words, a moment by
 * the clock here, a number with its groups; for times that the clocks here skip or run twice, that. Null: nothing to say.
 */
export function hintFor(column: Column, typed: string): string | null {
  if (!isLocalized(column)) return null;
  const reading = read(column, typed);
  if (reading.kind === 'ambiguous') {
    const meanings = reading.readings.map(({ value }) => inWords(column, value));
    return texts.canMean({ meanings });
  }
  if (reading.kind === 'unreadable') {
    // What is half typed is not wrong yet; a time that lacks nothing but its place on the clock here is.
    const elsewhere = readText(column, typed, habitsOf(userLocale()), () => ['Z']);
    return elsewhere.kind === 'value' ? reading.message : null;
  }
  const { value } = reading;
  if (value === null) return null;
  if (typeof value === 'number') return String(value) === typed ? null : inWords(column, value);
  return isInstant(column) ? `${readersInstant(String(value))} here` : inWords(column, value);
}
