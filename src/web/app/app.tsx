import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useRef } from 'react';
import { useOneActPerPress } from '#web/ui/key-repeat.ts';
import { type OpenedPage, OpenedPageRef } from '#web/ui/page.tsx';
import { ConnectionBanner } from './connection-banner.tsx';
import type { AppRouter } from './router.ts';

/** The whole web admin around a router (`createAppRouter`); tests render it over a router in memory. */
export function App({ router }: { readonly router: AppRouter }) {
  useOneActPerPress();
  const openedPage = useRef<OpenedPage>(null);
  return (
    <StrictMode>
      <QueryClientProvider client={router.options.context.queryClient}>
        <ConnectionBanner />
        <OpenedPageRef value={openedPage}>
          <RouterProvider router={router} />
        </OpenedPageRef>
      </QueryClientProvider>
    </StrictMode>
  );
}
