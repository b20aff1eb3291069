import { isInstant, isText, valueType } from '#shared/values/registry.ts';
import { useMemo, useSyncExternalStore } from 'react';
import type { ListField } from '../list-tools/list-field.ts';

export type Widths = Readonly<Record<string, number>>;

const keyOf = (list: string) => `indexdesk-columns-${list}`;

/** Pixels of a column nobody has resized: by type, and wide enough for its heading. */
export function startWidth(
  field: Pick<ListField, 'label' | 'type' | 'maxLength'> & Partial<Pick<ListField, 'kind'>>,
): number {
  const heading = field.label.length * 7.2 + 52;
  return Math.round(Math.min(Math.max(heading, valueWidth(field)), 260));
}

function valueWidth({ type, maxLength, kind }: Parameters<typeof startWidth>[0]): number {
  const { columnWidth } = valueType(type);
  // Moments of the service are shown without an offset.
  if (isInstant({ type }) && kind === 'meta') return 140;
  if (!isText({ type })) return columnWidth;
  return (maxLength ?? 1000) <= 40 ? 120 : (maxLength ?? 1000) <= 120 ? 170 : columnWidth;
}

/** What shows widths is told of every change of them in this page. */
const shown = new Set<() => void>();
function subscribe(listener: () => void): () => void {
  if (shown.size === 0) addEventListener('storage', forgetRead);
  shown.add(listener);
  return () => {
    shown.delete(listener);
    if (shown.size > 0) return;
    removeEventListener('storage', forgetRead);
    read.clear();
  };
}

/**
 * The widths somebody gave to the columns of a list in this browser; what shows them follows every change.
 * @param list the archive's table name or the table's GUID
 */
export function useWidths(list: string): Widths {
  const stored = useSyncExternalStore(subscribe, () => storedWidths(list));
  return useMemo(() => parsed(stored), [stored]);
}

/** What the storage holds, for as long as something shows it: reading it for each drawing takes time. */
const read = new Map<string, string>();

/** Another window has changed what the storage holds. */
function forgetRead(): void {
  read.clear();
  for (const listener of shown) listener();
}

function storedWidths(list: string): string {
  const known = read.get(list);
  if (known !== undefined) return known;
  const text = readStored(list);
  if (shown.size > 0) read.set(list, text);
  return text;
}

function readStored(list: string): string {
  try {
    return localStorage.getItem(keyOf(list)) ?? '';
  } catch {
    // Storage may be forbidden in a browser; columns then start at their own widths.
    return kept.get(list) ?? '';
  }
}

function parsed(text: string): Widths {
  try {
    const stored: unknown = JSON.parse(text || '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
      ),
    );
  } catch {
    return {};
  }
}

/** Widths as one text, for an address; the same for equal ones. */
export function writeWidths(widths: Widths): string {
  return Object.entries(widths)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, width]) => `${encodeURIComponent(name)}:${Math.round(width)}`)
    .join(',');
}

/** Reads what `writeWidths` has written; what it does not know it leaves out. */
export function readWidths(text: string): Widths {
  const widths = text.split(',').flatMap((one) => {
    const [, name = '', width = ''] = /^([\w.]+):(\d{1,4})$/.exec(one) ?? [];
    const pixels = Number(width);
    return pixels > 0 ? [[name, pixels] as const] : [];
  });
  return Object.fromEntries(widths);
}

/** Where storage is forbidden, widths last as long as the page. */
const kept = new Map<string, string>();

/** Keeps the widths for the next time. */
export function rememberWidths(list: string, widths: Widths): void {
  const text = JSON.stringify(widths);
  try {
    localStorage.setItem(keyOf(list), text);
  } catch {
    kept.set(list, text);
  }
  read.delete(list);
  for (const listener of shown) listener();
}
