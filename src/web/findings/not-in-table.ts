import * as texts from '#messages/index-form.ts';

const MAX_SHOWN_LENGTH = 40;

/** The message that a table does not contain a value. @param table its label */
export function notInTable(text: string, table: string): string {
  const short = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text;
  return texts.notInTable({ text: short, table });
}
