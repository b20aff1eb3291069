import { hasCells, type Plan, type PlannedRow } from './paste-plan.ts';

/** The rows of a plan that are shown. */
export type ShownRows = 'all' | 'changed' | 'new' | 'invalid' | 'unchanged';

const IS_SHOWN: Readonly<Record<ShownRows, (row: PlannedRow) => boolean>> = {
  all: () => true,
  changed: (row) => row.target.is === 'record' && hasCells(row, 'value'),
  new: (row) => row.target.is !== 'record' && hasCells(row, 'value', 'unreadable'),
  invalid: (row) => row.missing.length > 0 || hasCells(row, 'unreadable', 'ambiguous'),
  unchanged: (row) => hasCells(row, 'unchanged'),
};

/** The rows of a plan with cells of a kind. */
export function rowsShown({ rows }: Plan, shown: ShownRows): readonly PlannedRow[] {
  return rows.filter(IS_SHOWN[shown]);
}
