import { createRoute, lazyRouteComponent, notFound, redirect } from '@tanstack/react-router';
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

const startRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/administration/definitions' });
  },
});

const definitionsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/definitions',
  component: lazyRouteComponent(async () => (await pages()).definitions(), 'DefinitionsPage'),
});

const newArchiveRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/new-archive',
  component: lazyRouteComponent(async () => (await pages()).newDefinition(), 'NewArchivePage'),
});

const newTableRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/new-table',
  component: lazyRouteComponent(async () => (await pages()).newDefinition(), 'NewTablePage'),
});

const archiveDefinitionRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/archives/$archive',
  component: lazyRouteComponent(async () => (await pages()).definition(), 'ArchiveDefinitionPage'),
});

const tableDefinitionRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/tables/$guid',
  component: lazyRouteComponent(async () => (await pages()).definition(), 'TableDefinitionPage'),
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

const rightsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/rights',
  component: lazyRouteComponent(async () => (await pages()).rights(), 'RightsPage'),
});

const sessionsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/sessions',
  component: lazyRouteComponent(async () => (await pages()).sessions(), 'SessionsPage'),
});

const loadRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/load',
  component: lazyRouteComponent(async () => (await pages()).load(), 'LoadPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/audit',
  validateSearch: textsOf,
  component: lazyRouteComponent(async () => (await pages()).audit(), 'AuditPage'),
});

const loadDocumentsRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/load-documents',
  component: lazyRouteComponent(async () => (await pages()).loadDocuments(), 'LoadDocumentsPage'),
});

const systemRoute = createRoute({
  getParentRoute: () => administrationRoute,
  path: '/system',
  component: lazyRouteComponent(async () => (await pages()).system(), 'SystemPage'),
});

export const administrationRoutes = administrationRoute.addChildren([
  startRoute,
  definitionsRoute,
  newArchiveRoute,
  newTableRoute,
  archiveDefinitionRoute,
  tableDefinitionRoute,
  usersRoute,
  groupsRoute,
  rightsRoute,
  sessionsRoute,
  loadRoute,
  auditRoute,
  loadDocumentsRoute,
  systemRoute,
]);
