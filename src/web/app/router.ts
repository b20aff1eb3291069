import type { QueryClient } from '@tanstack/react-query';
import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '#web/api/address-search.ts';
import type { OwnSession } from '#web/api/session.queries.ts';
import { PagePending } from './page-pending.tsx';
import { ErrorPage } from './pages/error-page.tsx';
import { routeTree } from './routes.tsx';

/** How long the previous page stays while the next one loads, in milliseconds. */
const PENDING_AFTER = 250;

/**
 * The router of one page load, for a signed-in user.
 * @param session stays the same until the user leaves
 * @param history for tests, in memory; undefined: the browser's
 */
export function createAppRouter(
  queryClient: QueryClient,
  session: OwnSession,
  history?: RouterHistory,
) {
  return createRouter({
    routeTree,
    context: { queryClient, session },
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // TanStack Query decides which data is fresh.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: PENDING_AFTER,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: ErrorPage,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface HistoryState {
    /** moves the focus into the form of the revision that is opened */
    readonly focusForm?: boolean;
  }
  interface StaticDataRouteOption {
    /** the page is shown without the side bar */
    readonly isFullWindow?: boolean;
  }
}
