import { setLocaleSource } from '#shared/messages/format.ts';

/** Two letters of a language and two of a country. */
const LOCALE = /^[a-z]{2}-[A-Z]{2}$/;
const keyOf = (username: string) => `indexdesk.formats.${username}`;

/** Writes numbers and dates as the user has chosen in this browser. */
export function applyFormatsOf(username: string): void {
  applyFormats(readFormatsOf(username));
}

/** The BCP 47 tag that the user has chosen in this browser; null: that of the browser. */
export function readFormatsOf(username: string): string | null {
  try {
    return LOCALE.exec(localStorage.getItem(keyOf(username)) ?? '')?.[0] ?? null;
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

/** Chooses the forms of the user; pages that are opened afterwards have them. @param locale null: those of the browser */
export function chooseFormatsOf(username: string, locale: string | null): void {
  applyFormats(locale);
  try {
    if (locale === null) localStorage.removeItem(keyOf(username));
    else localStorage.setItem(keyOf(username), locale);
  } catch {
    // Then they hold until the page is left.
  }
}

function applyFormats(locale: string | null): void {
  setLocaleSource(() => locale ?? navigator.language);
}
