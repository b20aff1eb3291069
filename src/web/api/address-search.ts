import type { RawSearch } from './list-view.ts';

/** Reads the search of an address (`?q=0012`). Values stay texts: no value is parsed as a number or as JSON. */
export function parseSearch(search: string): RawSearch {
  return Object.fromEntries(new URLSearchParams(search));
}

/** Writes the search of an address, with its `?`. Brackets, commas and slashes, which it may hold, stay readable. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const written = new URLSearchParams(textsOf(search))
    .toString()
    .replaceAll('%5B', '[')
    .replaceAll('%5D', ']')
    .replaceAll('%2C', ',')
    .replaceAll('%2F', '/');
  return written === '' ? '' : `?${written}`;
}

/** The parameters that are texts, which is what `parseSearch` reads. */
export function textsOf(search: Readonly<Record<string, unknown>>): RawSearch {
  const texts: RawSearch = {};
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') texts[name] = value;
  }
  return texts;
}
