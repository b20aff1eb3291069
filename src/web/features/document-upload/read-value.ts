import * as texts from '#messages/document-upload.ts';
import { readText } from '#shared/values/readings.ts';
import type { Notation } from '#shared/values/value-type.ts';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';
import { localizedMessage } from '#web/fields/typed-text.ts';
import type { IndexValue } from './uploader.ts';

/**
 * The value of a field in a text that came with a file, or why it cannot be parsed.
 * @param locale that of the notation
 */
export function readValue(
  field: IndexFieldDefinition,
  text: string,
  notation: Notation,
  locale: string,
): IndexValue | { readonly problem: string } {
  const reading = readText(field, text, notation);
  if (reading.kind === 'ambiguous') {
    return { problem: texts.unclear({ field: field.label, text }) };
  }
  if (reading.kind === 'unreadable') {
    const { message } = localizedMessage(field, reading, locale);
    return { problem: texts.fieldProblem({ field: field.label, text, problem: message }) };
  }
  return { name: field.name, value: reading.value };
}
