import * as z from 'zod';

const statementSchema = z.object({
  sql: z.string(),
  /** texts are filled in as those of requests (load/job.ts) */
  parameters: z.array(z.union([z.string(), z.number(), z.null()])),
});

export const rawJobSchema = z.object({
  /** the database */
  file: z.string(),
  /** the statements that belong together; taken in turn */
  units: z.array(z.array(statementSchema)),
  ids: z.int(),
  /** after each unit, once after all, or for reading alone not at all; flushed to the disk */
  commit: z.enum(['each', 'once', 'none']),
  seconds: z.number(),
  /** so many units instead of so many seconds */
  times: z.int().optional(),
});
export type RawJob = z.infer<typeof rawJobSchema>;

export const rawTimesSchema = z.object({
  /** milliseconds in all, with the last commit */
  all: z.number(),
  perSecond: z.number(),
  /** milliseconds of a unit */
  p50: z.number(),
});
export type RawTimes = z.infer<typeof rawTimesSchema>;
