import { type Habits, type OffsetAt, readText, UNKNOWN_HABITS } from '#shared/readings.ts';
import type { Scalar } from '#shared/values.ts';
import { localOffset } from '#web/ui/fields/date-completion.ts';
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
  offsetAt: OffsetAt = localOffset,
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
  const reading = readText(field, text, habits, offsetAt);
  if (reading.kind === 'unreadable') return { kind: 'unreadable', text, message: reading.message };
  const open = readText(field, text, UNKNOWN_HABITS, offsetAt);
  const meanings =
    open.kind === 'ambiguous' ? open.readings.map((one) => meant(one.value, one.habits)) : [];
  const undecided = !meanings.some((one) => agrees(one.habits, habits));
  if (reading.kind === 'ambiguous' || (meanings.length > 0 && undecided)) {
    return { kind: 'ask', meanings };
  }
  const others = meanings.filter(({ value }) => value !== reading.value);
  return { kind: 'text', text: valueText(reading.value, field), others };
}

/** Whether a text was read as the reader would write it: some read `03/04/2024` who write neither month nor day first. */
function agrees(read: Habits, reader: Habits): boolean {
  return read.order === null ? read.decimal === reader.decimal : read.order === reader.order;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A value in words that no reader takes for another one: `12 March 2024`, `1,234.50`. */
export function inWords(field: IndexFieldDefinition, value: Scalar): string {
  if (value === null) return 'no value';
  if (typeof value === 'number') return value.toLocaleString('en', { maximumFractionDigits: 14 });
  const day = /^\d{4}-\d{2}-\d{2}/.exec(String(value));
  if ((field.type !== 'date' && field.type !== 'datetime') || !day) return String(value);
  return DAY.format(new Date(`${day[0]}T00:00:00Z`)) + String(value).slice(10).replace('T', ', ');
}
