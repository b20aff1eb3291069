import * as z from 'zod';
import * as definitionsTexts from '#messages/definitions.ts';
import * as requestsTexts from '#messages/requests.ts';
import * as texts from '#messages/values.ts';

/**
 * Any text that can be stored. Half of a surrogate pair is not a character: neither UTF-8 nor the databases can store
 * it, and the stored text would differ from the sent one.
 */
export const textSchema = z
  .string()
  .refine((text) => text.isWellFormed(), texts.hasHalfCharacter.message);

/**
 * Text that both databases can store: PostgreSQL has no NUL.
 * @param max the maximum length, in UTF-16 code units
 * @param tooLong the error message for a longer text
 */
export const storableText = (max: number, tooLong?: string) =>
  textSchema
    .max(max, tooLong)
    .refine((text) => !text.includes('\u0000'), requestsTexts.hasNul)
    .meta({ pattern: String.raw`^[^\u0000]*$` });

/** A language tag (BCP 47), such as `de-AT`. */
export const languageTagSchema = z.string().refine(isLanguageTag, definitionsTexts.notALanguageTag);

export function isLanguageTag(tag: string): boolean {
  try {
    Intl.getCanonicalLocales(tag);
    return true;
  } catch {
    return false;
  }
}
