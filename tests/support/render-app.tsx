import { notifications } from '@mantine/notifications';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import {
  createMemoryHistory,
  RouterContextProvider,
  type RouterHistory,
} from '@tanstack/react-router';
import { render, type RenderResult } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import type { FastifyInstance } from 'fastify';
import type { ReactNode } from 'react';
import { onTestFinished, vi } from 'vitest';
import { parseSearch } from '#web/api/address-search.ts';
import { connection } from '#web/api/connection.ts';
import type { RawSearch } from '#web/api/list-view.ts';
import { createQueryClient } from '#web/api/query-client.ts';
import { sessionGate } from '#web/api/session-gate.ts';
import { type OwnSession, SessionProvider, sessionQuery } from '#web/api/session.queries.ts';
import { AppShell } from '#web/app/app-shell.tsx';
import { App } from '#web/app/app.tsx';
import { type AppRouter, createAppRouter } from '#web/app/router.ts';
import { LibraryProvider } from '#web/ui/library-provider.tsx';
import { pendingNotices } from '#web/ui/notify.ts';
import { serviceFetch, type ServiceFetch } from './service-fetch.ts';

export interface RenderOptions {
  /** who signs in before anything is shown */
  readonly as: { readonly username: string; readonly password: string };
  /** prepares the network before anything is shown */
  readonly network?: ((service: ServiceFetch) => void) | undefined;
}

export interface Rendered extends RenderResult {
  readonly user: UserEvent;
  /** the network between the page and the service */
  readonly service: ServiceFetch;
  readonly queryClient: QueryClient;
}

export interface RenderedApp extends Rendered {
  readonly navigate: AppRouter['navigate'];
  /** the browser's line of addresses, with its back and forward */
  readonly history: RouterHistory;
  /** the search of the address */
  readonly search: () => RawSearch;
}

/**
 * Renders all pages of a signed-in user, as `start.tsx` does, over the real service.
 * @param path the address to open, with its search: `/archives/INVOICES?q=paper`
 */
export async function renderApp(
  app: Pick<FastifyInstance, 'inject'>,
  path = '/',
  { as, network }: RenderOptions,
): Promise<RenderedApp> {
  const service = await connect(app, as);
  network?.(service);
  const history = createMemoryHistory({ initialEntries: [path] });
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient, await ownSession(queryClient), history);
  const { navigate } = router;
  onTestFinished(() => queryClient.clear());
  const search = () => parseSearch(history.location.search);
  const rendered = render(
    <AppShell queryClient={queryClient}>
      <App router={router} />
    </AppShell>,
  );
  return {
    ...rendered,
    user: userEvent.setup(),
    service,
    queryClient,
    navigate,
    history,
    search,
  };
}

/**
 * Renders one feature over the real service, with the providers that stand around it in the frame.
 * For what can be shown without an address; its pages need `renderApp`.
 */
export async function renderFeature(
  app: Pick<FastifyInstance, 'inject'>,
  feature: ReactNode,
  { as }: Pick<RenderOptions, 'as'>,
): Promise<Rendered> {
  const service = await connect(app, as);
  const queryClient = createQueryClient();
  onTestFinished(() => queryClient.clear());
  const session = await ownSession(queryClient);
  const router = createAppRouter(queryClient, session, createMemoryHistory());
  const around = (children: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <LibraryProvider>
        <RouterContextProvider router={router}>
          <SessionProvider value={session}>{children}</SessionProvider>
        </RouterContextProvider>
      </LibraryProvider>
    </QueryClientProvider>
  );
  const rendered = render(around(feature));
  const rerender = (next: ReactNode) => rendered.rerender(around(next));
  return { ...rendered, rerender, user: userEvent.setup(), service, queryClient };
}

async function ownSession(queryClient: QueryClient): Promise<OwnSession> {
  const session = await queryClient.query(sessionQuery);
  if (!session) throw new Error('Nobody is signed in.');
  return session;
}

async function connect(
  app: Pick<FastifyInstance, 'inject'>,
  as: RenderOptions['as'],
): Promise<ServiceFetch> {
  // Tests that render nothing leave theirs.
  removeNotices();
  const service = serviceFetch(app);
  vi.stubGlobal('fetch', service.fetch);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionGate.signedInAs(null);
    connection.set('fine');
    removeNotices();
  });
  await service.signIn(as.username, as.password);
  return service;
}

/** Only a few notices are shown at a time; those of the test before would stay for a while. */
function removeNotices(): void {
  pendingNotices.set([]);
  notifications.clean();
  notifications.cleanQueue();
}
