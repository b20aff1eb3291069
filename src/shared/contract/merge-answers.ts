import * as z from 'zod/mini';
import { datasetSchema, findingsSchema, scalarSchema } from './answers.ts';

/* Answers about merges of records (docs/interface/checks.md, section 5). */

const placeShape = {
  kind: z.enum(['archive', 'table']),
  /** the archive's table name, or the table's guid */
  id: z.string(),
};

const referenceSchema = z.object({
  ...placeShape,
  /** the display name of the archive or table */
  name: z.string(),
  /** the field that looks values up in the table */
  field: z.string(),
  label: z.string(),
  /** its values that are replaced, and the one that replaces them */
  from: z.array(scalarSchema),
  to: scalarSchema,
  /** in how many records */
  count: z.number(),
});
export type MergeReference = z.infer<typeof referenceSchema>;

export const mergePlanAnswer = z.object({
  merge: z.object({
    keep: z.string(),
    removed: z.array(z.string()),
    /** of the record that remains */
    changes: z.array(z.object({ name: z.string(), before: scalarSchema, after: scalarSchema })),
    references: z.array(referenceSchema),
  }),
});
export type MergePlan = z.infer<typeof mergePlanAnswer>['merge'];

export const mergedAnswer = z.object({
  datasets: z.array(datasetSchema),
  meta: z.object({
    etags: z.record(z.string(), z.string()),
    findings: findingsSchema,
    /** the input of `merges/undo` that takes the merge back */
    undo: z.array(z.object({ ...placeShape, historyIds: z.array(z.string()) })),
  }),
});
export type Merged = z.infer<typeof mergedAnswer>;
