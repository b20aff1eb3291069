import * as texts from '#messages/edits.ts';
import * as z from 'zod';
import { ON_CHANGED } from './bulk-edit-answers.ts';
import { givenNotationShape } from './common-schemas.ts';
import { jsonValueSchema } from '../rules/definitions.ts';
import { LIST_QUERY, revisionIdsSchema } from './requests.ts';
import { CASES } from '../values/text-edits.ts';
import { textSchema } from '../rules/text-schemas.ts';

const MAX_EDITS = 100;
const MAX_EDIT_TEXT = 10_000;
/** Of the texts of all edits: they are read again for each part of the job, and listed. */
const MAX_LENGTH = 2_500_000;

const field = z.string();
const plainText = (min: number, max: number) => textSchema.min(min).max(max);
const editText = plainText(0, MAX_EDIT_TEXT);
const filledText = plainText(1, MAX_EDIT_TEXT);

/** One step of a bulk edit, as sent; `readEdits` checks it against the archive. */
const bulkEditInput = z.discriminatedUnion('do', [
  z.strictObject({ field, do: z.literal('set'), value: jsonValueSchema }),
  z.strictObject({ field, do: z.literal('clear') }),
  z.strictObject({ field, do: z.enum(['prepend', 'append']), text: filledText }),
  z.strictObject({
    field,
    do: z.literal('replace'),
    find: filledText,
    with: editText,
    matchCase: z.boolean().default(true),
  }),
  z.strictObject({
    field,
    do: z.literal('replacePattern'),
    pattern: plainText(1, 1000),
    with: editText,
    matchCase: z.boolean().default(true),
  }),
  z.strictObject({ field, do: z.literal('trim') }),
  z.strictObject({ field, do: z.literal('case'), to: z.enum(CASES) }),
  z.strictObject({ field, do: z.literal('copy'), from: z.string() }),
  z.strictObject({
    field,
    do: z.literal('parse'),
    from: z.string().nullable().default(null),
    ...givenNotationShape,
  }),
]);

/** Body of POST of a bulk edit. */
export const bulkEditBody = z.strictObject({
  selection: z.union([
    z.strictObject({ revisionIds: revisionIdsSchema }),
    /** the query text of `index/ids`: `where[…][…]`, `q`, `sort` */
    z.strictObject({ filter: plainText(0, 100_000).meta(LIST_QUERY) }),
  ]),
  edits: z
    .array(bulkEditInput)
    .min(1, texts.editMissing)
    .max(MAX_EDITS)
    .refine((edits) => lengthOf(edits) <= MAX_LENGTH, {
      message: texts.editsTooLong(MAX_LENGTH),
    }),
});
export type BulkEditBody = z.infer<typeof bulkEditBody>;

function lengthOf(edits: readonly object[]): number {
  let sum = 0;
  for (const edit of edits) {
    for (const value of Object.values(edit)) if (typeof value === 'string') sum += value.length;
  }
  return sum;
}

export const applyBody = z.strictObject({ onChanged: z.enum(ON_CHANGED).default('leaveOut') });
