import * as z from 'zod/mini';
import { instantSchema } from './common-schemas.ts';

/** The result of a job. */
const resultSchema = z.object({
  /** of a backup: its size, the documents' files in it, and those that are missing or damaged */
  bytes: z.optional(z.number()),
  files: z.optional(z.number()),
  missing: z.optional(z.number()),
  /** of a verification: the number of findings, the first of them, and what was verified */
  findings: z.optional(z.number()),
  problems: z.optional(z.array(z.string())),
  parts: z.optional(z.array(z.string())),
});
export type SystemJobResult = z.infer<typeof resultSchema>;

const SYSTEM_JOB_KINDS = ['backup', 'backup-check', 'verification'] as const;
export type SystemJobKind = (typeof SYSTEM_JOB_KINDS)[number];

const STATES = ['running', 'cancelling', 'done', 'failed', 'cancelled'] as const;

/** A backup, the check of one, or the verification of the whole installation. */
const systemJobSchema = z.object({
  jobId: z.string(),
  kind: z.enum(SYSTEM_JOB_KINDS),
  /** the name of the backup */
  backup: z.nullable(z.string()),
  state: z.enum(STATES),
  /** the current step */
  progress: z.nullable(z.string()),
  result: z.nullable(resultSchema),
  /** why it failed */
  error: z.nullable(z.string()),
  startedBy: z.string(),
  startedAt: instantSchema,
  finishedAt: z.nullable(instantSchema),
});
export type SystemJobEntry = z.infer<typeof systemJobSchema>;

/** A job on the records or the definition of an archive or table. */
const collectionJobSchema = z.object({
  jobId: z.string(),
  kind: z.enum(['change', 'purge', 'edit', 'import', 'paste']),
  /** the table name, or the GUID; one of both */
  archive: z.optional(z.string()),
  table: z.optional(z.string()),
  state: z.string(),
  done: z.number(),
  total: z.number(),
  error: z.nullable(z.string()),
  startedBy: z.string(),
  startedAt: instantSchema,
  finishedAt: z.nullable(instantSchema),
});
export type CollectionJob = z.infer<typeof collectionJobSchema>;

export const systemJobsAnswer = z.object({
  /** the newest first */
  jobs: z.array(systemJobSchema),
  /** changes of definitions, newest first */
  definitionJobs: z.array(collectionJobSchema),
  /** batches that are being applied or reverted */
  bulkEdits: z.array(collectionJobSchema),
  /** the newest one that has ended; null: there was none */
  lastVerification: z.nullable(systemJobSchema),
});

export const systemJobAnswer = z.object({ jobs: z.array(systemJobSchema) });

export const backupsAnswer = z.object({
  backups: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      createdAt: instantSchema,
      /** the user who made it; null: not known on this installation */
      createdBy: z.nullable(z.string()),
      /** the documents' files that are missing in it; null: not known */
      missing: z.nullable(z.number()),
      /** when it was last fully checked; null: never */
      checkedAt: z.nullable(instantSchema),
      /** the problem that the last check found; null: none */
      problem: z.nullable(z.string()),
    }),
  ),
  /** where the backups are */
  host: z.string(),
  directory: z.string(),
});
export type BackupEntry = z.infer<typeof backupsAnswer>['backups'][number];
