import * as z from 'zod/mini';
import { historyEntrySchema, scalarSchema } from './answers.ts';

/* What the grid of a data table requests about all matching records, besides the list itself. */

export const positionAnswer = z.object({
  /** the dataset's row in the list, from 0; null: it is not among those that match */
  position: z.nullable(z.number()),
});

export const MAX_DELETED = 1_000;

const deletedSchema = z.extend(historyEntrySchema, { jrid: z.string() });
export type DeletedDataset = z.infer<typeof deletedSchema>;
export const deletedAnswer = z.object({
  /** newest first; `changes` holds the former values, `historyId` is the input of `datasets/undo` */
  deleted: z.array(deletedSchema),
  meta: z.object({
    /** `next`: the `before` of the next page; null: there are no more */
    pagination: z.object({ limit: z.number(), next: z.nullable(z.string()) }),
  }),
});
export type DeletedDatasets = z.infer<typeof deletedAnswer>;

const sumSchema = z
  .nullable(z.union([z.number(), z.string()]))
  .check(
    z.describe(
      'exact: a number where a JSON number holds it (whole numbers within ±(2^53−1), decimals of at most 15 digits), else plain decimal text; null where no number is',
    ),
  );

const columnStatisticsSchema = z.object({
  /** the column, in the spelling of the definition */
  name: z.string(),
  /** datasets with a value in it; null and the empty text do not count */
  filled: z.number(),
  empty: z.number(),
  distinct: z
    .nullable(z.number())
    .check(
      z.describe(
        'how many different values, date-times by instant; null where more than 250,000 datasets match',
      ),
    ),
  min: scalarSchema.check(
    z.describe('in the order of lists; null for booleans and where no value is'),
  ),
  max: scalarSchema,
  sum: sumSchema,
  mean: z
    .nullable(z.string())
    .check(
      z.describe(
        'plain decimal text, rounded half to even to two places more than the column has; null where sum is',
      ),
    ),
});
export type AnsweredColumnStatistics = z.infer<typeof columnStatisticsSchema>;
export const statisticsAnswer = z.object({
  facts: z.array(columnStatisticsSchema),
  /** the number of datasets that the facts cover */
  count: z.number(),
});
export type AnsweredStatistics = z.infer<typeof statisticsAnswer>;

export const GROUP_SORTS = ['count', '-count', 'value', '-value'] as const;

const valueGroupSchema = z.object({
  /** by column, in the spelling of the definition; null and "" are separate groups */
  values: z.record(z.string(), scalarSchema),
  count: z.number(),
  /** by column */
  sums: z.record(z.string(), sumSchema),
});
export type ValueGroup = z.infer<typeof valueGroupSchema>;
export const valueGroupsAnswer = z.object({
  groups: z.array(valueGroupSchema),
  meta: z.object({
    pagination: z.object({
      /** the number of groups; left out for `total=false` */
      total: z.optional(z.number()),
      limit: z.number(),
      offset: z.number(),
    }),
  }),
});
