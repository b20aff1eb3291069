import type { Rect } from '#web/grid/rects.ts';
import type { TableRows } from '../rows/use-rows.ts';
import type { Target } from './paste-plan.ts';

/**
 * The targets of the clipboard rows that are pasted into a block.
 * @throws {CallError} if rows cannot be loaded
 */
export async function readTargets(
  rows: TableRows,
  { top, bottom }: Rect,
): Promise<readonly Target[]> {
  const read = await rows.readBetween(top, bottom);
  const emptyRow = (rows.count ?? 0) - 1;
  return read.map((row, i): Target => {
    if (row?.kind === 'record' && row.stored) {
      return { is: 'record', key: row.key, stored: row.stored };
    }
    if (row?.kind === 'new') return { is: 'unsaved', key: row.key };
    return { is: top + i >= emptyRow ? 'new' : 'deleted' };
  });
}
