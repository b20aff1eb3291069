import type { Column } from '#shared/rules/definitions.ts';
import { nameKey } from '#shared/rules/names.ts';
import { isText } from '#shared/values/registry.ts';
import { type Cells, valueShown } from '../edit-store/edits.ts';
import type { ListFilter } from '#web/api/list-view.ts';
import type { TableRow } from './use-rows.ts';

/**
 * Whether a record will move when the list is sorted or reloaded: its edits, or newer answers, affect the sorting, the
 * filter or the search.
 */
export function willMove(
  row: TableRow,
  cells: Cells,
  { where = [], q = '', sort = [] }: ListFilter,
  columns: readonly Column[],
): boolean {
  const { stored, orderedBy } = row;
  if (!stored || !orderedBy || (cells.size === 0 && stored.etag === orderedBy.etag)) return false;
  const keys = new Set(
    [...where.map(({ field }) => field), ...sort.map((key) => key.replace(/^-/, ''))].map(nameKey),
  );
  const own = new Set(columns.map(({ name }) => nameKey(name)));
  // Every change of a value changes who changed it last, and when; a column with the same name hides these.
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
