import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, type ErrorComponentProps } from '@tanstack/react-router';
import type { OwnSession } from '#web/api/session.queries.ts';
import { ErrorPage } from './pages/error-page.tsx';
import { FrameLayout } from './pages/frame-layout.tsx';
import { NotFoundPage } from './pages/not-found-page.tsx';
import { Unframed } from './unframed.tsx';

/** What loaders get from the router. */
export interface RouterContext {
  readonly queryClient: QueryClient;
  readonly session: OwnSession;
}

/** Shown if the frame itself fails. */
function UnframedError({ error }: Pick<ErrorComponentProps, 'error'>) {
  return (
    <Unframed>
      <ErrorPage error={error} />
    </Unframed>
  );
}

/** The route of which all others are children. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: FrameLayout,
  errorComponent: UnframedError,
  notFoundComponent: NotFoundPage,
});
