import { OUTCOME, type Plan } from './paste-plan.ts';

/** The rows of a plan that are shown. */
export type ShownRows = 'all' | 'changed' | 'new' | 'invalid' | 'unchanged';

/** The rows of a plan with cells of a kind, by their positions in the clipboard. */
export function rowsShown(plan: Plan, shown: ShownRows): readonly number[] {
  const { targets, columns, outcomes, missing } = plan;
  const width = columns.length;
  const found: number[] = [];
  for (const [row, target] of targets.entries()) {
    const has = (...wanted: readonly number[]) => {
      for (let at = row * width; at < (row + 1) * width; at++) {
        if (wanted.includes(outcomes[at] ?? OUTCOME.untouched)) return true;
      }
      return false;
    };
    const isIt =
      shown === 'all' ||
      (shown === 'invalid' && (has(OUTCOME.invalid, OUTCOME.ambiguous) || missing.has(row))) ||
      (shown === 'changed' && target.is === 'record' && has(OUTCOME.changed)) ||
      (shown === 'new' && target.is !== 'record' && has(OUTCOME.changed, OUTCOME.invalid)) ||
      (shown === 'unchanged' && has(OUTCOME.unchanged));
    if (isIt) found.push(row);
  }
  return found;
}
