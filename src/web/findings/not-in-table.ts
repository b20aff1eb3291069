import * as texts from '#messages/index-form.ts';
import { truncate } from '#shared/values/truncate.ts';

const MAX_SHOWN_LENGTH = 40;

/** The message that a table does not contain a value. @param table its label */
export function notInTable(text: string, table: string): string {
  return texts.notInTable({ text: truncate(text, MAX_SHOWN_LENGTH), table });
}
