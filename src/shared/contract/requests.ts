import * as requestsTexts from '#messages/requests.ts';
import * as z from 'zod';
import { jsonValueSchema } from '../rules/definitions.ts';
import { JsonNumber, type JsonObject } from '../values/json.ts';
import { MAX_IDS } from '../rules/limits.ts';

const REVISION_ID = /^[1-9][0-9]{0,15}$/;
const JRID = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * The id of a revision: a positive whole number, sent as number or text, answered as text
 * (docs/interface/decisions.md, section 5).
 */
export const revisionIdSchema = idSchema(REVISION_ID, requestsTexts.revisionIdInvalid);

/** The id of a dataset: numeric text, accepted as text or number (docs/interface/decisions.md, section 7). */
export const jridSchema = idSchema(JRID, requestsTexts.jridInvalid);

/** The id of an entry of the history. */
export const historyIdSchema = idSchema(/^[1-9][0-9]{0,15}$/, requestsTexts.historyIdInvalid);

/** The id of a view, queue, batch, job or alias, as it is written in a path: PostgreSQL counts them in 32 bits. */
export const countedIdSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number);

function idSchema(form: RegExp, message: string) {
  const textOf = (value: string | JsonNumber) =>
    value instanceof JsonNumber ? value.source : value;
  const isId = (text: string) => form.test(text) && Number.isSafeInteger(Number(text));
  return z
    .custom<string | JsonNumber>(
      (value) => (typeof value === 'string' || value instanceof JsonNumber) && isId(textOf(value)),
      message,
    )
    .transform((value) => Number(textOf(value)))
    .meta(describedId(form));
}

/** An id in JSON Schema. */
function describedId(form: RegExp) {
  const minimum = form.test('0') ? 0 : 1;
  return {
    description: 'a whole number, as text or number',
    anyOf: [
      // One digit less than allowed: not all numbers of 16 digits are safe.
      {
        type: 'string' as const,
        pattern: minimum === 0 ? '^(?:0|[1-9][0-9]{0,14})$' : '^[1-9][0-9]{0,14}$',
      },
      { type: 'integer' as const, minimum, maximum: Number.MAX_SAFE_INTEGER },
    ],
  };
}

/** In JSON Schema: the text of a list's query; which fields it may name depends on the archive. */
export const LIST_QUERY = {
  description: 'the query text of `index/ids`: `where[FIELD][OP]`, `q` and `sort`, percent-encoded',
  format: 'list-query',
};

/** Ids of revisions, at least one, as one call may name them. */
export const revisionIdsSchema = idsSchema(
  REVISION_ID,
  requestsTexts.revisionIdInvalid,
  'revisions',
)
  .refine((ids) => ids.length > 0, requestsTexts.noRevision)
  .meta({ ...describedIds(REVISION_ID, 'revisions'), minItems: 1 });

/** Ids of datasets, as one call may name them. */
export const jridsSchema = idsSchema(JRID, requestsTexts.jridInvalid, 'datasets');

/** Hundreds of thousands of ids, checked without a schema for each: the first invalid one ends the check. */
function idsSchema(form: RegExp, wrong: string, what: string) {
  return z
    .custom<unknown[]>((value) => Array.isArray(value), requestsTexts.idsMissing(what))
    .refine((ids) => ids.length <= MAX_IDS, {
      message: requestsTexts.tooManyIds({ max: MAX_IDS, what }),
      abort: true,
    })
    .transform((ids, context): number[] => {
      const numbers: number[] = [];
      for (const id of ids) {
        const text = id instanceof JsonNumber ? id.source : id;
        if (typeof text !== 'string' || !form.test(text) || !Number.isSafeInteger(Number(text))) {
          context.addIssue({ code: 'custom', message: wrong });
          return z.NEVER;
        }
        numbers.push(Number(text));
      }
      return numbers;
    })
    .meta(describedIds(form, what));
}

function describedIds(form: RegExp, what: string) {
  return {
    description: `ids of ${what}, as text or number`,
    type: 'array' as const,
    items: describedId(form),
    maxItems: MAX_IDS,
  };
}

const indexFieldValueSchema = z.strictObject({ name: z.string(), value: jsonValueSchema });

/** A value of a keyword field, or all its values as a comma list. */
const keywordFieldValueSchema = z.union([
  z.strictObject({ name: z.string(), value: jsonValueSchema }),
  z.strictObject({ name: z.string(), keywords: jsonValueSchema }),
]);

/** The version that an entry of a batch expects, like the `If-Match` of a single call. */
export const ifMatchSchema = z.string();

const indexDataShape = {
  indexFields: z.array(indexFieldValueSchema).optional(),
  keywordFields: z.array(keywordFieldValueSchema).optional(),
};

/** In JSON Schema: at least one field, or one keyword field. */
const ONE_AT_LEAST = {
  anyOf: ['indexFields', 'keywordFields'].map((key) => ({
    required: [key],
    properties: { [key]: { minItems: 1 } },
  })),
};

/** Body of PATCH and PUT of one revision. */
export const indexDataBody = z.strictObject(indexDataShape).meta(ONE_AT_LEAST);
export type IndexDataBody = z.infer<typeof indexDataBody>;

/** Body of PATCH and PUT of several revisions. */
export const revisionsBody = z.strictObject({
  revisions: z
    .array(
      z
        .strictObject({
          revisionId: revisionIdSchema,
          ...indexDataShape,
          ifMatch: ifMatchSchema.optional(),
        })
        .meta(ONE_AT_LEAST),
    )
    .min(1, requestsTexts.noRevision),
});
export type RevisionsBody = z.infer<typeof revisionsBody>;

export const lockBody = z.strictObject({ locked: z.boolean() });

/** Columns by name, as sent. Not a `z.record`, which would silently drop a key named `__proto__`. */
export const columnValuesSchema = z
  .custom<JsonObject>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      !(value instanceof JsonNumber),
    requestsTexts.notAnObjectOfValues,
  )
  .meta({ description: 'column values by column name', type: 'object' });
export type ColumnValues = JsonObject;

/** Columns that are to be changed. */
const changesSchema = columnValuesSchema.meta({
  description: 'new column values by column name',
  type: 'object',
  minProperties: 1,
});
const changesOfDatasetSchema = columnValuesSchema.meta({
  description:
    '`jrid`, the new column values by column name, and `ifMatch` where a version is meant',
  type: 'object',
  properties: { jrid: describedId(JRID), ifMatch: { type: 'string' } },
  required: ['jrid'],
  minProperties: 2,
});

/** Body of POST of one dataset or of several. */
export const createDatasetsBody = z.union([
  z.strictObject({ dataset: columnValuesSchema }),
  z.strictObject({
    datasets: z.array(columnValuesSchema).min(1, requestsTexts.noDataset),
  }),
]);

export type CreateDatasetsBody = z.infer<typeof createDatasetsBody>;

/** Body of PUT of one dataset. */
export const changeDatasetBody = z.strictObject({ dataset: changesSchema });

/** Body of PUT of several datasets: each entry holds `jrid`, the changed columns and perhaps `ifMatch`. */
export const changeDatasetsBody = z.strictObject({
  datasets: z.array(changesOfDatasetSchema).min(1, requestsTexts.noDataset),
});

export type ChangeDatasetsBody = z.infer<typeof changeDatasetsBody>;

/** Body of DELETE of datasets. */
export const deleteDatasetsBody = z.strictObject({
  datasets: z
    .array(z.strictObject({ jrid: jridSchema, ifMatch: ifMatchSchema.optional() }))
    .min(1, requestsTexts.noDataset),
});

export type DeleteDatasetsBody = z.infer<typeof deleteDatasetsBody>;

export const undoBody = z.strictObject({
  historyIds: z.array(historyIdSchema).min(1),
});

export type UndoBody = z.infer<typeof undoBody>;

export const changePasswordBody = z.strictObject({ current: z.string(), password: z.string() });
export const checkPasswordBody = z.strictObject({ password: z.string() });
