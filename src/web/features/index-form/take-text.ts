import { isLocalized, isNumber, isText } from '#shared/values/registry.ts';
import {
  type Habits,
  type OffsetsAt,
  readMeaning,
  readText,
  UNKNOWN_HABITS,
} from '#shared/values/readings.ts';
import { MAX_SCALE, parseType, parseValue, type Scalar } from '#shared/values/values.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { localOffsets } from '#web/fields/local-offsets.ts';
import { localText, valueText } from '#web/fields/value-text.ts';

/** One way in which a text can be meant, as the editor would hold it. */
export interface Meant {
  readonly text: string | null;
  readonly value: Scalar;
  readonly habits: Habits;
}

/** What a text from the document becomes in a field. */
export type Taken =
  /** `others`: what it would be under other habits than the reader's */
  | { readonly kind: 'text'; readonly text: string | null; readonly others: readonly Meant[] }
  | { readonly kind: 'ask'; readonly meanings: readonly Meant[] }
  /** it is no value of the field: put in as it is, for the clerk to mend */
  | { readonly kind: 'unreadable'; readonly text: string; readonly message: string };

/**
 * Reads a text that was marked in a document as the content of a field's editor. Line breaks and runs of
 * blanks are those of the page, so a field of one line gets one line.
 * @param oneLine whether the field's editor has one line
 */
export function takeInto(
  field: IndexFieldDefinition,
  marked: string,
  habits: Habits,
  oneLine: boolean,
  offsetsAt: OffsetsAt = localOffsets,
): Taken {
  const text =
    isText(field) && !oneLine
      ? marked.replaceAll(/\r\n?/g, '\n').trim()
      : isNumber(field)
        ? keptApart(marked)
        : marked.replaceAll(/\s+/g, ' ').trim();
  const meant = (value: Scalar, under: Habits): Meant => ({
    text: fieldValueOf(field, value),
    value,
    habits: under,
  });
  const reading = readText(field, text, habits, offsetsAt);
  if (reading.kind === 'unreadable') {
    const { message } = reading;
    if (!isLocalized(field)) return { kind: 'unreadable', text, message };
    // What breaks a rule under the habits of the document must not keep it under those of the form.
    const known = readMeaning(field, text, habits, offsetsAt);
    const held = known.kind === 'value' ? fieldValueOf(field, known.value) : null;
    return { kind: 'unreadable', text: held ?? text, message };
  }
  if (reading.kind === 'ambiguous') {
    return { kind: 'ask', meanings: reading.readings.map((one) => meant(one.value, one.habits)) };
  }
  const open = readText(field, text, UNKNOWN_HABITS, offsetsAt);
  const others = open.kind === 'ambiguous' ? open.readings : [];
  return {
    kind: 'text',
    text: valueText(reading.value, field),
    others: others.flatMap((one) =>
      one.value === reading.value || !parseValue(field, valueText(one.value)).ok
        ? []
        : [meant(one.value, one.habits)],
    ),
  };
}

/** A value as the form holds it: in the form of the interface, or as the reader writes one that the type has not. */
function fieldValueOf(field: IndexFieldDefinition, value: Scalar): string | null {
  const text = valueText(value, field);
  return typeof value === 'number' && !parseType(field, text).ok
    ? localText({ type: 'decimal', scale: MAX_SCALE }, value)
    : text;
}

/** Numbers of two lines or columns stay two; one blank may stand between the groups of one. */
function keptApart(marked: string): string {
  return marked
    .trim()
    .replaceAll(/(?<=[0-9])(?:\s{2,}|[\t\r\n])(?=[0-9])/g, '  ')
    .replaceAll(/\s+/g, (blanks) => (blanks === '  ' ? blanks : ' '));
}
