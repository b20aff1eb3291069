import * as z from 'zod/mini';
import {
  columnDefinitionSchema,
  scalarSchema,
  fieldDefinitionSchema,
  historyEntrySchema,
  keywordFieldDefinitionSchema,
} from './answers.ts';
import { BUILT_IN_CHECKS, IGNORED_IN_DUPLICATES, SEVERITIES } from '../rules/check-words.ts';

/* Answers about the definitions of archives and tables (docs/interface/administration.md, section 1). */

/** null: it is in use; otherwise since when it is retired, ISO 8601 in UTC */
const retiredAt = z.nullable(z.string());

/** of a retired field: the name of the one that it stood after; null: it was the first; missing: not known */
const stoodAfter = z.optional(z.nullable(z.string()));

const definitionShape = {
  guid: z.string(),
  description: z.string(),
  retiredAt,
  /** 1 when it is created, incremented with each change */
  version: z.number(),
};

const names = z.readonly(z.array(z.string()));

const checksShape = {
  checks: z.optional(
    z.readonly(
      z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          severity: z.enum(SEVERITIES),
          rule: z.optional(z.string()),
          when: z.optional(z.string()),
          fields: z.optional(names),
          duplicates: z.optional(z.readonly(z.array(names))),
          ignore: z.optional(z.readonly(z.array(z.enum(IGNORED_IN_DUPLICATES)))),
        }),
      ),
    ),
  ),
  /** the built-in checks that are turned off */
  checksOff: z.optional(z.readonly(z.array(z.enum(BUILT_IN_CHECKS)))),
};

const definedArchiveSchema = z.object({
  ...definitionShape,
  ...checksShape,
  table: z.string(),
  name: z.string(),
  documents: z.number(),
  indexFields: z.array(z.extend(fieldDefinitionSchema, { retiredAt, stoodAfter })),
  keywordFields: z.array(z.extend(keywordFieldDefinitionSchema, { retiredAt, stoodAfter })),
});
export type DefinedArchive = z.infer<typeof definedArchiveSchema>;

const definedTableSchema = z.object({
  ...definitionShape,
  ...checksShape,
  name: z.string(),
  label: z.string(),
  datasets: z.number(),
  columns: z.array(z.extend(columnDefinitionSchema, { retiredAt, stoodAfter })),
  uniqueTogether: z.optional(z.array(z.array(z.string()))),
});
export type DefinedTable = z.infer<typeof definedTableSchema>;

export const definedArchivesAnswer = z.object({ archives: z.array(definedArchiveSchema) });
export const definedTablesAnswer = z.object({ tables: z.array(definedTableSchema) });

export const CHANGE_KINDS = [
  'add',
  'change',
  'rename',
  'retire',
  'restore',
  'reorder',
  'describe',
] as const;

/** What a change of a definition does, and how it affects stored values. */
const planSchema = z.object({
  changes: z.array(
    z.object({
      kind: z.enum(CHANGE_KINDS),
      /** null: the archive or table itself */
      field: z.nullable(z.string()),
      properties: z.array(z.string()),
      /** stored values that the change affects */
      affected: z.number(),
      /** those that break the new rule or cannot be converted */
      misfits: z.number(),
      /** some of them, with the revisionId or jrid */
      examples: z.array(z.object({ id: z.string(), value: scalarSchema })),
    }),
  ),
  /** whether there are no misfits */
  safe: z.boolean(),
});
export type AnsweredPlan = z.infer<typeof planSchema>;

export const planAnswer = z.object({ plan: planSchema });

const jobSchema = z.object({
  jobId: z.string(),
  kind: z.enum(['change', 'purge']),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** the number of records */
  done: z.number(),
  total: z.number(),
  /** the code of an error, if the job has failed */
  error: z.nullable(z.string()),
  /** of a change that was refused */
  plan: z.optional(planSchema),
});
export type AnsweredJob = z.infer<typeof jobSchema>;
export const jobsAnswer = z.object({ jobs: z.array(jobSchema) });

/** The answer of a call that changes a definition: the definition, its plan (`dryRun=true`), or the job that does it (202). */
export const changedArchivesAnswer = z.union([definedArchivesAnswer, planAnswer, jobsAnswer]);
export const changedTablesAnswer = z.union([definedTablesAnswer, planAnswer, jobsAnswer]);

/** The history of a definition: a change is of a property, or of a field as `indexFields.NAME` and the like. */
export const definitionHistoryAnswer = z.object({
  history: z.array(historyEntrySchema),
});

/** A definition file (docs/guides/definition-files.md) with one archive or table. */
export const exportAnswer = z.looseObject({
  archives: z.optional(z.array(z.unknown())),
  tables: z.optional(z.array(z.unknown())),
  groups: z.optional(z.array(z.unknown())),
});

/** The revisions whose values would not meet a changed definition. */
export const misfitsAnswer = z.object({ revisionIds: z.array(z.string()) });

/** The records whose values would not meet a changed definition. */
export const misfitRecordsAnswer = z.object({ jrids: z.array(z.string()) });
