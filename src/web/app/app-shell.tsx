import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePageColours } from '#web/ui/colour-scheme.ts';
import { useIgnoreKeyRepeat } from '#web/ui/key-repeat.ts';
import { ConnectionBanner } from './connection-banner.tsx';

interface AppShellProps {
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}

/** The providers around the sign-in screen and all pages. */
export function AppShell({ queryClient, children }: AppShellProps) {
  useIgnoreKeyRepeat();
  usePageColours();
  return (
    <QueryClientProvider client={queryClient}>
      <ConnectionBanner />
      {children}
    </QueryClientProvider>
  );
}
