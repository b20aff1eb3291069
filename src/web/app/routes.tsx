import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { textsOf } from '#web/api/address-search.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';
import { administrationRoutes } from './administration-routes.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { type RouterContext, rootRoute } from './root-route.tsx';
import { ownPath, readNext } from './sign-in-address.ts';

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

/** The documents in a separate window. */
const documentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/document',
  loader: ({ context, params }) => loadArchive(context, params.archive),
  staticData: { isFullWindow: true },
  component: lazyRouteComponent(() => import('./pages/document-page.tsx'), 'DocumentPage'),
});

/** One field of the records of a list, next to clippings of their documents. */
const fieldReviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/fields/$field',
  validateSearch: textsOf,
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(() => import('./pages/field-review-page.tsx'), 'FieldReviewPage'),
});

/** Duplicates side by side; `record`: only those of one record, `group`: the group that is shown. */
const duplicatesSearch = ({ record, group }: Readonly<Record<string, unknown>>) => ({
  ...(typeof record === 'string' && { record }),
  ...(typeof group === 'string' && { group }),
});

const archiveDuplicatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/duplicates/$check',
  validateSearch: duplicatesSearch,
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(
    () => import('./pages/duplicates-page.tsx'),
    'ArchiveDuplicatesPage',
  ),
});

const tableDuplicatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables/$guid/duplicates/$check',
  validateSearch: duplicatesSearch,
  loader: ({ context, params }) => loadTable(context, params.guid),
  component: lazyRouteComponent(() => import('./pages/duplicates-page.tsx'), 'TableDuplicatesPage'),
});

/** Findings over time; `days`: the number of days. */
const figuresSearch = ({ days }: Readonly<Record<string, unknown>>) => ({
  // The address may contain it as a number.
  ...((typeof days === 'string' || typeof days === 'number') && { days: String(days) }),
});

const archiveFiguresRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/figures',
  validateSearch: figuresSearch,
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(() => import('./pages/figures-page.tsx'), 'ArchiveFiguresPage'),
});

const tableFiguresRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables/$guid/figures',
  validateSearch: figuresSearch,
  loader: ({ context, params }) => loadTable(context, params.guid),
  component: lazyRouteComponent(() => import('./pages/figures-page.tsx'), 'TableFiguresPage'),
});

/** The values of one field; the search contains the filter of the list. */
const archiveValuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/archives/$archive/values/$field',
  validateSearch: textsOf,
  loader: ({ context, params }) => loadArchive(context, params.archive),
  component: lazyRouteComponent(
    () => import('./pages/value-cleanup-page.tsx'),
    'ArchiveValuesPage',
  ),
});

const tableValuesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables/$guid/values/$field',
  validateSearch: textsOf,
  loader: ({ context, params }) => loadTable(context, params.guid),
  component: lazyRouteComponent(() => import('./pages/value-cleanup-page.tsx'), 'TableValuesPage'),
});

const tableRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tables/$guid',
  validateSearch: textsOf,
  loader: ({ context, params }) => loadTable(context, params.guid),
  component: lazyRouteComponent(() => import('./pages/table-page.tsx'), 'TablePage'),
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/account-page.tsx'), 'AccountPage'),
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
  fieldReviewRoute,
  archiveDuplicatesRoute,
  tableDuplicatesRoute,
  archiveFiguresRoute,
  tableFiguresRoute,
  archiveValuesRoute,
  tableValuesRoute,
  tableRoute,
  accountRoute,
  signInRoute,
  administrationRoutes,
  unknownRoute,
]);

async function loadArchive(
  { queryClient, session }: RouterContext,
  archive: string,
): Promise<void> {
  await queryClient.query({ ...archiveQuery(session.username, archive), staleTime: 'static' });
}

async function loadTable({ queryClient }: RouterContext, guid: string): Promise<void> {
  await queryClient.query({ ...tableQuery(guid), staleTime: 'static' });
}
