import { useQueries, useQuery } from '@tanstack/react-query';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { ListPlace } from '#web/api/paths.ts';
import { narrowing, readView } from './view-text.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { viewCountQuery } from './view-state.queries.ts';

/** The saved view to go on with, and how many rows it matches now. */
export interface NextView {
  readonly view: View;
  readonly count: number;
}

/**
 * The next saved view that still matches something, in the order of their names around to the first.
 * @param after the view that is done; undefined: none
 * @returns null where there are others and none matches anything; undefined: not known yet, or there are no others
 */
export function useNextView(
  place: ListPlace,
  after: View | undefined,
): NextView | null | undefined {
  const { data: views = [] } = useQuery(viewsQuery(place));
  const others = othersInTurn(views, after);
  const counts = useQueries({
    queries: others.map(({ search }) => viewCountQuery(place, readView(search))),
  });
  for (const [at, view] of others.entries()) {
    const counted = counts[at];
    if (!counted || counted.isPending) return undefined;
    if (counted.data) return { view, count: counted.data };
  }
  return others.length === 0 ? undefined : null;
}

/** The views that narrow the list otherwise than this one does, beginning behind it. */
function othersInTurn(views: readonly View[], after: View | undefined): readonly View[] {
  const at = views.findIndex(({ viewId }) => viewId === after?.viewId);
  const rows = after && narrowing(readView(after.search));
  return [...views.slice(at + 1), ...views.slice(0, at + 1)].filter(({ search }) => {
    const its = narrowing(readView(search));
    return its !== '' && its !== rows;
  });
}
