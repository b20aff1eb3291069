import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import type { OwnSession } from '#web/api/session.queries.ts';
import { FrameLayout } from './pages/frame-layout.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { UnframedError } from './pages/unframed-error.tsx';

/** What loaders get from the router. */
export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly session: OwnSession;
}

/** The route of which all others are children. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: FrameLayout,
  errorComponent: UnframedError,
  notFoundComponent: NotFoundPage,
});
