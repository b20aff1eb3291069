import { matchPatternsBy } from '#shared/pattern.ts';

// Where the engine cannot be fetched, the service alone says what does not match.
matchPatternsBy(() => ({ matches: () => true }));

/** Fetches what matches the patterns of fields, which is too large for the first load of a page without any. */
export async function loadPatterns(): Promise<void> {
  await import('#shared/pattern-engine.ts').catch(() => undefined);
}

/** The same where it is needed: before a value is typed that a pattern is to be held against. */
export async function loadPatternsOf(
  fields: readonly { readonly pattern: string | null }[],
): Promise<void> {
  if (fields.some(({ pattern }) => pattern !== null)) await loadPatterns();
}
