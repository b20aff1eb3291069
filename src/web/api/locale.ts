/** The language tag by whose customs numbers and dates are shown and read: the browser's. */
export function userLocale(): string {
  return navigator.language;
}

// A format takes longer to make than a row of the grid to draw.
const formats = new Map<string, Intl.NumberFormat>();

/** A number as the reader writes it, with as many places as it has, `most` at most: `1,234.5`, `1.234,5`. */
export function formatNumber(value: number, most: number): string {
  const locale = userLocale();
  const name = `${locale} ${most}`;
  const format =
    formats.get(name) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: most });
  formats.set(name, format);
  return format.format(value);
}

/** A count as the reader writes it: `1,200`, `1.200`. */
export function formatCount(count: number): string {
  return formatNumber(count, 0);
}
