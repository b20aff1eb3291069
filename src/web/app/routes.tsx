import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { textsOf } from '#web/api/address-search.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import type { OwnSession } from '#web/api/session.queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { FrameLayout } from './pages/frame-layout.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { UnframedError } from './pages/unframed-error.tsx';
import { ownPath, readNext } from './sign-in-address.ts';

/** What loaders get from the router. */
interface RouterContext {
  readonly queryClient: QueryClient;
  readonly session: OwnSession;
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: FrameLayout,
  errorComponent: UnframedError,
  notFoundComponent: NotFoundPage,
});

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/start-page.tsx'), 'StartPage'),
});

const archiveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive',
  validateSearch: textsOf,
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(() => import('./pages/archive-page.tsx'), 'ArchivePage'),
});

const queueRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/queue/$queueId',
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(() => import('./pages/correction-page.tsx'), 'CorrectionPage'),
});

/** The documents in a window of their own. */
const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/document',
  loader: ({ context, params }) => loadArchive(context, params.archive),
  staticData: { isFullWindow: true },
  component: lazyRouteComponent(() => import('./pages/document-page.tsx'), 'DocumentPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables/$guid',
  validateSearch: textsOf,
  loader: async ({ context: { queryClient }, params: { guid } }) => {
    await queryClient.query({ ...tableQuery(guid), staleTime: 'static' });
  },
  component: lazyRouteComponent(() => import('./pages/table-page.tsx'), 'TablePage'),
});

/** Users who are signed in continue to the page after it. */
const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readNext,
  beforeLoad: ({ search: { next } }) => {
    throw redirect({ href: ownPath(next) });
  },
});

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  component: NotFoundPage,
});

export const routeTree = rootRoute.addChildren([
  startRoute,
  archiveRoute,
  queueRoute,
  documentRoute,
  tableRoute,
  signInRoute,
  unknownRoute,
]);

async function loadArchive(
  { queryClient, session }: RouterContext,
  archive: string,
): Promise<void> {
  await queryClient.query({ ...archiveQuery(session.username, archive), staleTime: 'static' });
}
