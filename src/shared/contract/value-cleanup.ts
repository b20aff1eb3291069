import * as z from 'zod/mini';

/* Answers about nearly equal values of one field (docs/interface/value-cleanup.md). */

/** The maximum number of values of a field that are compared: the most frequent ones. */
export const MAX_COMPARED_VALUES = 50_000;

/** The maximum number of clusters of an answer. */
export const MAX_CLUSTERS = 1_000;

/** The maximum number of values that are corrected together. */
export const MAX_REPLACEMENTS = 1_000;

/** The number of letters in which values may differ; a call chooses one. */
export const CLUSTER_DISTANCES = ['0', '1', '2'] as const;

const valueClusterSchema = z.object({
  /** the largest distance of two fingerprints; 0: the values differ only in case, accents, punctuation or the order of words */
  distance: z.number(),
  /** the number of records with one of the values */
  count: z.number(),
  /** most frequent first: the first is proposed as the right one */
  values: z.array(z.object({ value: z.string(), count: z.number() })),
});

const valueAliasSchema = z.object({
  aliasId: z.string(),
  alias: z.string(),
  /** its correction */
  value: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
});
export const valueAliasesAnswer = z.object({
  /** in the order of the right values */
  aliases: z.array(valueAliasSchema),
});

export const valueClustersAnswer = z.object({
  /** at most 1,000; those whose correction changes most records come first */
  clusters: z.array(valueClusterSchema),
  meta: z.object({
    /** the number of clusters */
    clusters: z.number(),
    /** the number of different values in the matching records */
    values: z.number(),
    /** how many of them were compared */
    compared: z.number(),
    /** why not everything was compared or answered; null: everything was */
    message: z.nullable(z.string()),
  }),
});
export type ValueClusters = z.infer<typeof valueClustersAnswer>;
