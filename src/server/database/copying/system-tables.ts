import type { SystemSchema } from '../schema.ts';

/**
 * How a system table comes into a copy of an installation: with all its rows, or not at all because of what
 * it is.
 */
export type SystemCopy =
  | { readonly copied: true }
  | { readonly copied: false; readonly because: string };

const COPIED: SystemCopy = { copied: true };

/**
 * Every system table, in the order in which they are filled: one that refers to another comes after it. The
 * type asks for each table of the schema, and a test compares the list with the real one.
 */
export const SYSTEM_COPIES: Readonly<Record<keyof SystemSchema, SystemCopy>> = {
  archives: COPIED,
  data_tables: COPIED,
  users: COPIED,
  user_rights: COPIED,
  sessions: COPIED,
  devices: COPIED,
  session_devices: COPIED,
  sign_in_failures: COPIED,
  stored_answers: COPIED,
  files: COPIED,
  loaded_rows: COPIED,
  loaded_files: COPIED,
  bulk_edits: COPIED,
  bulk_edit_revisions: COPIED,
  queues: COPIED,
  queue_parts: COPIED,
  queue_states: COPIED,
  flags: COPIED,
  views: COPIED,
  last_views: COPIED,
  viewers: { copied: false, because: 'who has what open passes with the processes' },
  record_counts: { copied: false, because: 'triggers count what is copied' },
  search_due: { copied: false, because: 'a copy makes its search indexes anew' },
  history: COPIED,
  history_blocks: COPIED,
  history_outbox: COPIED,
  installation: {
    copied: false,
    because: 'it is written at the end, but for what is of a database',
  },
};

/** Entries of `installation` that are of the database itself. */
export const OF_THE_DATABASE: readonly string[] = ['schema_version', 'pg_trgm', 'copying'];
