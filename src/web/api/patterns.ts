import { matchPatternsBy } from '#shared/pattern.ts';

// Until the engine is here, the service alone says what does not match.
matchPatternsBy(() => ({ matches: () => true }));

let needed = false;
let isTime = false;

function fetchEngine(): void {
  // Where it cannot be fetched, the next definition asks for it again.
  import('#shared/pattern-engine.ts').catch(() => (needed = false));
}

/** Says that values will be held against the patterns of fields. What matches them is too large for pages without any. */
export function needPatternsOf(fields: readonly { readonly pattern: string | null }[]): void {
  if (needed || fields.every(({ pattern }) => pattern === null)) return;
  needed = true;
  if (isTime) fetchEngine();
}

/** Fetches what matches patterns, now that the page stands, or as soon as it is needed. */
export function fetchPatterns(): void {
  isTime = true;
  if (needed) fetchEngine();
}
