import { useEffect, useSyncExternalStore } from 'react';
import { matchPatternsBy } from '#shared/values/pattern.ts';
import { createStore } from './create-store.ts';

type Patterned = readonly { readonly pattern: string | null }[];

// Until the engine is here, and where it cannot be fetched, the service alone says what does not match.
matchPatternsBy({ compile: () => ({ matches: () => true }), exampleOf: () => null });

/** Whether the engine is here, or cannot be fetched: what can be matched in this page is. */
const settled = createStore(false);
let needed = false;
let isTime = false;
let fetching = false;

/** Says that values may be held against the patterns of fields. What matches them is too large for pages without any. */
export function needPatternsOf(fields: Patterned): void {
  if (fields.every(({ pattern }) => pattern === null)) return;
  needed = true;
  if (isTime) fetchEngine();
}

/** Fetches what matches patterns, now that the page stands, or as soon as a definition has one. */
export function fetchPatterns(): void {
  isTime = true;
  if (needed) fetchEngine();
}

function fetchEngine(): void {
  if (fetching) return;
  fetching = true;
  import('#shared/values/pattern-engine.ts').then(
    () => settled.set(true),
    () => {
      fetching = false;
      settled.set(true);
    },
  );
}

/**
 * Whether values can be held against the patterns of fields now.
 * @param wanted fetches what matches them, if it is not here or on its way
 */
export function usePatterns(fields: Patterned, wanted: boolean): boolean {
  const here = useSyncExternalStore(settled.subscribe, settled.get);
  const has = fields.some(({ pattern }) => pattern !== null);
  useEffect(() => {
    if (has && wanted) fetchEngine();
  }, [has, wanted]);
  return here || !has;
}
