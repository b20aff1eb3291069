import { type Habits, habitsOf, readText } from '#shared/readings.ts';
import { MAX_SCALE, parseType, type ValueRules } from '#shared/values.ts';
import { valueText } from '../value-text.ts';
import { choiceMeant, choicesOf } from './choices.ts';
import { completeDate, completeDatetime, localOffset } from './date-completion.ts';

/** What of a field's definition decides how its texts are read; without a scale any places are numbers. */
export type TypedRules = Pick<ValueRules, 'type' | 'options'> & Partial<Pick<ValueRules, 'scale'>>;

/** A text as it stands in the form of its field. */
export interface TypedText {
  /** as it was typed where it cannot be read, or not in one way alone */
  readonly text: string;
  /** what the text can mean, as a sentence; undefined: one thing, or nothing */
  readonly ambiguous?: string;
}

/**
 * Reads a text that was typed into the editor of a field as people write there: options by their
 * beginning or a part of them, numbers and dates as the reader's locale has them, dates typed short.
 * What is in the form of the field already stays, to the character.
 */
export function readTyped(
  rules: TypedRules,
  typed: string,
  habits: Habits = habitsOf(navigator.language),
): TypedText {
  if (rules.options && rules.type !== 'boolean') {
    return { text: choiceMeant(choicesOf(rules.options), typed) ?? typed };
  }
  if (rules.type === 'text' || rules.type === 'boolean') return { text: typed };
  const scale = rules.scale === undefined ? MAX_SCALE : rules.scale;
  const own = { type: rules.type, scale };
  const short =
    rules.type === 'date'
      ? completeDate(typed)
      : rules.type === 'datetime'
        ? completeDatetime(typed)
        : typed;
  if (parseType(own, short).ok) return { text: short };
  const reading = readText({ ...UNBOUND, ...own }, typed, habits, localOffset);
  switch (reading.kind) {
    case 'value':
      return { text: valueText(reading.value, rules.scale === undefined ? undefined : own) ?? '' };
    case 'ambiguous': {
      const meanings = reading.readings.map(({ value }) => valueText(value, own));
      return { text: typed, ambiguous: `“${typed}” can mean ${meanings.join(' or ')}: write one.` };
    }
    case 'unreadable':
      return { text: typed };
    default:
      return reading satisfies never;
  }
}

const UNBOUND = {
  required: false,
  maxLength: null,
  options: null,
  min: null,
  max: null,
  pattern: null,
};
