import * as z from 'zod';
import { scalarSchema } from './answers.ts';
import { JsonNumber } from './json.ts';
import { MAX_IDS } from './lists.ts';
import { revisionIdSchema } from './requests.ts';

/* Requests and answers of what clerks keep beside the records: queues, flags, views, who is looking at what. */

const MAX_NAME = 200;
const MAX_SEARCH = 20_000;
const MAX_NOTE = 2_000;

const instant = z.iso.datetime();

const nameSchema = z
  .string()
  .refine((name) => name.trim() !== '' && name.length <= MAX_NAME && !hasControls(name), {
    message: `A name has 1 to ${MAX_NAME} characters and no control characters.`,
  });
const plainText = (most: number) =>
  z
    .string()
    .max(most, `At most ${most} characters.`)
    .refine((text) => text.isWellFormed() && !text.includes('\u0000'), {
      message: 'The NUL character and halves of characters cannot be kept.',
    });

function hasControls(text: string): boolean {
  return !text.isWellFormed() || /\p{Cc}/u.test(text);
}

/** Body of POST …/queues: all that match a filter, or these. */
export const createQueueBody = z
  .strictObject({
    name: nameSchema.optional(),
    /** the query text of index/ids, e.g. `where[SUPPLIER][null]=true&sort=-DATE` */
    filter: plainText(MAX_SEARCH).optional(),
    revisionIds: z.array(revisionIdSchema).optional(),
  })
  .refine(({ filter, revisionIds }) => (filter === undefined) !== (revisionIds === undefined), {
    message: 'Either “filter” or “revisionIds” is needed.',
  });
export type CreateQueueBody = z.infer<typeof createQueueBody>;

/** What a client may say of a revision in a queue; `gone` is found out by the service. */
const keptStateSchema = z.enum(['open', 'corrected', 'skipped']);

const POSITION = 'A position is a whole number from 0.';

/** Body of PATCH …/queues/:queueId. */
export const changeQueueBody = z.strictObject({
  position: z
    .custom<JsonNumber>((value) => value instanceof JsonNumber, POSITION)
    .transform(({ source }) => Number(source))
    .refine((value) => Number.isInteger(value) && value >= 0 && value <= MAX_IDS, POSITION)
    .meta({ description: 'from 0; the number of revisions: at the end', type: 'integer' })
    .optional(),
  field: plainText(MAX_NAME).nullable().optional(),
  states: z
    .array(z.strictObject({ revisionId: revisionIdSchema, state: keptStateSchema }))
    .optional(),
});
export type ChangeQueueBody = z.infer<typeof changeQueueBody>;

const queueStateSchema = z.enum(['open', 'corrected', 'skipped', 'gone']);

export const queueSchema = z.object({
  queueId: z.string(),
  name: z.string(),
  /** null: its revisions were named one by one */
  filter: z.string().nullable(),
  total: z.number(),
  /** from 0; `total`: at the end */
  position: z.number(),
  counts: z.object({ corrected: z.number(), skipped: z.number(), gone: z.number() }),
  createdAt: instant,
  usedAt: instant,
  /** the index field where the clerk was */
  field: z.string().nullable(),
});
export type Queue = z.infer<typeof queueSchema>;
export const queuesAnswer = z.object({ queues: z.array(queueSchema) });

export const queueRevisionSchema = z.object({
  position: z.number(),
  revisionId: z.string(),
  state: queueStateSchema,
});
export type QueueRevision = z.infer<typeof queueRevisionSchema>;
export const queueRevisionsAnswer = z.object({
  revisions: z.array(queueRevisionSchema),
  meta: z.object({
    pagination: z.object({ total: z.number(), limit: z.number(), offset: z.number() }),
  }),
});

export const flagBody = z.strictObject({ note: plainText(MAX_NOTE) });
export const flagSchema = z.object({ revisionId: z.string(), note: z.string(), at: instant });
export type Flag = z.infer<typeof flagSchema>;
export const flagsAnswer = z.object({ flags: z.array(flagSchema) });

export const viewerBody = z.strictObject({ editing: z.boolean() });
export const viewerSchema = z.object({
  username: z.string(),
  displayName: z.string(),
  since: instant,
  editing: z.boolean(),
});
export type Viewer = z.infer<typeof viewerSchema>;
export const viewersAnswer = z.object({ viewers: z.array(viewerSchema) });

/** Body of POST …/views and PUT …/views/:viewId. */
export const viewBody = z.strictObject({
  name: nameSchema,
  /** for all who see the archive */
  shared: z.boolean(),
  /** the list's address: where, q, sort, columns and widths as one query text */
  search: plainText(MAX_SEARCH),
});
export type ViewBody = z.infer<typeof viewBody>;
export const viewSchema = z.object({
  viewId: z.string(),
  name: z.string(),
  shared: z.boolean(),
  /** the name of the user who made it; null: it came with the content */
  owner: z.string().nullable(),
  mine: z.boolean(),
  search: z.string(),
});
export type View = z.infer<typeof viewSchema>;
export const viewsAnswer = z.object({ views: z.array(viewSchema) });

export const lastViewBody = z.strictObject({ search: plainText(MAX_SEARCH) });
/** null: none is remembered */
export const lastViewAnswer = z.object({ search: z.string().nullable() });

export const suggestionsAnswer = z.object({
  suggestions: z.array(z.object({ value: scalarSchema, count: z.number() })),
});
