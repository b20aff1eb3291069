import type { SystemSchema } from '../schema.ts';

/** How a copy of an installation treats a system table: all rows are copied, or none, for the given reason. */
type SystemCopy = { readonly copied: true } | { readonly copied: false; readonly because: string };

const COPIED: SystemCopy = { copied: true };
const RECOUNTED: SystemCopy = { copied: false, because: 'a copy counts its checks again' };

/**
 * Every system table in the order of filling: a table comes after the tables that it references. The type requires an
 * entry for each table of the schema, and a test compares the list with the real schema.
 */
export const SYSTEM_COPIES: Readonly<Record<keyof SystemSchema, SystemCopy>> = {
  archives: COPIED,
  data_tables: COPIED,
  users: COPIED,
  user_rights: COPIED,
  user_groups: COPIED,
  group_members: COPIED,
  group_rights: COPIED,
  user_identities: COPIED,
  used_tokens: COPIED,
  sessions: COPIED,
  devices: COPIED,
  session_devices: COPIED,
  session_views: COPIED,
  access_tokens: COPIED,
  totp_secrets: COPIED,
  passkeys: COPIED,
  recovery_codes: COPIED,
  used_challenges: COPIED,
  sign_in_failures: COPIED,
  stored_answers: COPIED,
  running_requests: { copied: false, because: 'requests under way end with the processes' },
  files: COPIED,
  file_removals: COPIED,
  loaded_rows: COPIED,
  loaded_files: COPIED,
  bulk_edits: COPIED,
  bulk_edit_revisions: COPIED,
  definition_jobs: COPIED,
  system_jobs: { copied: false, because: 'backups and checks are of one installation' },
  check_exceptions: COPIED,
  daily_findings: COPIED,
  daily_corrections: COPIED,
  check_states: RECOUNTED,
  check_findings: RECOUNTED,
  check_keys: RECOUNTED,
  check_record_keys: RECOUNTED,
  check_measures: RECOUNTED,
  check_worker: RECOUNTED,
  file_texts: RECOUNTED,
  page_misses: RECOUNTED,
  queues: COPIED,
  queue_parts: COPIED,
  queue_states: COPIED,
  flags: COPIED,
  value_corrections: COPIED,
  views: COPIED,
  last_views: COPIED,
  viewers: { copied: false, because: 'who has what open passes with the processes' },
  record_counts: { copied: false, because: 'triggers count what is copied' },
  search_due: { copied: false, because: 'a copy rebuilds its search indexes' },
  daily_sizes: COPIED,
  history: COPIED,
  history_blocks: COPIED,
  history_outbox: COPIED,
  installation: {
    copied: false,
    because: 'it is written at the end, but for what is of a database',
  },
};

/** Entries of `installation` that belong to the database itself. */
export const DATABASE_SETTINGS: readonly string[] = ['schema_version', 'pg_trgm', 'copying'];
