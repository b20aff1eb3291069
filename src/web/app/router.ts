import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '#web/api/address-search.ts';
import { answers } from '#web/api/answers.ts';
import { apiPaths } from '#web/api/paths.ts';
import { isPreloadedResponseValid } from '#web/api/preloaded-responses.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { PagePending } from './page-pending.tsx';
import { ErrorPage } from './pages/error-page.tsx';
import { routeTree } from './routes.tsx';

/** How long the previous page stays while the next one loads, in milliseconds. */
const PENDING_AFTER = 250;

/**
 * The router of one page load, with a query cache of its own.
 * @param history for tests, in memory; undefined: the browser's
 */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient: createQueryClient() },
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    // TanStack Query decides what is fresh.
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

/**
 * Loads the code of the page at the address while the session is still being read: in sequence they would take
 * three round trips. Does nothing where nobody is signed in, as the sign-in screen is shown then.
 */
export async function prefetchPage(router: AppRouter): Promise<void> {
  if (!(await isPreloadedResponseValid(apiPaths.sessions()))) return;
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  const chunks = routes.map((route) => router.loadRouteChunk(route));
  // What cannot be loaded is requested again, and its error shown, where it is needed.
  await Promise.allSettled([answers(), ...chunks]);
}
