import {
  createRoute,
  lazyRouteComponent,
  notFound,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router';
import { textsOf } from '#web/api/address-search.ts';
import { rootRoute } from './root-route.tsx';

// A separate module, so that the first load of a clerk does not list the files of each page.
const pages = () => import('./pages/administration/administration-pages.ts');

/** The pages of administrators; for all other users they do not exist. */
const administrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administration',
  beforeLoad: ({ context: { session } }) => {
    if (session.role !== 'administrator') throw notFound();
  },
});

/** A page whose address has no search parameters. */
const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => administrationRoute, path, component });

const startRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/administration/definitions' });
  },
});

const usersRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/users',
  validateSearch: ({ user }): { user?: string } => (typeof user === 'string' ? { user } : {}),
  component: lazyRouteComponent(async () => (await pages()).users(), 'UsersPage'),
});

const groupsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/groups',
  validateSearch: ({ group }): { group?: string } => (typeof group === 'string' ? { group } : {}),
  component: lazyRouteComponent(async () => (await pages()).groups(), 'GroupsPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/audit',
  validateSearch: textsOf,
  component: lazyRouteComponent(async () => (await pages()).audit(), 'AuditPage'),
});

const definition = async () => (await pages()).definition();
const newDefinition = async () => (await pages()).newDefinition();

export const administrationRoutes = administrationRoute.addChildren([
  startRoute,
  page(
    '/definitions',
    lazyRouteComponent(async () => (await pages()).definitions(), 'DefinitionsPage'),
  ),
  page('/new-archive', lazyRouteComponent(newDefinition, 'NewArchivePage')),
  page('/new-table', lazyRouteComponent(newDefinition, 'NewTablePage')),
  page('/archives/$archive', lazyRouteComponent(definition, 'ArchiveDefinitionPage')),
  page('/tables/$guid', lazyRouteComponent(definition, 'TableDefinitionPage')),
  usersRoute,
  groupsRoute,
  page(
    '/rights',
    lazyRouteComponent(async () => (await pages()).rights(), 'RightsPage'),
  ),
  page(
    '/sessions',
    lazyRouteComponent(async () => (await pages()).sessions(), 'SessionsPage'),
  ),
  page(
    '/load',
    lazyRouteComponent(async () => (await pages()).load(), 'LoadPage'),
  ),
  auditRoute,
  page(
    '/load-documents',
    lazyRouteComponent(async () => (await pages()).loadDocuments(), 'LoadDocumentsPage'),
  ),
  page(
    '/system',
    lazyRouteComponent(async () => (await pages()).system(), 'SystemPage'),
  ),
]);
