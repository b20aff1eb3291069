import * as z from 'zod/mini';
import { historyEntrySchema } from './answers.ts';

/** The kinds of audit entries, by which the audit is filtered. */
export const AUDIT_KINDS = ['data', 'definition', 'access', 'sign-in', 'refused'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** What an entry is about. */
export const AUDIT_SUBJECTS = [
  'archive',
  'table',
  'definition',
  'user',
  'group',
  'session',
  'token',
  'system',
  'refused',
] as const;

const auditEntrySchema = z.extend(historyEntrySchema, {
  /** null: a refusal of an unknown account */
  user: z.nullable(z.string()),
  kind: z.enum(AUDIT_KINDS),
  subject: z.enum(AUDIT_SUBJECTS),
  /** the action: create, load, change, delete, lock, restore, purge */
  action: z.string(),
  /** the table name of the archive that it is about */
  archive: z.optional(z.string()),
  /** the GUID of the table that it is about */
  table: z.optional(z.string()),
  /** the revisionId or jrid; of users, sessions and tokens the user name, of groups their name; else null */
  id: z.nullable(z.string()),
  /** the client's address; null: a command or background work */
  address: z.nullable(z.string()),
  /** the entry of the purge that removed changes of the entry */
  purgedBy: z.optional(z.string()),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditAnswer = z.object({
  entries: z.array(auditEntrySchema),
  meta: z.object({
    /** `sealedUpTo`: the position of the newest sealed entry; `head`: NUMBER/POSITION/HASH/TIME of the newest block */
    chain: z.object({ sealedUpTo: z.number(), head: z.string() }),
    /** `next`: for `after`; null: there are no older entries. A page may hold fewer entries than `limit`. */
    pagination: z.object({ limit: z.number(), next: z.nullable(z.string()) }),
  }),
});
export type AuditAnswer = z.infer<typeof auditAnswer>;

/** A record as it was after an entry; `exists` false: the entry deleted it, and these were its last values. */
const recordAtEntrySchema = z.object({
  exists: z.boolean(),
  values: z.array(z.object({ name: z.string(), value: z.unknown() })),
});
export type RecordAtEntry = z.infer<typeof recordAtEntrySchema>;

export const auditEntryAnswer = z.object({
  entries: z.array(auditEntrySchema),
  /** null: the entry is about no record */
  record: z.nullable(recordAtEntrySchema),
});
export type AuditEntryAnswer = z.infer<typeof auditEntryAnswer>;
