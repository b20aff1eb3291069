import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
  rootRouteId,
} from '@tanstack/react-router';
import { textsOf } from '#web/api/address-search.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { type OwnSession, sessionQuery } from '#web/api/session.queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { ownPath } from './own-path.ts';
import { UnframedError, UnframedNotFound, UnframedPending } from './pages/unframed.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
// With the first scripts: a visitor who is not signed in needs nothing else.
import { SignInPage } from './pages/sign-in-page.tsx';

/** What loaders and guards get from the router. */
interface RouterContext {
  readonly queryClient: QueryClient;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context: { queryClient } }) => ({
    session: await queryClient.query({ ...sessionQuery, staleTime: 'static' }),
  }),
  pendingComponent: UnframedPending,
  errorComponent: UnframedError,
  notFoundComponent: UnframedNotFound,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { readonly next?: string } =>
    typeof next === 'string' ? { next } : {},
  beforeLoad: ({ context: { session }, search }) => {
    if (session) throw redirect({ href: ownPath(search.next) });
  },
  component: SignInPage,
});

/** Everything for signed-in users. Visitors who are not signed in are asked to sign in first. */
const framedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'framed',
  beforeLoad: ({ context: { session }, location: { href }, matches }) => {
    if (session) return { session };
    if (matches.some(({ routeId }) => routeId === '/framed/$')) {
      throw notFound({ routeId: rootRouteId });
    }
    throw redirect({ to: '/sign-in', search: href === '/' ? {} : { next: href } });
  },
  pendingComponent: UnframedPending,
  errorComponent: UnframedError,
  component: lazyRouteComponent(() => import('./pages/frame-layout.tsx'), 'FrameLayout'),
});

const startRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/start-page.tsx'), 'StartPage'),
});

const archiveRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/archives/$archive',
  validateSearch: textsOf,
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(() => import('./pages/archive-page.tsx'), 'ArchivePage'),
});

const queueRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/archives/$archive/queue/$queueId',
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(() => import('./pages/correction-page.tsx'), 'CorrectionPage'),
});

/** The documents in a window of their own. */
const documentRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/archives/$archive/document',
  loader: ({ context, params }) => loadArchive(context, params.archive),
  staticData: { isFullWindow: true },
  component: lazyRouteComponent(() => import('./pages/document-page.tsx'), 'DocumentPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '/tables/$guid',
  validateSearch: textsOf,
  loader: async ({ context: { queryClient }, params: { guid } }) => {
    await queryClient.query({ ...tableQuery(guid), staleTime: 'static' });
  },
  component: lazyRouteComponent(() => import('./pages/table-page.tsx'), 'TablePage'),
});

const unknownRoute = createRoute({
  getParentRoute: () => framedRoute,
  path: '$',
  component: NotFoundPage,
});

export const routeTree = rootRoute.addChildren([
  signInRoute,
  framedRoute.addChildren([
    startRoute,
    archiveRoute,
    queueRoute,
    documentRoute,
    tableRoute,
    unknownRoute,
  ]),
]);

interface SignedInContext extends RouterContext {
  readonly session: OwnSession;
}

async function loadArchive(
  { queryClient, session }: SignedInContext,
  archive: string,
): Promise<void> {
  await queryClient.query({ ...archiveQuery(session.username, archive), staleTime: 'static' });
}
