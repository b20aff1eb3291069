import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router';
import type { RawSearch } from '#web/api/list-view.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { sessionQuery } from '#web/api/session.queries.ts';
import { ownPath, parseSearch, stringifySearch } from './addresses.ts';
import { PagePending } from './page-pending.tsx';

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
  component: lazyRouteComponent(() => import('./pages/sign-in-page.tsx'), 'SignInPage'),
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

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

function texts(search: Record<string, unknown>): RawSearch {
  return Object.fromEntries(
    Object.entries(search).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
