import * as requestsTexts from '#messages/requests.ts';
import * as z from 'zod';
import { JsonNumber } from '../values/json.ts';
import { MAX_IDS } from '../rules/limits.ts';
import { jridsSchema, LIST_QUERY, revisionIdSchema, revisionIdsSchema } from './requests.ts';
import { storableText, textSchema } from '../rules/text-schemas.ts';

/* Requests about what clerks store besides the records: queues, flags, views, and who is viewing what. */

const MAX_NAME = 200;
const MAX_SEARCH = 20_000;
const MAX_NOTE = 2_000;

/** A name that a user gives. */
export const givenNameSchema = textSchema
  .refine((name) => name.trim() !== '' && name.length <= MAX_NAME && !hasControls(name), {
    message: requestsTexts.nameInvalid(MAX_NAME),
  })
  .meta({
    // JSON Schema counts code points: up to two UTF-16 code units each, which are what is counted above.
    maxLength: MAX_NAME / 2,
    pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\s][^\u0000-\u001f\u007f-\u009f]*$`,
  });
const plainText = (most: number) => storableText(most, requestsTexts.tooLong(most));

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** The path of the field that has the focus when a revision of a queue is opened, such as `indexFields.NUMBER`. */
const focusedFieldSchema = plainText(MAX_NAME);

/** Body of POST …/queues: all revisions that match a filter, or a list of ids. */
export const createQueueBody = z
  .strictObject({
    name: givenNameSchema.optional(),
    /** the query text of index/ids, e.g. `where[SUPPLIER][null]=true&sort=-DATE` */
    filter: plainText(MAX_SEARCH).meta(LIST_QUERY).optional(),
    revisionIds: revisionIdsSchema.optional(),
    field: focusedFieldSchema.optional(),
  })
  .refine(({ filter, revisionIds }) => (filter === undefined) !== (revisionIds === undefined), {
    message: requestsTexts.filterOrIds,
  })
  .meta({ oneOf: [{ required: ['filter'] }, { required: ['revisionIds'] }] });
export type CreateQueueBody = z.infer<typeof createQueueBody>;

/** The state that a client may set for a revision in a queue; `gone` is detected by the service. */
const keptStateSchema = z.enum(['open', 'corrected', 'unchanged', 'skipped']);

const POSITION = requestsTexts.positionInvalid;

/** Body of PATCH …/queues/:queueId. */
export const changeQueueBody = z.strictObject({
  position: z
    .custom<JsonNumber>((value) => value instanceof JsonNumber, POSITION)
    .transform(({ source }) => Number(source))
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= MAX_IDS, POSITION)
    .meta({
      description: 'from 0; the number of revisions: at the end',
      type: 'integer',
      minimum: 0,
      maximum: MAX_IDS,
    })
    .optional(),
  field: focusedFieldSchema.nullable().optional(),
  states: z
    .array(z.strictObject({ revisionId: revisionIdSchema, state: keptStateSchema }))
    .optional(),
});
export type ChangeQueueBody = z.infer<typeof changeQueueBody>;

export const flagBody = z.strictObject({ note: plainText(MAX_NOTE) });
export const viewerBody = z.strictObject({ editing: z.boolean() });
/** Body of POST …/views and PUT …/views/:viewId. */
export const viewBody = z.strictObject({
  name: givenNameSchema,
  /** for everyone who can see the archive */
  shared: z.boolean(),
  /** the list's address: where, q, sort, columns and widths as one query text */
  search: plainText(MAX_SEARCH),
});
export type ViewBody = z.infer<typeof viewBody>;
export const lastViewBody = z.strictObject({ search: plainText(MAX_SEARCH) });

/** Body of POST of facts: the datasets, and the columns if not all. */
export const statisticsBody = z.strictObject({
  jrids: jridsSchema,
  columns: z.array(z.string()).optional(),
});
