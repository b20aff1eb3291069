import { useEffect } from 'react';
import { useStore } from './use-store.ts';
import { matchPatternsBy } from '#shared/values/pattern.ts';
import { createStore } from './create-store.ts';

type Patterned = readonly { readonly pattern: string | null }[];

// Until the engine is loaded, or if it cannot be fetched, only the service checks patterns.
matchPatternsBy({ compile: () => ({ matches: () => true }), exampleOf: () => null });

/** Whether the engine is loaded, or cannot be fetched. */
const settled = createStore(false);
let isNeeded = false;
let isPageRendered = false;
let engine: Promise<unknown> | undefined;

/** Announces that patterns of fields will be checked. The engine is too large for pages without patterns. */
export function needPatternsOf(fields: Patterned): void {
  if (fields.every(({ pattern }) => pattern === null)) return;
  isNeeded = true;
  if (isPageRendered) void fetchEngine();
}

/** Fetches the pattern engine now that the page is rendered, or as soon as a definition has a pattern. */
export function fetchPatterns(): void {
  isPageRendered = true;
  if (isNeeded) void fetchEngine();
}

async function fetchEngine(): Promise<void> {
  // After a failure it is fetched again when it is needed next.
  engine ??= import('#shared/values/pattern-engine.ts').catch(() => {
    engine = undefined;
  });
  await engine;
  settled.set(true);
}

/** Resolves when patterns of fields can be checked, or the engine cannot be fetched. */
export function whenPatternsReady(fields: Patterned): Promise<void> {
  const isReady = settled.get() || fields.every(({ pattern }) => pattern === null);
  return isReady ? Promise.resolve() : fetchEngine();
}

/**
 * Whether patterns of fields can be checked now.
 * @param isWanted fetches the engine if it is neither loaded nor requested
 */
export function usePatterns(fields: Patterned, isWanted: boolean): boolean {
  const isSettled = useStore(settled);
  const hasPattern = fields.some(({ pattern }) => pattern !== null);
  useEffect(() => {
    if (hasPattern && isWanted) void fetchEngine();
  }, [hasPattern, isWanted]);
  return isSettled || !hasPattern;
}
