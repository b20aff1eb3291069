import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useRef } from 'react';
import { NavigationProvider } from '#web/navigation/navigation.ts';
import { useOneActPerPress } from '#web/ui/key-repeat.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { type OpenedPage, OpenedPageRef } from '#web/ui/page.tsx';
import type { AppRouter } from './router.ts';
import { Outlet } from './outlet.tsx';

/** The whole web admin around a router (`createAppRouter`); tests render it over a router in memory. */
export function App({ router }: { readonly router: AppRouter }) {
  useOneActPerPress();
  const openedPage = useRef<OpenedPage>(null);
  return (
    <StrictMode>
      <QueryClientProvider client={router.queryClient}>
        <ConnectionBanner />
        <NavigationProvider value={router.navigation}>
          <OpenedPageRef value={openedPage}>
            <Outlet router={router} />
          </OpenedPageRef>
        </NavigationProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
