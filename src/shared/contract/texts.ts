import * as z from 'zod';
import * as texts from '#messages/values.ts';

/**
 * Any text that can be stored. Half of a surrogate pair is no character: neither UTF-8 nor the databases can store it, so
 * that what is stored would not be what was sent.
 */
export const textSchema = z
  .string()
  .refine((text) => text.isWellFormed(), texts.hasHalfCharacter.message);
