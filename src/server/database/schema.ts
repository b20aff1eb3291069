import type { Generated, GeneratedAlways } from 'kysely';
import type { BulkEditState, OnChanged, Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { Access, Role } from '#shared/rules/rights.ts';

/*
 * The tables of the service itself, the same on both databases. Times are milliseconds since 1970 UTC,
 * booleans are 0 and 1, JSON is text. The tables of the records are made at run time from the definitions.
 */

interface InstallationRow {
  key: string;
  value: string;
}

/** An archive or a data table, with its definition as JSON. */
interface CollectionRow {
  id: Generated<number>;
  /** in lower case */
  guid: string;
  table_name: string;
  /** `table_name` in lower case */
  name_key: string;
  position: number;
  definition: string;
  retired_at: number | null;
}

interface DataTableRow extends Omit<CollectionRow, 'table_name'> {
  name: string;
}

export interface UserRow {
  id: Generated<number>;
  username: string;
  /** `username` in lower case */
  username_key: string;
  display_name: string;
  role: Role;
  password_hash: string;
  disabled: number;
  created_at: number;
  updated_at: number;
}

interface UserRightRow {
  user_id: number;
  kind: 'archive' | 'table';
  thing_id: number;
  access: Access;
}

interface SessionRow {
  /** the public sessionId; opens nothing */
  id: string;
  token_hash: string;
  user_id: number;
  created_at: number;
  last_seen_at: number;
  /** the end of the session as it stands: of its idle time or its whole life, whichever comes first */
  expires_at: number;
  address: string | null;
}

/** A browser from which a user has signed in before. */
interface DeviceRow {
  token_hash: string;
  user_id: number;
  last_used_at: number;
}

/** The browser in which a session began; those of programs have none. */
interface SessionDeviceRow {
  session_id: string;
  /** the `token_hash` of the device */
  device_hash: string;
}

interface SignInFailureRow {
  key: string;
  failures: number;
  last_at: number;
}

export type HistoryScope = 'archive' | 'table' | 'user' | 'definition' | 'session';
export const HISTORY_KINDS = ['create', 'load', 'change', 'delete', 'lock', 'restore'] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/** One entry of the history. Both databases refuse to change or delete it, and add it to the outbox. */
interface HistoryRow {
  id: Generated<number>;
  at: number;
  user_id: number | null;
  username: string;
  address: string | null;
  /** method and route */
  call: string;
  scope: HistoryScope;
  /** the id of the archive or table; of definitions 1 for archives, 2 for tables; 0 for users and sessions */
  thing_id: number;
  /** the revisionId or jrid; of a definition the id of its archive or table; of users and sessions the user's id */
  row_id: number;
  /** that the record has after it; 0 where the entry is about no record */
  version: number;
  kind: HistoryKind;
  /** JSON `[{name, before, after}]` */
  changes: string;
}

/** Committed entries of the history that the sequencer has not given their positions yet (docs/history.md). */
export interface HistoryOutboxRow {
  /** 1: of a load, sequenced after those of others */
  bulk: number;
  /** the least of the ids */
  first_id: number;
  /** how many ids */
  entries: number;
  /** JSON: the ids of entries that were appended together, in any order */
  ids: string;
}

/** Entries of the history at their positions, chained to those before. Neither changed nor deleted. */
export interface HistoryBlockRow {
  /** from 1, without a gap */
  number: number;
  /** the position of its first entry, from 1, without a gap */
  first_position: number;
  entries: number;
  /** JSON: the ids of its entries in their order */
  ids: string;
  /** the greatest id of the entries in it and in all blocks before */
  last_id: number;
  sealed_at: number;
  /** of its entries and of the block before it (chain.ts of the history), hexadecimal */
  hash: string;
  /**
   * `markOf` (chain.ts of the history) each of its entries, one after the other: tells which one was altered, where
   * the hash says that one was; null: written before there were marks
   */
  marks: string | null;
}

/** An answer that is given again to a repeated request with the same idempotency key. */
interface StoredAnswerRow {
  user_id: number;
  /** `requestDigest` of stored-responses.ts */
  request: string;
  /** equal for equal bodies of the request */
  fingerprint: string;
  status: number;
  /** JSON */
  headers: string;
  /** of `body`: JSON as it was sent, or packed (answer-packing.ts of the HTTP side) */
  encoding: 'text' | 'zstd';
  body: string | null;
  /** what it counts for the bound of its person */
  bytes: number;
  created_at: number;
}

interface FileRow {
  id: Generated<number>;
  archive_id: number;
  /** the revisionId or jrid; of what is to be created: minus its line in the file */
  row_id: number;
  position: number;
  name: string;
  content_type: string;
  /** bytes */
  size: number;
  sha256: string;
  location: string;
}

/** What the loader has loaded of a file whose rows have no id of their own. */
interface LoadedRowRow {
  scope: 'archive' | 'table';
  thing_id: number;
  source: string;
  digest: string;
  occurrence: number;
  row_id: number;
}

interface LoadedFileRow {
  scope: 'archive' | 'table';
  thing_id: number;
  source: string;
  digest: string;
  loaded_at: number;
}

/** A bulk edit or import: a plan, and the job that carries it out. */
export interface BulkEditRow {
  id: Generated<number>;
  scope: 'archive' | 'table';
  thing_id: number;
  owner_id: number;
  owner_name: string;
  kind: 'edit' | 'import' | 'paste';
  /** beside those that are answered: `planning`, and `deleted` until its revisions are removed */
  state: BulkEditState | 'planning' | 'deleted';
  /** what goes on when a pause ends */
  phase: 'apply' | 'undo';
  /** JSON */
  edits: string;
  /** JSON; changed in the same transactions as the revisions */
  counts: string;
  on_changed: OnChanged;
  created_at: number;
  finished_at: number | null;
  message: string | null;
  /** JSON: who applies it or takes it back, for the history */
  actor: string | null;
  /** the process that works on it, and until when that is its own affair */
  lease_owner: string | null;
  lease_until: number;
}

/** What is planned for one revision, and what has become of it. */
interface BulkEditRevisionRow {
  bulk_edit_id: number;
  position: number;
  /** the revisionId or jrid; of what is to be created: minus its line in the file */
  row_id: number;
  /** for which it was planned; one more once it is done */
  version: number;
  outcome: Outcome;
  /** JSON `[{name, before, after}]` */
  changes: string;
  message: string | null;
}

/** A clerk's queue: revisions as they matched when it was made. */
interface QueueRow {
  id: Generated<number>;
  archive_id: number;
  user_id: number;
  name: string;
  /** the query text they were found by; null: they were named one by one */
  filter: string | null;
  total: number;
  /** from 0; `total`: at the end */
  position: number;
  /** the index field where the clerk was */
  field: string | null;
  created_at: number;
  used_at: number;
}

/** A stretch of a queue: thousands of rows less to write when it is made. */
interface QueuePartRow {
  queue_id: number;
  part: number;
  /** in the queue's order, with a comma before, between and behind them: `,5,3,` */
  row_ids: string;
}

/** What was done with a revision of a queue; without one it is open. */
interface QueueStateRow {
  queue_id: number;
  row_id: number;
  state: 'corrected' | 'unchanged' | 'skipped';
}

interface FlagRow {
  user_id: number;
  archive_id: number;
  row_id: number;
  note: string;
  at: number;
}

interface ViewRow {
  id: Generated<number>;
  scope: 'archive' | 'table';
  thing_id: number;
  /** null: it came with the content */
  user_id: number | null;
  name: string;
  /** `name` in lower case */
  name_key: string;
  shared: number;
  /** the list's address */
  search: string;
}

interface LastViewRow {
  scope: 'archive' | 'table';
  thing_id: number;
  user_id: number;
  search: string;
}

/** Who has which revision open; on PostgreSQL alone. */
interface ViewerRow {
  archive_id: number;
  row_id: number;
  session_id: string;
  window_id: string;
  user_id: number;
  since: number;
  seen_at: number;
  editing: number;
}

/** A record whose search text is not yet as it is in the full-text index; on SQLite alone. */
interface SearchDueRow {
  scope: 'archive' | 'table';
  thing_id: number;
  row_id: number;
}

/** What a statement added to the number of records of an archive or table; on PostgreSQL alone. */
interface RecordCountRow {
  /** the name of the record table */
  collection: string;
  id: GeneratedAlways<number>;
  change: number;
}

export interface SystemSchema {
  bulk_edits: BulkEditRow;
  bulk_edit_revisions: BulkEditRevisionRow;
  installation: InstallationRow;
  archives: CollectionRow;
  data_tables: DataTableRow;
  users: UserRow;
  user_rights: UserRightRow;
  sessions: SessionRow;
  devices: DeviceRow;
  session_devices: SessionDeviceRow;
  sign_in_failures: SignInFailureRow;
  history: HistoryRow;
  history_blocks: HistoryBlockRow;
  history_outbox: HistoryOutboxRow;
  stored_answers: StoredAnswerRow;
  files: FileRow;
  loaded_rows: LoadedRowRow;
  loaded_files: LoadedFileRow;
  queues: QueueRow;
  queue_parts: QueuePartRow;
  queue_states: QueueStateRow;
  flags: FlagRow;
  views: ViewRow;
  last_views: LastViewRow;
  viewers: ViewerRow;
  search_due: SearchDueRow;
  record_counts: RecordCountRow;
}
