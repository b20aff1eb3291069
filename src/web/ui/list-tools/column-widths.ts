import type { ListField } from './list-field.ts';

export type Widths = Readonly<Record<string, number>>;

const keyOf = (list: string) => `indexdesk-columns-${list}`;

/** Pixels of a column nobody has resized: by type, and wide enough for its heading. */
export function startWidth(field: Pick<ListField, 'label' | 'type' | 'maxLength'>): number {
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

/**
 * The widths somebody gave to the columns of a list in this browser.
 * @param list the archive's table name or the table's GUID
 */
export function rememberedWidths(list: string): Widths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(list)) ?? '{}');
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

/** Keeps the widths for the next time. */
export function rememberWidths(list: string, widths: Widths): void {
  try {
    localStorage.setItem(keyOf(list), JSON.stringify(widths));
  } catch {
    // Not remembered, then.
  }
}
