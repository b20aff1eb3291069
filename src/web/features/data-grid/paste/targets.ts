import type { TableRow } from '../rows/use-rows.ts';
import type { Target } from './paste-plan.ts';

const DELETED: Target = { is: 'deleted' };

/**
 * The target of a clipboard row.
 * @param row the row of the grid; null: the list has none there
 * @param isPastEnd whether a clipboard row creates a record there
 */
export function targetOf(row: TableRow | null, isPastEnd: boolean): Target {
  if (row?.kind === 'record' && row.stored) {
    return { is: 'record', key: row.key, stored: row.stored };
  }
  if (row?.kind === 'new') return { is: 'unsaved', key: row.key };
  return isPastEnd ? { is: 'new' } : DELETED;
}
