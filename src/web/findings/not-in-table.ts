import * as texts from '#messages/index-form.ts';

const LONGEST = 40;

/** That a table does not have a value. @param table what it is called */
export function notInTable(text: string, table: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  return texts.notInTable({ text: short, table });
}
