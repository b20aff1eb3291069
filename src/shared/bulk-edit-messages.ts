import * as z from 'zod';
import { paginationSchema, scalarSchema } from './answers.ts';
import { jsonValueSchema } from './definitions.ts';
import { JsonNumber } from './json.ts';
import { MAX_IDS } from './lists.ts';
import { revisionIdSchema } from './requests.ts';
import { CASES } from './text-edits.ts';
import { textSchema } from './texts.ts';

const { limit, next } = paginationSchema.shape;
const partSchema = z.object({ limit, next, total: z.number() });

const MAX_EDITS = 100;
const MAX_EDIT_TEXT = 10_000;
/** Of the texts of all edits: they are read again with each part of the job, and listed. */
const MAX_LENGTH = 2_500_000;

const field = z.string();
const plainText = (min: number, max: number) => textSchema.min(min).max(max);
const editText = plainText(0, MAX_EDIT_TEXT);
const filledText = plainText(1, MAX_EDIT_TEXT);
const decimal = z.enum(['.', ',']).nullable().default(null);
const order = z.enum(['dmy', 'mdy', 'ymd']).nullable().default(null);

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
    decimal,
    order,
  }),
]);

const MANY_IDS = `At most ${MAX_IDS.toLocaleString('en')} revisions can be edited at once.`;

/** Ids by the hundred thousand, checked without a schema for each. */
const revisionIdsSchema = z
  .custom<(string | JsonNumber)[]>(
    (value) => Array.isArray(value) && value.length > 0,
    'At least one revision is needed.',
  )
  .refine((ids) => ids.length <= MAX_IDS, MANY_IDS)
  .transform((ids, context): number[] => {
    const numbers: number[] = [];
    for (const id of ids) {
      const text = id instanceof JsonNumber ? id.source : id;
      const known = typeof text === 'string' && /^[1-9][0-9]{0,14}$/.test(text);
      if (!known && !revisionIdSchema.safeParse(id).success) {
        context.addIssue({ code: 'custom', message: 'A revisionId is a positive whole number.' });
        return z.NEVER;
      }
      numbers.push(Number(text));
    }
    return numbers;
  })
  .meta({ description: 'ids of revisions, as text or number', type: 'array' });

/** Body of POST of a bulk edit. */
export const bulkEditBody = z.strictObject({
  selection: z.union([
    z.strictObject({ revisionIds: revisionIdsSchema }),
    /** the query text of `index/ids`: `where[…][…]`, `q`, `sort` */
    z.strictObject({ filter: plainText(0, 100_000) }),
  ]),
  edits: z
    .array(bulkEditInput)
    .min(1, 'At least one edit is needed.')
    .max(MAX_EDITS)
    .refine((edits) => lengthOf(edits) <= MAX_LENGTH, {
      message: `All edits together have at most ${MAX_LENGTH.toLocaleString('en')} characters.`,
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

/** The id of a bulk edit, as it stands in a path. */
export const bulkEditIdSchema = z
  .string()
  .regex(/^[1-9][0-9]{0,8}$/)
  .transform(Number);

const ON_CHANGED = ['leaveOut', 'refuse'] as const;
export type OnChanged = (typeof ON_CHANGED)[number];

export const applyBody = z.strictObject({ onChanged: z.enum(ON_CHANGED).default('leaveOut') });

const BULK_EDIT_STATES = [
  'planned',
  'applying',
  'paused',
  'done',
  'stopped',
  'undoing',
  'undone',
] as const;
export type BulkEditState = (typeof BULK_EDIT_STATES)[number];

/** What is to become, or has become, of a revision of a bulk edit. */
export const OUTCOMES = [
  /** is to be changed */
  'changed',
  /** is to be created; of data tables alone */
  'new',
  'unchanged',
  /** the result breaks a rule of a field */
  'invalid',
  /** another user holds the lock */
  'locked',
  /** there is no such revision */
  'missing',
  'done',
  /** created, as planned; of data tables alone */
  'created',
  /** changed, locked or deleted by others since the plan, and so left out */
  'conflict',
  /** done and taken back */
  'takenback',
  /** done and not taken back, as it was changed since */
  'left',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const bulkEditCountsSchema = z.object({
  total: z.number(),
  /** planned to be changed, whatever has become of them */
  changed: z.number(),
  /** planned to be created, whatever has become of them; of data tables alone */
  created: z.number().optional(),
  unchanged: z.number(),
  invalid: z.number(),
  locked: z.number(),
  missing: z.number(),
  /** still to be changed */
  pending: z.number(),
  /** changed or created, and not taken back since */
  done: z.number(),
  conflicts: z.number(),
  takenBack: z.number(),
  /** left out when taking back */
  left: z.number(),
});
export type BulkEditCounts = z.infer<typeof bulkEditCountsSchema>;

const answeredEdit = z.object({ field: z.string(), do: z.string() }).loose();

const bulkEditSchema = z.object({
  bulkEditId: z.string(),
  kind: z.enum(['edit', 'import']),
  state: z.enum(BULK_EDIT_STATES),
  /** as they were sent; none for an import */
  edits: z.array(answeredEdit),
  counts: bulkEditCountsSchema,
  onChanged: z.enum(ON_CHANGED),
  createdAt: z.string(),
  createdBy: z.string(),
  finishedAt: z.string().nullable(),
  /** why it stopped */
  message: z.string().nullable(),
});
export type AnsweredBulkEdit = z.infer<typeof bulkEditSchema>;
export const bulkEditsAnswer = z.object({ bulkedits: z.array(bulkEditSchema) });

const bulkEditRevisionSchema = z.object({
  revisionId: z.string(),
  outcome: z.enum(OUTCOMES),
  changes: z.array(z.object({ name: z.string(), before: scalarSchema, after: scalarSchema })),
  message: z.string().nullable(),
});
export const bulkEditDatasetsAnswer = z.object({
  datasets: z.array(
    bulkEditRevisionSchema.omit({ revisionId: true }).extend({
      /** null: it is to be created, or was not found */
      jrid: z.string().nullable(),
      /** of the imported file, from 1; null where there is a jrid */
      line: z.number().nullable(),
    }),
  ),
  meta: z.object({
    pagination: partSchema,
  }),
});
export type BulkEditDataset = z.infer<typeof bulkEditDatasetsAnswer>['datasets'][number];
export type BulkEditRevision = z.infer<typeof bulkEditRevisionSchema>;
export const bulkEditRevisionsAnswer = z.object({
  revisions: z.array(bulkEditRevisionSchema),
  meta: z.object({
    pagination: partSchema,
  }),
});
