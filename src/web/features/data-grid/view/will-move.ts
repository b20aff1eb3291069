import type { Column } from '#shared/definitions.ts';
import { type Cells, valueShown } from '../edits.ts';
import type { Listed } from '../datasets.queries.ts';
import type { Row } from '../use-rows.ts';

/**
 * Whether a record stands where it is only until the list is sorted or read anew: what was typed in it, or
 * answered about it, touches what the list is sorted, filtered or searched by.
 */
export function willMove(
  row: Row,
  cells: Cells,
  { where = [], q = '', sort = [] }: Listed,
  columns: readonly Column[],
): boolean {
  const { stored, orderedBy } = row;
  if (!stored || !orderedBy || (cells.size === 0 && stored.dataset === orderedBy)) return false;
  const keys = new Set([
    ...where.map(({ field }) => field),
    ...sort.map((key) => key.replace(/^-/, '')),
  ]);
  return columns.some(({ name, type }) => {
    if (!keys.has(name) && !(q !== '' && type === 'text')) return false;
    return valueShown(cells.get(name), stored.dataset[name] ?? null) !== (orderedBy[name] ?? null);
  });
}
