import * as z from 'zod/mini';
import { instantSchema } from './common-schemas.ts';
import { SEVERITIES } from '../rules/check-words.ts';
import { ACCESS_LEVELS, ROLES } from '../rules/rights.ts';
import { VALUE_TYPES } from '../values/registry.ts';

/** A value in an answer. */
export const scalarSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const sessionSchema = z.object({
  sessionId: z.string(),
  username: z.string(),
  displayName: z.string(),
  role: z.enum(ROLES),
  expiresAt: instantSchema,
  /** the password was generated: until it is changed every other call is 403 `password_change_required` */
  passwordChangeRequired: z.optional(z.literal(true)),
  /** until a second factor is set up every other call is 403 `second_factor_enrolment_required` */
  secondFactorEnrolmentRequired: z.optional(z.literal(true)),
  /** after the session has ended, the browser continues to `application/oidc/sign-out`, to sign out at the provider */
  providerSignOut: z.optional(z.literal(true)),
  /** the username of the administrator who sees as this user, read-only */
  seenBy: z.optional(z.string()),
});
export type Session = z.infer<typeof sessionSchema>;
export const sessionsAnswer = z.object({ sessions: z.array(sessionSchema) });

/** The people whom the caller may see in archives and tables, only by their names. */
export const peopleAnswer = z.object({
  users: z.array(z.object({ username: z.string(), displayName: z.string() })),
});
export type Person = z.infer<typeof peopleAnswer>['users'][number];

/** `key`: Base64 of 32 bytes */
export const storageKeysAnswer = z.object({ storageKeys: z.array(z.object({ key: z.string() })) });

const optionsFromSchema = z.object({
  table: z.string(),
  column: z.string(),
  fills: z.record(z.string(), z.string()),
});

export const fieldDefinitionSchema = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(VALUE_TYPES),
  required: z.boolean(),
  maxLength: z.nullable(z.number()),
  scale: z.nullable(z.number()),
  options: z.nullable(z.array(scalarSchema)),
  min: z.nullable(z.union([z.number(), z.string()])),
  max: z.nullable(z.union([z.number(), z.string()])),
  pattern: z.nullable(z.string()),
  /** what the pattern requires, in words; left out if the definition has no description */
  patternDescription: z.optional(z.string()),
  description: z.string(),
  /** how forms and lists show the field; left out if the definition does not specify it */
  group: z.optional(z.string()),
  width: z.optional(z.literal('half')),
  hiddenInLists: z.optional(z.literal(true)),
  listSort: z.optional(z.enum(['ascending', 'descending'])),
  optionsFrom: z.nullable(optionsFromSchema),
  /** its value is searched for on the pages of the document; left out if it is not */
  onPage: z.optional(z.literal(true)),
  /** the user must not change it; left out if the user may */
  readOnly: z.optional(z.literal(true)),
});

export const columnDefinitionSchema = z.extend(fieldDefinitionSchema, {
  default: scalarSchema,
  unique: z.boolean(),
});

export const keywordFieldDefinitionSchema = z.object({
  name: z.string(),
  label: z.string(),
  readOnly: z.optional(z.literal(true)),
});

const archiveSummarySchema = z.object({
  guid: z.string(),
  table: z.string(),
  name: z.string(),
  description: z.string(),
  /** the number of revisions in the archive */
  documents: z.number(),
  rights: z.enum(ACCESS_LEVELS),
});
export type ArchiveSummary = z.infer<typeof archiveSummarySchema>;

const archiveDetailSchema = z.extend(archiveSummarySchema, {
  indexFieldDefinitions: z.array(fieldDefinitionSchema),
  keywordFieldDefinitions: z.array(keywordFieldDefinitionSchema),
});
export type ArchiveDetail = z.infer<typeof archiveDetailSchema>;

export const archivesAnswer = z.object({
  users: z.object({ archives: z.array(archiveSummarySchema) }),
});
export const archiveAnswer = z.object({
  users: z.object({ archives: z.array(archiveDetailSchema) }),
});

const tableSummarySchema = z.object({
  guid: z.string(),
  name: z.string(),
  label: z.string(),
  description: z.string(),
  /** the number of datasets in the table */
  datasets: z.number(),
  rights: z.enum(ACCESS_LEVELS),
});
export type TableSummary = z.infer<typeof tableSummarySchema>;

const tableDetailSchema = z.extend(tableSummarySchema, {
  columns: z.array(columnDefinitionSchema),
});
export type TableDetail = z.infer<typeof tableDetailSchema>;

export const tablesAnswer = z.object({ tables: z.array(tableSummarySchema) });
export const tableAnswer = z.object({ tables: z.array(tableDetailSchema) });

const namedValueSchema = z.object({ name: z.string(), value: scalarSchema });
const keywordValueSchema = z.object({ name: z.string(), value: z.string() });

/** A revision as the six calls answer it: these three keys and no others (docs/interface/decisions.md, section 5). */
const revisionSchema = z.object({
  revisionId: z.string(),
  indexFields: z.array(namedValueSchema),
  keywordFields: z.array(keywordValueSchema),
});
export type Revision = z.infer<typeof revisionSchema>;

const etagsSchema = z.record(z.string(), z.string());

/** A finding: what a check of the archive or table found in a record (docs/interface/checks.md, section 3). */
const findingSchema = z.object({
  check: z.string(),
  label: z.string(),
  severity: z.enum(SEVERITIES),
  /** the fields that are marked */
  fields: z.array(z.string()),
});
export type Finding = z.infer<typeof findingSchema>;
/** The findings of one record, or by record id if the call is about several. */
export const findingsSchema = z.optional(
  z.union([z.array(findingSchema), z.record(z.string(), z.array(findingSchema))]),
);

/** A record was declared right although it does not meet a check. */
const checkExceptionSchema = z.object({
  check: z.string(),
  label: z.string(),
  /** the fields that the finding marked */
  fields: z.array(z.string()),
  reason: z.string(),
  by: z.string(),
  at: instantSchema,
  /** of duplicates: the ids of the others */
  with: z.optional(z.array(z.string())),
});
export type CheckException = z.infer<typeof checkExceptionSchema>;
/** The exceptions of the record that the call is about; left out if there are none. */
const exceptionsSchema = z.optional(z.array(checkExceptionSchema));

const revisionMetaSchema = z.object({ findings: findingsSchema, exceptions: exceptionsSchema });
export type RevisionMeta = z.infer<typeof revisionMetaSchema>;

export const revisionsAnswer = z.object({
  archivedocumentrevisions: z.array(revisionSchema),
  meta: z.optional(
    z.object({
      /** only of calls about several */
      etags: z.optional(etagsSchema),
      findings: findingsSchema,
      exceptions: exceptionsSchema,
      /** the batch that stores this call, if one was requested */
      bulkEditId: z.optional(z.string()),
    }),
  ),
});

const lockSchema = z.object({ by: z.string(), at: instantSchema });
const fileSchema = z.object({
  fileId: z.string(),
  name: z.string(),
  contentType: z.string(),
  size: z.number(),
});
export type DocumentFile = z.infer<typeof fileSchema>;

const revisionMeta = {
  documentId: z.string(),
  /** 1 for the first revision of the document */
  revision: z.number(),
  createdAt: instantSchema,
  changedAt: instantSchema,
  changedBy: z.string(),
  locked: z.nullable(lockSchema),
};

const revisionDetailSchema = z.extend(revisionSchema, {
  ...revisionMeta,
  files: z.array(fileSchema),
});
export type RevisionDetail = z.infer<typeof revisionDetailSchema>;
export const revisionDetailAnswer = z.object({
  archivedocumentrevisions: z.array(revisionDetailSchema),
  meta: z.optional(revisionMetaSchema),
});

export const paginationSchema = z.object({
  /** null if counting took too long; `atLeast` is then the number that was counted; left out for `total=false` */
  total: z.optional(z.nullable(z.number())),
  atLeast: z.optional(z.number()),
  limit: z.number(),
  offset: z.number(),
  /** for `after`; null on the last page */
  next: z.nullable(z.string()),
});
const listMetaSchema = z.object({
  pagination: paginationSchema,
  etags: etagsSchema,
  /** by record id, if the call requests them */
  findings: z.optional(z.record(z.string(), z.array(findingSchema))),
});

const indexEntrySchema = z.object({
  revisionId: z.string(),
  ...revisionMeta,
  indexFields: z.array(namedValueSchema),
});
export type IndexEntry = z.infer<typeof indexEntrySchema>;
export const indexAnswer = z.object({
  archivedocuments: z.array(indexEntrySchema),
  meta: listMetaSchema,
});

export const documentEntrySchema = z.extend(indexEntrySchema, {
  keywordFields: z.array(keywordValueSchema),
  files: z.array(fileSchema),
});
export const documentsAnswer = z.object({
  archivedocuments: z.array(documentEntrySchema),
  meta: listMetaSchema,
});

export const revisionIdsAnswer = z.object({
  revisionIds: z.array(z.string()),
  etags: z.array(z.string()),
});
export const jridsAnswer = z.object({ jrids: z.array(z.string()), etags: z.array(z.string()) });
export const countAnswer = z.object({ count: z.number() });

export const listOptionsAnswer = z.object({
  listoptions: z.array(z.object({ value: scalarSchema, count: z.number() })),
});

export const historyEntrySchema = z.object({
  historyId: z.string(),
  at: instantSchema,
  user: z.string(),
  /** method and route, or the command that made the change */
  call: z.string(),
  changes: z.array(z.object({ name: z.string(), before: z.unknown(), after: z.unknown() })),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;
export const historyAnswer = z.object({
  history: z.array(historyEntrySchema),
  /** the current display names of the users in the history, by username; empty for commands */
  meta: z.optional(z.object({ displayNames: z.record(z.string(), z.string()) })),
});
export type HistoryAnswer = z.infer<typeof historyAnswer>;

/** A record: `jrid` and one property per column. */
export const datasetSchema = z.catchall(z.object({ jrid: z.string() }), scalarSchema);
export type Dataset = z.infer<typeof datasetSchema>;
export const datasetsAnswer = z.object({
  datasets: z.array(datasetSchema),
  meta: z.optional(
    z.object({
      /** of calls about several */
      etags: z.optional(etagsSchema),
      findings: findingsSchema,
      exceptions: exceptionsSchema,
      /**
       * of datasets written in a batch: the input of `datasets/undo` that takes the batch back, by jrid; without
       * datasets that already had the values
       */
      historyIds: z.optional(z.record(z.string(), z.string())),
    }),
  ),
});
export type DatasetsAnswer = z.infer<typeof datasetsAnswer>;
export const datasetListAnswer = z.object({
  datasets: z.array(datasetSchema),
  meta: listMetaSchema,
});
