import * as z from 'zod/mini';

/* Answers about values of one field that are nearly equal (docs/interface/value-cleanup.md). */

/** The most values of a field that are compared: those that most records have. */
export const MAX_COMPARED_VALUES = 50_000;

/** The most clusters of an answer. */
export const MAX_CLUSTERS = 1_000;

/** The most values that are corrected together. */
export const MAX_REPLACEMENTS = 1_000;

/** The letters by which values may differ, of which a call chooses. */
export const CLUSTER_DISTANCES = ['0', '1', '2'] as const;

const valueClusterSchema = z.object({
  /** the largest distance of two fingerprints; 0: the values differ only in case, accents, punctuation or the order of words */
  distance: z.number(),
  /** in how many records one of the values stands */
  count: z.number(),
  /** most frequent first: the first is proposed as the right one */
  values: z.array(z.object({ value: z.string(), count: z.number() })),
});

const valueAliasSchema = z.object({
  aliasId: z.string(),
  alias: z.string(),
  /** what it is corrected to */
  value: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
});
export const valueAliasesAnswer = z.object({
  /** in the order of the right values */
  aliases: z.array(valueAliasSchema),
});

export const valueClustersAnswer = z.object({
  /** at most 1,000, those first whose correction changes most records */
  clusters: z.array(valueClusterSchema),
  meta: z.object({
    /** how many clusters there are */
    clusters: z.number(),
    /** how many different values the matching records have */
    values: z.number(),
    /** how many of them were compared */
    compared: z.number(),
    /** why not everything was compared or answered; null: it was */
    message: z.nullable(z.string()),
  }),
});
export type ValueClusters = z.infer<typeof valueClustersAnswer>;
