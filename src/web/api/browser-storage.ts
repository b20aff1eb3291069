/** Where texts are stored: `local` is the browser, `session` the tab until it is closed. */
type Area = 'local' | 'session';

// Not at the top of the module: where storage is disabled, even naming it throws.
const storageOf = (area: Area) => (area === 'local' ? localStorage : sessionStorage);

/** The text stored under a key; null if there is none, or storage is disabled. */
export function readStoredText(key: string, area: Area = 'local'): string | null {
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null;
  }
}

/** The JSON stored under a key; null if there is none, it is invalid, or storage is disabled. */
export function readStoredJson(key: string, area: Area = 'local'): unknown {
  try {
    return JSON.parse(readStoredText(key, area) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a text under a key; null removes it. Where storage is full or disabled, nothing is stored. */
export function storeText(key: string, text: string | null, area: Area = 'local'): void {
  try {
    if (text === null) storageOf(area).removeItem(key);
    else storageOf(area).setItem(key, text);
  } catch {
    // The setting then lasts as long as the page.
  }
}
