import { matchPatternsBy } from '#shared/pattern.ts';

// Where the engine cannot be fetched, the service alone says what does not match.
matchPatternsBy(() => ({ matches: () => true }));

/**
 * Fetches what matches the patterns of fields, before a value can be typed that one is to be held against. It is too
 * large for pages without any.
 */
export async function loadPatternsOf(
  fields: readonly { readonly pattern: string | null }[],
): Promise<void> {
  if (fields.every(({ pattern }) => pattern === null)) return;
  await import('#shared/pattern-engine.ts').catch(() => undefined);
}
