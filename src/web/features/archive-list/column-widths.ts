import type { ListField } from './list-columns.ts';

export type Widths = Readonly<Record<string, number>>;

const keyOf = (archive: string) => `indexdesk-columns-${archive}`;

/** Pixels of a column nobody has resized: by type, and wide enough for its heading. */
export function startWidth(field: ListField): number {
  const heading = field.label.length * 7.2 + 52;
  const value = {
    text: (field.maxLength ?? 1000) <= 40 ? 120 : (field.maxLength ?? 1000) <= 120 ? 170 : 220,
    integer: 84,
    decimal: 92,
    boolean: 64,
    date: 98,
    datetime: 150,
  }[field.type];
  return Math.round(Math.min(Math.max(heading, value), 260));
}

/** The widths somebody gave to the columns of an archive in this browser. */
export function rememberedWidths(archive: string): Widths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(archive)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
      ),
    );
  } catch {
    // Storage may be forbidden in a browser; columns then start at their own widths.
    return {};
  }
}

export function rememberWidths(archive: string, widths: Widths): void {
  try {
    localStorage.setItem(keyOf(archive), JSON.stringify(widths));
  } catch {
    // Not remembered, then.
  }
}
