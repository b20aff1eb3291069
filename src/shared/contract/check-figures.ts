import * as z from 'zod/mini';
import { SEVERITIES } from '../rules/check-words.ts';

/* Statistics about the findings of checks (docs/interface/checks.md, section 4). */

/** The maximum number of days of one call, and the default. */
export const MAX_FIGURE_DAYS = 366;
export const DEFAULT_FIGURE_DAYS = 90;
/** The number of records with findings that are examined for fields and origins. */
export const MAX_EXAMINED = 5_000;

/** Where the values of a finding came from, as far as the history shows. */
const ORIGINS = [
  'load',
  'import',
  'paste',
  'edit',
  /** a batch that is no longer stored */
  'bulk',
  'undo',
  /** a person, or a program in a person's name */
  'person',
  'definition',
  'other',
] as const;
export type Origin = (typeof ORIGINS)[number];

const dailySchema = z.array(z.nullable(z.number()));

export const figuresAnswer = z.object({
  /** `YYYY-MM-DD` in the time zone of the service, the last is today; daily figures have a value for each */
  days: z.array(z.string()),
  /** documents of an archive, records of a table */
  records: z.object({
    total: z.number(),
    withFindings: z.number(),
    /** the records with findings; null: not known */
    daily: dailySchema,
  }),
  checks: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      severity: z.enum(SEVERITIES),
      /** null: not counted yet */
      count: z.nullable(z.number()),
      /** findings that were corrected in these days; null: not known, because fields of the check are hidden */
      corrected: z.nullable(z.number()),
      /** counts at the ends of the days; null: not known */
      daily: dailySchema,
    }),
  ),
  corrections: z.object({
    /** findings that were corrected in these days, and on each day */
    count: z.number(),
    daily: z.array(z.number()),
    /** by the caller; null: an administrator is seeing as another user */
    own: z.nullable(z.number()),
    /** by user, the highest count first; null: the service does not show it, or not to this caller */
    people: z.nullable(
      z.array(
        z.object({
          /** null: not known, or no user */
          username: z.nullable(z.string()),
          displayName: z.nullable(z.string()),
          count: z.number(),
        }),
      ),
    ),
  }),
  /** of the newest records with findings */
  examined: z.object({
    records: z.number(),
    /** findings by the fields that they mark, the highest count first; a finding may mark several */
    fields: z.array(z.object({ name: z.string(), findings: z.number() })),
    /** findings by the origin of the newest of the values that they mark, the highest count first */
    origins: z.array(z.object({ origin: z.enum(ORIGINS), findings: z.number() })),
  }),
});
export type Figures = z.infer<typeof figuresAnswer>;
