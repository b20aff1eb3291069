import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { ConnectionBanner } from './connection-banner.tsx';
import type { AppRouter } from './router.tsx';

/** The whole web admin around a router (`createAppRouter`); tests render it over a router in memory. */
export function App({ router }: { readonly router: AppRouter }) {
  return (
    <StrictMode>
      <QueryClientProvider client={router.options.context.queryClient}>
        <ConnectionBanner />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>
  );
}
