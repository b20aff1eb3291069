import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { ConnectionBanner } from './connection-banner.tsx';
import type { AppRouter } from './router.tsx';
import { theme } from './theme.ts';

const colorSchemes = localStorageColorSchemeManager({ key: 'indexdesk-color-scheme' });

/** The whole web admin around a router (`createAppRouter`); tests render it over a router in memory. */
export function App({ router }: { readonly router: AppRouter }) {
  return (
    <StrictMode>
      <MantineProvider
        theme={theme}
        colorSchemeManager={colorSchemes}
        defaultColorScheme="auto"
        // All variables are in tokens.css: a style tag made at run time would break the CSP.
        withCssVariables={false}
        withGlobalClasses={false}
      >
        <QueryClientProvider client={router.options.context.queryClient}>
          <ConnectionBanner />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>
  );
}
