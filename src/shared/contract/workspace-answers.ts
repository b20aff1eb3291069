import * as z from 'zod/mini';
import { scalarSchema } from './answers.ts';

/* Answers about what clerks store besides the records: queues, flags, views, and who is viewing what. */

const instant = z.iso.datetime();

const queueStateSchema = z.enum(['open', 'corrected', 'unchanged', 'skipped', 'gone']);

const queueSchema = z.object({
  queueId: z.string(),
  name: z.string(),
  /** null: its revisions were named individually */
  filter: z.nullable(z.string()),
  total: z.number(),
  /** from 0; `total`: at the end */
  position: z.number(),
  counts: z.object({
    corrected: z.number(),
    /** viewed and not changed */
    unchanged: z.number(),
    skipped: z.number(),
    gone: z.number(),
  }),
  createdAt: instant,
  usedAt: instant,
  /** the index field that the clerk was in */
  field: z.nullable(z.string()),
});
export type Queue = z.infer<typeof queueSchema>;
/** An unfinished queue as all pages offer it, with the table name of its archive. */
const openQueueSchema = z.extend(
  z.pick(queueSchema, { queueId: true, name: true, total: true, position: true, usedAt: true }),
  { archive: z.string() },
);
export type OpenQueue = z.infer<typeof openQueueSchema>;
export const openQueuesAnswer = z.object({ queues: z.array(openQueueSchema) });

export const queuesAnswer = z.object({ queues: z.array(queueSchema) });

const queueRevisionSchema = z.object({
  position: z.number(),
  revisionId: z.string(),
  state: queueStateSchema,
});
export type QueueRevision = z.infer<typeof queueRevisionSchema>;
export const queueRevisionsAnswer = z.object({
  revisions: z.array(queueRevisionSchema),
  meta: z.object({
    pagination: z.object({
      /** left out for `total=false` */
      total: z.optional(z.number()),
      limit: z.number(),
      offset: z.number(),
    }),
  }),
});

const flagSchema = z.object({ revisionId: z.string(), note: z.string(), at: instant });
export type Flag = z.infer<typeof flagSchema>;
export const flagsAnswer = z.object({ flags: z.array(flagSchema) });

export const viewerSchema = z.object({
  username: z.string(),
  displayName: z.string(),
  since: instant,
  editing: z.boolean(),
});
export type Viewer = z.infer<typeof viewerSchema>;
export const viewersAnswer = z.object({ viewers: z.array(viewerSchema) });

export const viewSchema = z.object({
  viewId: z.string(),
  name: z.string(),
  shared: z.boolean(),
  /** the name of the user who created it; null: it came with the content */
  owner: z.nullable(z.string()),
  mine: z.boolean(),
  search: z.string(),
});
export type View = z.infer<typeof viewSchema>;
export const viewsAnswer = z.object({ views: z.array(viewSchema) });

/** null: none is stored */
export const lastViewAnswer = z.object({ search: z.nullable(z.string()) });

export const suggestionsAnswer = z.object({
  suggestions: z.array(z.object({ value: scalarSchema, count: z.number() })),
});
