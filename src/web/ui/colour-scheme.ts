import { useLayoutEffect } from 'react';
import { useStore } from '#web/api/use-store.ts';
import { readStoredText, storeText } from '#web/api/browser-storage.ts';
import { createStore } from '#web/api/create-store.ts';
import { useMedia } from './use-media.ts';

export type ColourScheme = 'light' | 'dark' | 'auto';

/** The browser storage key; `public/start.js` reads it before the first paint. */
const KEY = 'indexdesk-color-scheme';
const schemeStore = createStore<ColourScheme>(parseScheme(readStoredText(KEY)));

function parseScheme(text: string | null): ColourScheme {
  return text === 'light' || text === 'dark' ? text : 'auto';
}

/** The user's choice, and a function to change it. */
export function useColourScheme(): [ColourScheme, (next: ColourScheme) => void] {
  return [useStore(schemeStore), setScheme];
}

function setScheme(next: ColourScheme): void {
  schemeStore.set(next);
  storeText(KEY, next);
}

/** The visible colour scheme. */
export function useShownColours(): 'light' | 'dark' {
  const [scheme] = useColourScheme();
  const prefersDark = useMedia('(prefers-color-scheme: dark)');
  if (scheme !== 'auto') return scheme;
  return prefersDark ? 'dark' : 'light';
}

/** Applies the colours to the page, also when they are changed in another window or by the system. */
export function usePageColours(): void {
  const colours = useShownColours();
  // The component library's name for it.
  useLayoutEffect(() => {
    document.documentElement.dataset['mantineColorScheme'] = colours;
  }, [colours]);
  useLayoutEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key === KEY) schemeStore.set(parseScheme(newValue));
    };
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, []);
}
