import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import { answers } from '#web/api/answers.ts';
import { earlyAnswerIsGood } from '#web/api/early-answers.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import type { RawSearch } from '#web/api/list-view.ts';
import { apiPaths } from '#web/api/paths.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { ownPath, parseSearch, stringifySearch } from './addresses.ts';
import { PagePending } from './page-pending.tsx';
import { SignInPage } from './pages/sign-in-page.tsx';

interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found-page.tsx'), 'NotFoundPage'),
  errorComponent: lazyRouteComponent(() => import('./pages/error-page.tsx'), 'ErrorPage'),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search): { next?: string } =>
    typeof search['next'] === 'string' ? { next: search['next'] } : {},
  beforeLoad: async ({ context, search }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session) throw redirect({ href: ownPath(search.next), replace: true });
  },
  // With the first scripts: what it is made of is part of every page, and it is to come first of all.
  component: SignInPage,
});

/** Everything for signed-in users stands in the frame. */
const frameRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery);
    if (session) return { session };
    throw redirect({
      to: '/sign-in',
      search: location.href === '/' ? {} : { next: location.href },
      replace: true,
    });
  },
  component: lazyRouteComponent(() => import('./pages/frame-layout.tsx'), 'FrameLayout'),
});

const startRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/start-page.tsx'), 'StartPage'),
});

const archiveRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/archives/$archive',
  validateSearch: texts,
  // Not waited for: the page says itself that it is coming.
  loader: ({ context, params }) => {
    const { queryClient, session } = context;
    void queryClient.prefetchQuery(archiveQuery(session.username, params.archive));
  },
  component: lazyRouteComponent(() => import('./pages/archive-page.tsx'), 'ArchivePage'),
});

const queueRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/archives/$archive/queue/$queueId',
  component: lazyRouteComponent(() => import('./pages/correction-page.tsx'), 'CorrectionPage'),
});

/** In a window of its own, without the frame's bars. */
const documentRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/archives/$archive/document',
  component: lazyRouteComponent(() => import('./pages/document-page.tsx'), 'DocumentPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => frameRoute,
  path: '/tables/$guid',
  validateSearch: texts,
  // Not waited for: the page says itself that it is coming.
  loader: ({ context, params }) => {
    void context.queryClient.prefetchQuery(tableQuery(params.guid));
  },
  component: lazyRouteComponent(() => import('./pages/table-page.tsx'), 'TablePage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  frameRoute.addChildren([startRoute, archiveRoute, queueRoute, documentRoute, tableRoute]),
]);

/** The router of one page load, with a cache of its own; tests give a history in memory. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient: createQueryClient() },
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 250,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: lazyRouteComponent(() => import('./pages/error-page.tsx'), 'ErrorPage'),
    scrollRestoration: false,
    ...(history ? { history } : {}),
  });
}

/**
 * Loads the parts of the page that the address names while the session is still being read: one after the other
 * they would be three round trips. Nothing where nobody is signed in, as the sign-in screen is shown then.
 */
export async function loadAhead(router: AppRouter): Promise<void> {
  if (!(await earlyAnswerIsGood(apiPaths.sessions()))) return;
  const routes: Readonly<Record<string, AnyRoute>> = router.routesById;
  const parts = router.matchRoutes(router.latestLocation).map(({ routeId }) => {
    const route = routes[routeId];
    return route && router.loadRouteChunk(route);
  });
  // What cannot be loaded is asked for again, and told, where it is needed.
  await Promise.allSettled([answers(), ...parts]);
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface HistoryState {
    /** whoever comes here goes on in the form */
    readonly enters?: boolean;
  }
}

function texts(search: Record<string, unknown>): RawSearch {
  return Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
