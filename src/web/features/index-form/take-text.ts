import { type Habits, type OffsetsAt, readText, UNKNOWN_HABITS } from '#shared/readings.ts';
import type { Scalar } from '#shared/values.ts';
import { localOffsets } from '#web/ui/fields/local-offsets.ts';
import { valueText } from '#web/ui/value-text.ts';
import type { IndexFieldDefinition } from './form-values.ts';

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
    field.type === 'text' && !oneLine
      ? marked.replaceAll(/\r\n?/g, '\n').trim()
      : marked.replaceAll(/[\s\u00a0]+/g, ' ').trim();
  const meant = (value: Scalar, under: Habits): Meant => ({
    text: valueText(value, field),
    value,
    habits: under,
  });
  const reading = readText(field, text, habits, offsetsAt);
  if (reading.kind === 'unreadable') return { kind: 'unreadable', text, message: reading.message };
  if (reading.kind === 'ambiguous') {
    return { kind: 'ask', meanings: reading.readings.map((one) => meant(one.value, one.habits)) };
  }
  const open = readText(field, text, UNKNOWN_HABITS, offsetsAt);
  const others = open.kind === 'ambiguous' ? open.readings : [];
  return {
    kind: 'text',
    text: valueText(reading.value, field),
    others: others.flatMap((one) =>
      one.value === reading.value ? [] : [meant(one.value, one.habits)],
    ),
  };
}
