import { readStoredJson, storeText } from '#web/api/browser-storage.ts';
import type { DateOrder } from '#shared/values/value-type.ts';
import type { DecimalMark } from '#shared/values/value-type.ts';

/** The user's answers about the notation of numbers or dates, by column name. */
export type FormatAnswers = Readonly<Record<string, DecimalMark | DateOrder>>;

const keyFor = (username: string, guid: string) =>
  `indexdesk-paste-habits:${JSON.stringify([username, guid.toLowerCase()])}`;

const KNOWN: ReadonlySet<unknown> = new Set(['.', ',', 'dmy', 'mdy', 'ymd']);

/** The user's earlier answers when pasting into a table. */
export function readAnswers(username: string, guid: string): FormatAnswers {
  const read = readStoredJson(keyFor(username, guid));
  if (typeof read !== 'object' || read === null) return {};
  return Object.fromEntries(Object.entries(read).filter(([, answer]) => KNOWN.has(answer)));
}

export function storeAnswers(username: string, guid: string, answers: FormatAnswers): void {
  storeText(keyFor(username, guid), JSON.stringify(answers));
}
