import { parseValue, type Parsed, type Scalar, type ValueRules } from '#shared/values.ts';
import { completeDate, completeDatetime } from '#web/ui/fields/date-completion.ts';
import { valueText } from '#web/ui/value-text.ts';

/** A value as the text that is edited and copied; '' for no value. */
export function textOf(rules: ValueRules, value: Scalar): string {
  return valueText(value, rules) ?? '';
}

const WORDS = new Map([
  ['y', 'true'],
  ['yes', 'true'],
  ['n', 'false'],
  ['no', 'false'],
]);

export interface Typed {
  /** the text as it stays in the cell where it cannot be read */
  readonly text: string | null;
  readonly parsed: Parsed;
}

/**
 * Reads what was typed into a cell, by the one rule for values. Short dates are completed and blanks
 * around what is no text are left out; nothing else is bent.
 * @param typed null where the cell was cleared
 * @param before the value that stood in the cell: an emptied text stays '' only where it was ''
 */
export function readTyped(rules: ValueRules, typed: string | null, before: Scalar): Typed {
  if (typed === null) return { text: null, parsed: parseValue(rules, null) };
  if (rules.type === 'text') {
    const text = typed === '' && before !== '' ? null : typed;
    return { text, parsed: parseValue(rules, text) };
  }
  const trimmed = typed.trim();
  const completed =
    rules.type === 'date'
      ? completeDate(trimmed)
      : rules.type === 'datetime'
        ? completeDatetime(trimmed)
        : rules.type === 'boolean'
          ? (WORDS.get(trimmed.toLowerCase()) ?? trimmed.toLowerCase())
          : trimmed;
  const parsed = parseValue(rules, completed);
  return { text: parsed.ok ? completed : typed, parsed };
}

/** Holds a value to the rules of its column. */
export function checkValue(rules: ValueRules, value: Scalar): Parsed {
  return parseValue(rules, typeof value === 'number' ? String(value) : value);
}
