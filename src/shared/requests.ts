import * as z from 'zod';
import { jsonValueSchema } from './definitions.ts';
import { JsonNumber, type JsonObject } from './json.ts';
import { textSchema } from './texts.ts';

/** The most revisions or datasets of one call where nothing else is set (interface decisions, sections 5 and 7). */
export const MAX_BATCH = 10_000;

/** The id of a revision: a positive whole number, sent as number or text, answered as text (section 5). */
export const revisionIdSchema = idSchema(
  /^[1-9][0-9]{0,15}$/,
  'A revisionId is a positive whole number.',
);

/** The id of a dataset: numeric text, accepted as text or number (section 7). */
export const jridSchema = idSchema(/^(?:0|[1-9][0-9]{0,15})$/, 'A jrid is a whole number.');

function idSchema(form: RegExp, message: string) {
  return z
    .custom<string | JsonNumber>(
      (value) => typeof value === 'string' || value instanceof JsonNumber,
      message,
    )
    .transform((value) => (value instanceof JsonNumber ? value.source : value))
    .refine((text) => form.test(text) && Number.isSafeInteger(Number(text)), message)
    .transform(Number)
    .meta({ description: 'a whole number, as text or number', type: ['string', 'integer'] });
}

const indexFieldValueSchema = z.strictObject({ name: z.string(), value: jsonValueSchema });

/** A value of a keyword field, or all its values as a comma list. */
const keywordFieldValueSchema = z.union([
  z.strictObject({ name: z.string(), value: jsonValueSchema }),
  z.strictObject({ name: z.string(), keywords: jsonValueSchema }),
]);

/** The version an entry of a batch is meant for, as `If-Match` of a single call. */
const ifMatchSchema = z.string();

const indexDataShape = {
  indexFields: z.array(indexFieldValueSchema).optional(),
  keywordFields: z.array(keywordFieldValueSchema).optional(),
};

/** Body of PATCH and PUT of one revision. */
export const indexDataBody = z.strictObject(indexDataShape);
export type IndexDataBody = z.infer<typeof indexDataBody>;

/** Body of PATCH and PUT of several revisions. */
export const revisionsBody = z.strictObject({
  revisions: z
    .array(
      z.strictObject({
        revisionId: revisionIdSchema,
        ...indexDataShape,
        ifMatch: ifMatchSchema.optional(),
      }),
    )
    .min(1, 'At least one revision is needed.'),
});
export type RevisionsBody = z.infer<typeof revisionsBody>;

export const lockBody = z.strictObject({ locked: z.boolean() });

/**
 * Columns by name, as sent. Not a `z.record`, which would drop a key named `__proto__` without a word.
 */
const columnValuesSchema = z
  .custom<JsonObject>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      !(value instanceof JsonNumber),
    'An object of column values is needed.',
  )
  .meta({ description: 'column values by column name', type: 'object' });
export type ColumnValues = JsonObject;

/** Body of POST of one dataset or of several. */
export const createDatasetsBody = z.union([
  z.strictObject({ dataset: columnValuesSchema }),
  z.strictObject({
    datasets: z.array(columnValuesSchema).min(1, 'At least one dataset is needed.'),
  }),
]);

/** Body of PUT of one dataset. */
export const changeDatasetBody = z.strictObject({ dataset: columnValuesSchema });

/** Body of PUT of several datasets: each entry holds `jrid`, the changed columns and perhaps `ifMatch`. */
export const changeDatasetsBody = z.strictObject({
  datasets: z.array(columnValuesSchema).min(1, 'At least one dataset is needed.'),
});

/** Body of DELETE of datasets. */
export const deleteDatasetsBody = z.strictObject({
  datasets: z
    .array(z.strictObject({ jrid: jridSchema, ifMatch: ifMatchSchema.optional() }))
    .min(1, 'At least one dataset is needed.'),
});

export const undoBody = z.strictObject({
  historyIds: z
    .array(idSchema(/^[1-9][0-9]{0,15}$/, 'A historyId is a positive whole number.'))
    .min(1),
});

export const signInBody = z.strictObject({ username: textSchema, password: textSchema });
export const changePasswordBody = z.strictObject({ current: z.string(), password: z.string() });
