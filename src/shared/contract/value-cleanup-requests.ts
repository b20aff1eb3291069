import * as z from 'zod';
import { MAX_REPLACEMENTS } from './value-cleanup.ts';
import { LIST_QUERY } from './requests.ts';
import { storableText, textSchema } from '../rules/text-schemas.ts';

const MAX_LENGTH = 10_000;
const value = storableText(MAX_LENGTH).min(1);

/** Body of POST of a plan that corrects values of a field. */
export const replacementsBody = z.strictObject({
  /** which records; empty: all */
  filter: textSchema.max(100_000).default('').meta(LIST_QUERY),
  /** whether imports and pastes correct these values from now on */
  remember: z.boolean().default(false),
  replacements: z
    .array(z.strictObject({ from: value, to: value }))
    .min(1)
    .max(MAX_REPLACEMENTS),
});
export type ReplacementsBody = z.infer<typeof replacementsBody>;
