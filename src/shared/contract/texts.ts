import * as z from 'zod';
import * as texts from '#messages/values.ts';

/**
 * Any text that can be stored. Half of a surrogate pair is not a character: neither UTF-8 nor the databases can store
 * it, and
 * the stored text would differ from the sent one.
 */
export const textSchema = z
  .string()
  .refine((text) => text.isWellFormed(), texts.hasHalfCharacter.message);
