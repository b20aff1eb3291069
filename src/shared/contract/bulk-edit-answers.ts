import * as z from 'zod/mini';
import { SEVERITIES } from '../rules/check-words.ts';
import { paginationSchema, scalarSchema } from './answers.ts';

export const ON_CHANGED = ['leaveOut', 'refuse'] as const;
export type OnChanged = (typeof ON_CHANGED)[number];

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

/** The planned or actual outcome of a record in a batch. */
export const OUTCOMES = [
  /** will be changed */
  'changed',
  /** will be created */
  'new',
  'unchanged',
  /** the result breaks a rule of a field */
  'invalid',
  /** another user holds the lock */
  'locked',
  /** there is no such revision */
  'missing',
  'done',
  /** created, as planned */
  'created',
  /** changed, locked or deleted by others since the plan, and therefore left out */
  'conflict',
  /** done and then undone */
  'takenback',
  /** done and not undone, because it was changed since */
  'left',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

const bulkEditCountsSchema = z.object({
  total: z.number(),
  /** planned to be changed, whatever their outcome */
  changed: z.number(),
  /** planned to be created, whatever their outcome */
  created: z.optional(z.number()),
  unchanged: z.number(),
  invalid: z.number(),
  locked: z.number(),
  missing: z.number(),
  /** not changed yet */
  pending: z.number(),
  /** changed or created, and not undone since */
  done: z.number(),
  conflicts: z.number(),
  /** undone: with the outcome `takenback` */
  takenBack: z.number(),
  /** left out by the undo */
  left: z.number(),
});
export type BulkEditCounts = z.infer<typeof bulkEditCountsSchema>;

const answeredEdit = z.looseObject({ field: z.string(), do: z.string() });

/** The number of findings of a check that a plan adds and removes. */
const plannedFindingsSchema = z.object({
  check: z.string(),
  label: z.string(),
  severity: z.enum(SEVERITIES),
  brings: z.number(),
  removes: z.number(),
});

const bulkEditSchema = z.object({
  bulkEditId: z.string(),
  kind: z.enum(['edit', 'import', 'paste']),
  /** of an import; left out if an older version planned it */
  fileName: z.optional(z.string()),
  state: z.enum(BULK_EDIT_STATES),
  /** as they were sent; empty for an import or a paste */
  edits: z.array(answeredEdit),
  counts: bulkEditCountsSchema,
  /** as of the plan, of checks on single records; left out if nothing was planned */
  findings: z.optional(z.array(plannedFindingsSchema)),
  onChanged: z.enum(ON_CHANGED),
  createdAt: z.string(),
  createdBy: z.string(),
  finishedAt: z.nullable(z.string()),
  /** why it stopped */
  message: z.nullable(z.string()),
});
export type AnsweredBulkEdit = z.infer<typeof bulkEditSchema>;
export const bulkEditsAnswer = z.object({ bulkedits: z.array(bulkEditSchema) });
export const bulkEditListAnswer = z.extend(bulkEditsAnswer, {
  meta: z.object({ pagination: z.pick(paginationSchema, { limit: true, next: true }) }),
});

const changeSchema = z.object({ name: z.string(), before: scalarSchema, after: scalarSchema });
/** Of a keyword field, `keyword.NAME` as in the history. */
const keywordsChangeSchema = z.object({
  name: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});
/** The cells of a row that an import refuses, with the headers of their columns. */
const cellsSchema = z.array(
  z.object({
    header: z.string(),
    text: z.string(),
    /** what is wrong with this cell; left out if only the message of the row says it */
    message: z.optional(z.string()),
  }),
);
export type RowCell = z.infer<typeof cellsSchema>[number];
const bulkEditRevisionSchema = z.object({
  /** null: it will be created, or was not found */
  revisionId: z.nullable(z.string()),
  /** of the imported file, from 1; left out if there is a revisionId */
  line: z.optional(z.number()),
  /** left out if the row is not refused, or has a cell of more than 10,000 characters */
  cells: z.optional(cellsSchema),
  outcome: z.enum(OUTCOMES),
  changes: z.array(z.union([changeSchema, keywordsChangeSchema])),
  message: z.nullable(z.string()),
});
const pagination = z.extend(z.pick(paginationSchema, { limit: true, next: true }), {
  /** left out for `total=false` */
  total: z.optional(z.number()),
});
export const bulkEditDatasetsAnswer = z.object({
  datasets: z.array(
    z.extend(z.omit(bulkEditRevisionSchema, { revisionId: true, changes: true }), {
      changes: z.array(changeSchema),
      /** null: it will be created, or was not found */
      jrid: z.nullable(z.string()),
      /** of the imported file or of the paste, from 1; null if there is a jrid */
      line: z.nullable(z.number()),
    }),
  ),
  meta: z.object({ pagination }),
});
export type BulkEditDataset = z.infer<typeof bulkEditDatasetsAnswer>['datasets'][number];
export type BulkEditRevision = z.infer<typeof bulkEditRevisionSchema>;
export const bulkEditRevisionsAnswer = z.object({
  revisions: z.array(bulkEditRevisionSchema),
  meta: z.object({ pagination }),
});
