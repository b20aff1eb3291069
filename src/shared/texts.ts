import * as z from 'zod';

/**
 * Half of a surrogate pair is no character: neither UTF-8 nor the databases can keep it, so that what is stored would
 * not be what was sent. The one rule for all texts from outside.
 */
export const HALF_CHARACTER =
  'The text holds half of a surrogate pair (UTF-16), which is no character.';

/** Any text that can be kept. */
export const textSchema = z.string().refine((text) => text.isWellFormed(), HALF_CHARACTER);
