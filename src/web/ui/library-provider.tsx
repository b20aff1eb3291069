import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { useShownColours } from './colour-scheme.ts';
import './library.css';
import { theme } from './library-theme.ts';

/** Wraps everything that uses the component library, so that nothing else waits for it (`lazy-component.tsx`). */
export function LibraryProvider({ children }: { readonly children: ReactNode }) {
  const colours = useShownColours();
  return (
    <MantineProvider
      theme={theme}
      // Chosen and stored in colour-scheme.ts.
      defaultColorScheme={colours}
      forceColorScheme={colours}
      // All variables are in library.css: a style tag created at run time would violate the CSP.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
