import { setLocaleSource } from '#shared/messages/format.ts';

/** Two letters of a language and two of a country. */
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/;
const keyOf = (username: string) => `indexdesk.formats.${username}`;

/** Applies the number and date formats that the user has chosen in this browser. */
export function applyFormatsOf(username: string): void {
  applyFormats(readFormatsOf(username));
}

/** The BCP 47 tag that the user has chosen in this browser; null: that of the browser. */
export function readFormatsOf(username: string): string | null {
  try {
    return LOCALE.exec(localStorage.getItem(keyOf(username)) ?? '')?.[0] ?? null;
  } catch {
    // Storage may be disabled.
    return null;
  }
}

/** Stores the user's formats, for pages that are opened afterwards. @param locale null: those of the browser */
export function chooseFormatsOf(username: string, locale: string | null): void {
  applyFormats(locale);
  try {
    if (locale === null) localStorage.removeItem(keyOf(username));
    else localStorage.setItem(keyOf(username), locale);
  } catch {
    // The choice then lasts until the page is closed.
  }
}

function applyFormats(locale: string | null): void {
  setLocaleSource(() => locale ?? navigator.language);
}
