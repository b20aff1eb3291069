/**
 * Numbers and dates in texts. A text is in the language of its catalogue; numbers and dates in it are written as the
 * user's locale writes them. The service, whose texts must not depend on the machine, writes them as English does.
 */
let readLocale = () => 'en';

/** Sets the source of the locale of numbers and dates. The web admin calls it before it renders. */
export function setLocaleSource(source: () => string): void {
  readLocale = source;
}

/** The BCP 47 tag of the locale in which numbers and dates are currently written. */
export function userLocale(): string {
  return readLocale();
}

// Constructing a format takes longer than rendering a row of the grid.
const numberFormats = new Map<string, Intl.NumberFormat>();

/** A number as the user writes it, with the decimal places it has, `maxPlaces` at most: `1,234.5`, `1.234,5`. */
export function formatNumber(value: number, maxPlaces: number, minPlaces = 0): string {
  const locale = readLocale();
  const key = `${locale} ${minPlaces} ${maxPlaces}`;
  const places = { minimumFractionDigits: minPlaces, maximumFractionDigits: maxPlaces };
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, places);
  numberFormats.set(key, format);
  return format.format(value);
}

/** A count as the user writes it: `1,200`, `1.200`. */
export function formatCount(count: number): string {
  return formatNumber(count, 0);
}
