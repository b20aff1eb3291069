import * as z from 'zod';
import * as requestsTexts from '#messages/requests.ts';
import * as texts from '#messages/values.ts';

/**
 * Any text that can be stored. Half of a surrogate pair is not a character: neither UTF-8 nor the databases can store
 * it, and the stored text would differ from the sent one.
 */
export const textSchema = z
  .string()
  .refine((text) => text.isWellFormed(), texts.hasHalfCharacter.message);

/** Text with a length that both databases can store: PostgreSQL has no NUL. */
export const storableText = (min: number, max: number) =>
  textSchema
    .min(min)
    .max(max)
    .refine((text) => !text.includes('\u0000'), requestsTexts.hasNul)
    .meta({ pattern: String.raw`^[^\u0000]*$` });
