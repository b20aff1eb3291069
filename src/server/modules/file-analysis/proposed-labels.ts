const MAX_LABEL = 200;

/** The label of a field for the header of its column. */
export function labelFor(header: string, fallback: string): string {
  const label = header.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LABEL).toWellFormed();
  return label === '' ? fallback : label;
}

/** The title of an archive or table for the name of a file: `open_contracts-2026.csv` becomes `Open contracts 2026`. */
export function titleFor(fileName: string): string {
  const words = fileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .replaceAll(/[_\-.\s]+/g, ' ')
    .trim();
  return labelFor(words.slice(0, 1).toUpperCase() + words.slice(1), '');
}
