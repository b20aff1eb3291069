import { useLayoutEffect } from 'react';
import { useStore } from '#web/api/use-store.ts';
import { createStore } from '#web/api/create-store.ts';
import { useMedia } from './use-media.ts';

export type ColourScheme = 'light' | 'dark' | 'auto';

/** The browser storage key; `public/start.js` reads it before the first paint. */
const KEY = 'indexdesk-color-scheme';
const chosen = createStore<ColourScheme>(kept());

function kept(): ColourScheme {
  try {
    return schemeOf(localStorage.getItem(KEY));
  } catch {
    // Storage may be disabled.
    return 'auto';
  }
}

function schemeOf(text: string | null): ColourScheme {
  return text === 'light' || text === 'dark' ? text : 'auto';
}

/** The user's choice, and a function to change it. */
export function useColourScheme(): [ColourScheme, (next: ColourScheme) => void] {
  return [useStore(chosen), choose];
}

function choose(next: ColourScheme): void {
  chosen.set(next);
  try {
    localStorage.setItem(KEY, next);
  } catch {
    // The choice then lasts until the page is closed.
  }
}

/** The visible colour scheme. */
export function useShownColours(): 'light' | 'dark' {
  const [scheme] = useColourScheme();
  const dark = useMedia('(prefers-color-scheme: dark)');
  if (scheme !== 'auto') return scheme;
  return dark ? 'dark' : 'light';
}

/** Applies the colours to the page, also when they are changed in another window or by the system. */
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
