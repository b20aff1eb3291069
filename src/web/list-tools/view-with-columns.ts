import type { ListView } from '#web/api/list-view.ts';

/**
 * The view with other columns, or in another order. A pinned column that is hidden is no longer pinned, and one that is
 * inserted among pinned columns is pinned too: no other column becomes pinned or starts to scroll.
 * @param before the names of the columns that the view shows
 */
export function viewWithColumns(
  { frozen: pinned = 0, ...view }: ListView,
  before: readonly string[],
  after: readonly string[],
): ListView {
  let frozen = before.slice(0, pinned).filter((name) => after.includes(name)).length;
  for (const [index, name] of after.entries()) {
    if (index < frozen && !before.includes(name)) frozen++;
  }
  return { ...view, ...(frozen > 0 ? { frozen } : {}), columns: after };
}
