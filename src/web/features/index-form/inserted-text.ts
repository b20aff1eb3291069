import { type Notation, readLenient, readText, UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import { isLocalized, isNumber, isText } from '#shared/values/registry.ts';
import { parseType, parseValue } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { localOffsets } from '#web/fields/local-offsets.ts';
import { localText, valueText } from '#web/fields/value-text.ts';

/** A possible meaning of a text, as editor content. */
export interface PossibleMeaning {
  readonly text: string | null;
  readonly value: Scalar;
  readonly notation: Notation;
}

/** The result of inserting a text from the document into a field. */
type InsertedText =
  /** `others`: its meaning in other notations than the user's */
  | {
      readonly kind: 'text';
      readonly text: string | null;
      readonly others: readonly PossibleMeaning[];
    }
  | { readonly kind: 'ask'; readonly meanings: readonly PossibleMeaning[] }
  /** no value of the field: inserted unchanged, for the user to correct */
  | { readonly kind: 'unreadable'; readonly text: string; readonly message: string };

/**
 * Parses a text that was selected in a document as the content of a field's editor. Line breaks and runs of spaces come
 * from the page, so a single-line field gets a single line.
 * @param oneLine whether the field's editor has one line
 */
export function parseInsertedText(
  field: IndexFieldDefinition,
  marked: string,
  notation: Notation,
  oneLine: boolean,
): InsertedText {
  const text =
    isText(field) && !oneLine
      ? marked.replaceAll(/\r\n?/g, '\n').trim()
      : isNumber(field)
        ? separateNumbers(marked)
        : marked.replaceAll(/\s+/g, ' ').trim();
  const meant = (value: Scalar, under: Notation): PossibleMeaning => ({
    text: fieldValueOf(field, value),
    value,
    notation: under,
  });
  const reading = readText(field, text, notation, localOffsets);
  if (reading.kind === 'unreadable') {
    const { message } = reading;
    if (!isLocalized(field)) return { kind: 'unreadable', text, message };
    // A value that violates a rule in the document's notation must not become valid in the form's notation.
    const known = readLenient(field, text, notation, localOffsets);
    const normalized = known.kind === 'value' ? fieldValueOf(field, known.value) : null;
    return { kind: 'unreadable', text: normalized ?? text, message };
  }
  if (reading.kind === 'ambiguous') {
    return { kind: 'ask', meanings: reading.readings.map((one) => meant(one.value, one.notation)) };
  }
  const open = readText(field, text, UNKNOWN_NOTATION, localOffsets);
  const others = open.kind === 'ambiguous' ? open.readings : [];
  return {
    kind: 'text',
    text: valueText(reading.value, field),
    others: others.flatMap((one) =>
      one.value === reading.value || !parseValue(field, valueText(one.value)).ok
        ? []
        : [meant(one.value, one.notation)],
    ),
  };
}

/**
 * A value as the form contains it: in the form of the interface, or in the user's format if it is not a value of the
 * type.
 */
function fieldValueOf(field: IndexFieldDefinition, value: Scalar): string | null {
  const text = valueText(value, field);
  return typeof value === 'number' && !parseType(field, text).ok
    ? localText({ type: 'decimal', scale: MAX_SCALE }, value)
    : text;
}

/** Numbers of two lines or columns stay separate; a single space may separate the groups of one number. */
function separateNumbers(marked: string): string {
  return marked
    .trim()
    .replaceAll(/(?<=[0-9])(?:\s{2,}|[\t\r\n])(?=[0-9])/g, '  ')
    .replaceAll(/\s+/g, (blanks) => (blanks === '  ' ? blanks : ' '));
}
