import { useLayoutEffect, useSyncExternalStore } from 'react';
import { createStore } from '#web/api/create-store.ts';
import { useMedia } from './use-media.ts';

export type ColourScheme = 'light' | 'dark' | 'auto';

/** Where this browser keeps it; `public/start.js` reads it before the first paint. */
const KEY = 'indexdesk-color-scheme';
const chosen = createStore<ColourScheme>(kept());

function kept(): ColourScheme {
  try {
    return schemeOf(localStorage.getItem(KEY));
  } catch {
    // Storage may be forbidden.
    return 'auto';
  }
}

function schemeOf(text: string | null): ColourScheme {
  return text === 'light' || text === 'dark' ? text : 'auto';
}

/** What the user has chosen, and how to choose another. */
export function useColourScheme(): [ColourScheme, (next: ColourScheme) => void] {
  return [useSyncExternalStore(chosen.subscribe, chosen.get), choose];
}

function choose(next: ColourScheme): void {
  chosen.set(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // Then it holds until the page is left.
  }
}

/** The colours that are to be seen. */
export function useShownColours(): 'light' | 'dark' {
  const [scheme] = useColourScheme();
  const dark = useMedia('(prefers-color-scheme: dark)');
  if (scheme !== 'auto') return scheme;
  return dark ? 'dark' : 'light';
}

/** Gives the page its colours, also when they are chosen in another window or the system changes them. */
export function usePageColours(): void {
  const colours = useShownColours();
  // The component library's name for it.
  useLayoutEffect(() => {
    document.documentElement.dataset['mantineColorScheme'] = colours;
  }, [colours]);
  useLayoutEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === KEY) chosen.set(schemeOf(newValue));
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);
}
