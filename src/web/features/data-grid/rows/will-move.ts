import type { Column } from '#shared/rules/definitions.ts';
import { nameKey } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import { type Cells, valueShown } from '../edit-store/edits.ts';
import type { Listed } from './datasets.queries.ts';
import type { Row } from './use-rows.ts';

/**
 * Whether a record keeps its place only until the list is sorted or read again: what was typed in it, or
 * answered about it, touches what the list is sorted, filtered or searched by.
 */
export function willMove(
  row: Row,
  cells: Cells,
  { where = [], q = '', sort = [] }: Listed,
  columns: readonly Column[],
): boolean {
  const { stored, orderedBy } = row;
  if (!stored || !orderedBy || (cells.size === 0 && stored.etag === orderedBy.etag)) return false;
  const keys = new Set(
    [...where.map(({ field }) => field), ...sort.map((key) => key.replace(/^-/, ''))].map(nameKey),
  );
  const own = new Set(columns.map(({ name }) => nameKey(name)));
  // Who changed it last, and when, changes with any value; a column hides them that has their name.
  const waits = [...cells.values()].some(({ status }) => status.is === 'waiting');
  const changed = waits || stored.etag !== orderedBy.etag;
  if (changed && CHANGES.some((name) => keys.has(name) && !own.has(name))) return true;
  return columns.some((column) => {
    const { name } = column;
    if (!keys.has(nameKey(name)) && !(q !== '' && isText(column))) return false;
    const now = valueShown(cells.get(name), stored.dataset[name] ?? null);
    return now !== (orderedBy.dataset[name] ?? null);
  });
}

const CHANGES = ['changedAt', 'changedBy'].map(nameKey);
