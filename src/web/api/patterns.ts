import { useEffect } from 'react';
import { useStore } from './use-store.ts';
import { matchPatternsBy } from '#shared/values/pattern.ts';
import { createStore, whenStore } from './create-store.ts';

type Patterned = readonly { readonly pattern: string | null }[];

// Until the engine is loaded, or if it cannot be fetched, only the service checks patterns.
matchPatternsBy({ compile: () => ({ matches: () => true }), exampleOf: () => null });

/** Whether the engine is loaded, or cannot be fetched. */
const settled = createStore(false);
let isNeeded = false;
let isPageRendered = false;
let isFetching = false;

/** Announces that patterns of fields will be checked. The engine is too large for pages without patterns. */
export function needPatternsOf(fields: Patterned): void {
  if (fields.every(({ pattern }) => pattern === null)) return;
  isNeeded = true;
  if (isPageRendered) fetchEngine();
}

/** Fetches the pattern engine now that the page is rendered, or as soon as a definition has a pattern. */
export function fetchPatterns(): void {
  isPageRendered = true;
  if (isNeeded) fetchEngine();
}

function fetchEngine(): void {
  if (isFetching) return;
  isFetching = true;
  import('#shared/values/pattern-engine.ts').then(
    () => settled.set(true),
    () => {
      isFetching = false;
      settled.set(true);
    },
  );
}

/** Resolves when patterns of fields can be checked, or the engine cannot be fetched. */
export function whenPatternsReady(fields: Patterned): Promise<void> {
  if (fields.every(({ pattern }) => pattern === null)) return Promise.resolve();
  if (!settled.get()) fetchEngine();
  return whenStore(settled, (isSettled) => isSettled);
}

/**
 * Whether patterns of fields can be checked now.
 * @param isWanted fetches the engine if it is neither loaded nor requested
 */
export function usePatterns(fields: Patterned, isWanted: boolean): boolean {
  const isSettled = useStore(settled);
  const hasPattern = fields.some(({ pattern }) => pattern !== null);
  useEffect(() => {
    if (hasPattern && isWanted) fetchEngine();
  }, [hasPattern, isWanted]);
  return isSettled || !hasPattern;
}
