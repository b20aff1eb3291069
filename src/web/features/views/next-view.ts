import { useQueries, useQuery } from '@tanstack/react-query';
import type { View } from '#shared/contract/workspace-answers.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { filterKey, readView } from './view-text.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { viewCountQuery } from './view-state.queries.ts';

/** The saved view to continue with, and its number of matches. */
interface NextView {
  readonly view: View;
  readonly count: number;
}

/**
 * The next saved view with matches, in name order, wrapping around.
 * @param after the finished view; undefined: none
 * @returns null if there are others without matches; undefined: unknown, or there are no others
 */
export function useNextView(
  collection: CollectionRef,
  after: View | undefined,
): NextView | null | undefined {
  const { data: views = [] } = useQuery(viewsQuery(collection));
  const others = othersInTurn(views, after);
  const counts = useQueries({
    queries: others.map(({ search }) => viewCountQuery(collection, readView(search))),
  });
  for (const [at, view] of others.entries()) {
    const counted = counts[at];
    if (!counted || counted.isPending) return undefined;
    if (counted.data) return { view, count: counted.data };
  }
  return others.length === 0 ? undefined : null;
}

/** The views with other filters than this one, starting after it. */
function othersInTurn(views: readonly View[], after: View | undefined): readonly View[] {
  const at = views.findIndex(({ viewId }) => viewId === after?.viewId);
  const rows = after && filterKey(readView(after.search));
  return [...views.slice(at + 1), ...views.slice(0, at + 1)].filter(({ search }) => {
    const its = filterKey(readView(search));
    return its !== '' && its !== rows;
  });
}
