import * as z from 'zod/mini';
import { SEVERITIES } from '../rules/check-words.ts';
import { scalarSchema } from './answers.ts';

/* Answers about checks (docs/interface/checks.md, section 3). */

const answeredCheckSchema = z.object({
  name: z.string(),
  label: z.string(),
  severity: z.enum(SEVERITIES),
  /** null: built in, or on duplicates; left out if it names a table that the caller cannot see */
  rule: z.optional(z.nullable(z.string())),
  /** the condition of a rule; left out if it has none, and whenever the rule is left out */
  when: z.optional(z.string()),
  duplicates: z.optional(z.array(z.array(z.string()))),
  /** the fields that a finding marks */
  fields: z.array(z.string()),
  /** null: not counted yet */
  count: z.nullable(z.number()),
  /** a known minimum */
  atLeast: z.number(),
  /** the number of records that are declared right */
  excepted: z.number(),
  /** when the count was last up to date */
  asOf: z.nullable(z.string()),
});
export type AnsweredCheck = z.infer<typeof answeredCheckSchema>;
export const checksAnswer = z.object({ checks: z.array(answeredCheckSchema) });

export const triedRuleAnswer = z.object({
  count: z.number(),
  examples: z.array(z.object({ id: z.string(), fields: z.record(z.string(), scalarSchema) })),
});
export type TriedRule = z.infer<typeof triedRuleAnswer>;

/** The maximum number of groups of one page, and of listed records of a group. */
export const MAX_DUPLICATE_GROUPS = 1_000;
export const MAX_LISTED_IN_GROUP = 50;

const duplicateGroupSchema = z.object({
  /** identifies the group while it exists; groups are in the order of their first records */
  group: z.string(),
  /** the list of fields in which the records are equal */
  fields: z.array(z.string()),
  /** the first records, at most 50 */
  ids: z.array(z.string()),
  /** the number of records in the group */
  count: z.number(),
});
export type DuplicateGroup = z.infer<typeof duplicateGroupSchema>;
export const duplicateGroupsAnswer = z.object({
  groups: z.array(duplicateGroupSchema),
  meta: z.object({
    /** when the groups were right; null: the check is being counted for the first time */
    asOf: z.nullable(z.string()),
    /** `next`: the `after` of the next page; null: there are no more */
    pagination: z.object({ limit: z.number(), next: z.nullable(z.string()) }),
  }),
});
export type DuplicateGroups = z.infer<typeof duplicateGroupsAnswer>;
