import * as z from 'zod';
import * as requestsTexts from '#messages/requests.ts';
import { MAX_MERGED } from '../rules/limits.ts';
import { columnValuesSchema, ifMatchSchema, jridSchema, undoBody } from './requests.ts';

/** Body of a merge of records, and of its plan (docs/interface/checks.md, section 5). */
export const mergeBody = z.strictObject({
  /** the record that remains */
  keep: z.strictObject({ jrid: jridSchema, ifMatch: ifMatchSchema.optional() }),
  /** those that are deleted */
  merge: z
    .array(z.strictObject({ jrid: jridSchema, ifMatch: ifMatchSchema.optional() }))
    .min(1, requestsTexts.noDataset)
    .max(MAX_MERGED),
  /** the values that the remaining record takes from the others, by column */
  values: columnValuesSchema
    .meta({
      description: 'new column values of the record that remains, by column name',
      type: 'object',
    })
    .optional(),
});
export type MergeBody = z.infer<typeof mergeBody>;

/** Body of the undo of a merge: `meta.undo` of its answer. */
export const undoMergeBody = z.strictObject({
  undo: z
    .array(
      z.strictObject({
        kind: z.enum(['archive', 'table']),
        /** the archive's table name, or the table's guid */
        id: z.string().max(200),
        historyIds: undoBody.shape.historyIds,
      }),
    )
    .min(1)
    .max(1_000),
});
export type UndoMergeBody = z.infer<typeof undoMergeBody>;
