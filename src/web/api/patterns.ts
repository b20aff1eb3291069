import { matchPatternsBy } from '#shared/pattern.ts';

// Until the engine is there the service alone says what does not match; so it does where it never comes.
matchPatternsBy(() => ({ matches: () => true }));

/** Fetches what matches the patterns of fields, which is too large for the first load of a page. */
export async function loadPatterns(): Promise<void> {
  await import('#shared/pattern-engine.ts').catch(() => undefined);
}
