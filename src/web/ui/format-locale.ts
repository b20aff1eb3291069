import { setLocaleSource } from '#shared/messages/format.ts';
import { readStoredText, storeText } from '#web/api/browser-storage.ts';

/** Two letters of a language and two of a country. */
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/;
const keyOf = (username: string) => `indexdesk.formats.${username}`;

/** Applies the number and date formats that the user has chosen in this browser. */
export function applyFormatsOf(username: string): void {
  applyFormats(readFormatsOf(username));
}

/** The BCP 47 tag that the user has chosen in this browser; null: that of the browser. */
export function readFormatsOf(username: string): string | null {
  return LOCALE.exec(readStoredText(keyOf(username)) ?? '')?.[0] ?? null;
}

/** Stores the user's formats, for pages that are opened afterwards. @param locale null: those of the browser */
export function chooseFormatsOf(username: string, locale: string | null): void {
  applyFormats(locale);
  storeText(keyOf(username), locale);
}

function applyFormats(locale: string | null): void {
  setLocaleSource(() => locale ?? navigator.language);
}
