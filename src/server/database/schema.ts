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
  email: string | null;
  /** 1: the password was generated for the user, who has to choose another one first */
  must_change_password: number;
  last_sign_in_at: number | null;
  /** the row stays, so that the username is never given to another person */
  deleted_at: number | null;
}

interface RightRow {
  kind: 'archive' | 'table';
  thing_id: number;
  access: Access;
  /** JSON: `hidden`, `read` or `write` by the numbers of fields and keyword fields; null: no field has an entry */
  fields: string | null;
}

interface UserRightRow extends RightRow {
  user_id: number;
}

/** A group of users, who have its rights beside their own. */
interface UserGroupRow {
  id: Generated<number>;
  name: string;
  /** `name` in lower case */
  name_key: string;
  label: string;
}

interface GroupMemberRow {
  group_id: number;
  user_id: number;
}

interface GroupRightRow extends RightRow {
  group_id: number;
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
  /** the `User-Agent` of the sign-in */
  client: string | null;
  /** the session at the provider that has signed in the user, '' where it names none; null: another kind of sign-in */
  provider_sid: string | null;
  /** when the user last proved on this session who they are */
  confirmed_at: number | null;
}

/** The authenticator app of a user. */
interface TotpSecretRow {
  user_id: number;
  factor_id: string;
  name: string;
  /** encrypted (`modules/factors/sealing.ts`) */
  secret: string;
  /** the last time step whose code was accepted */
  last_step: number;
  created_at: number;
  last_used_at: number | null;
}

interface PasskeyRow {
  factor_id: string;
  user_id: number;
  name: string;
  /** as authenticators name it, in base64url */
  credential_id: string;
  /** COSE, in base64url */
  public_key: string;
  /** the authenticator's count of signatures; 0 where it counts none */
  counter: number;
  /** JSON: how browsers reach the authenticator */
  transports: string;
  created_at: number;
  last_used_at: number | null;
}

/** A recovery code that is not used yet. */
interface RecoveryCodeRow {
  user_id: number;
  /** Argon2id of the code */
  digest: string;
  /** the same for all codes of a user */
  salt: string;
}

/** A challenge that has been answered, until it would have expired. */
interface UsedChallengeRow {
  digest: string;
  expires_at: number;
}

/** A person's account at an OpenID Connect provider. */
interface UserIdentityRow {
  issuer: string;
  subject: string;
  /** null: nobody is linked with it yet */
  user_id: number | null;
  /** the provider's name */
  provider: string;
  /** as the provider names the person */
  username: string;
  /** `username` in lower case */
  username_key: string;
  seen_at: number | null;
}

/** What may be used once and has been: the digest of a state of a sign-in, or of a logout token. */
interface UsedTokenRow {
  key: string;
  expires_at: number;
}

/** An administrator's session that sees everything as another user does, and changes nothing. */
interface SessionViewRow {
  session_id: string;
  /** the user as whom the session sees */
  user_id: number;
  started_at: number;
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

/** A token by which programs call the service in the name of a user. */
export interface AccessTokenRow {
  /** the public tokenId; opens nothing */
  id: string;
  /** SHA-256 of the token */
  token_hash: string;
  user_id: number;
  name: string;
  /** the first characters of the token, by which its owner recognises it */
  prefix: string;
  /** the greatest right that it gives */
  access: Access;
  /** JSON: the ids of the only archives and tables that it opens; null: all of its owner */
  archives: string | null;
  tables: string | null;
  /** 1: it opens the calls for administrators */
  configuration: number;
  created_at: number;
  expires_at: number;
  last_used_at: number | null;
}

interface SignInFailureRow {
  key: string;
  failures: number;
  last_at: number;
}

/** How large the installation was on a day: the last measurement of the day, in UTC. */
interface DailySizeRow {
  /** `YYYY-MM-DD` */
  day: string;
  database_bytes: number;
  file_bytes: number;
  files: number;
  documents: number;
  datasets: number;
  history_entries: number;
}

export type HistoryScope =
  | 'archive'
  | 'table'
  | 'user'
  | 'group'
  | 'definition'
  | 'session'
  | 'token'
  | 'system'
  | 'refused';
export const HISTORY_KINDS = [
  'create',
  'load',
  'change',
  'delete',
  'lock',
  'restore',
  'purge',
] as const;
export type HistoryKind = (typeof HISTORY_KINDS)[number];

/**
 * One entry of the history. Both databases refuse to change or delete it, but for purges, and add it to the outbox.
 */
interface HistoryRow {
  id: Generated<number>;
  at: number;
  user_id: number | null;
  username: string;
  address: string | null;
  /** method and route */
  call: string;
  scope: HistoryScope;
  /** the id of the archive or table; of definitions 1 for archives, 2 for tables; 0 for all others */
  thing_id: number;
  /** the revisionId or jrid; of a definition the id of its archive or table; of users and sessions the user's id, of a group its id; of refusals that of the account, 0 where it is unknown */
  row_id: number;
  /** that the record has after it; 0 where the entry is about no record */
  version: number;
  kind: HistoryKind;
  /** JSON `[{name, before, after}]` */
  changes: string;
  /** the hash that the chain has of it, hexadecimal, where a purge has removed changes; null: it is as it was appended */
  sha256: Generated<string | null>;
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
  /** `purged`: it was removed, as it may have held purged values */
  encoding: 'text' | 'zstd' | 'purged';
  body: string | null;
  /** what it counts for the bound of its person */
  bytes: number;
  created_at: number;
  /** the archive or table that the request was about; null: none, or it is older than this column */
  scope: 'archive' | 'table' | null;
  thing_id: number | null;
}

/** A file without revisions whose bytes are removed, or were. */
interface FileRemovalRow {
  location: string;
  /** the job that does it */
  job_id: number;
  /** 1: the bytes are removed */
  is_done: number;
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
  /** JSON: the numbers of the fields by the names that the plan uses; null: it is older than this column */
  fields: string | null;
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

/** A change of a definition that takes long. */
export interface DefinitionJobRow {
  id: Generated<number>;
  kind: 'change' | 'purge';
  scope: 'archive' | 'table';
  thing_id: number;
  state: 'running' | 'cancelling' | 'done' | 'failed' | 'cancelled';
  /** what is done next */
  phase: string;
  /** JSON: what was asked for */
  request: string;
  /** of the definition when the job began; no other change may come between */
  base_version: number;
  /** the id of the last record that is done in this phase */
  position: number;
  /** the newest entry of the history when the job began: records with later entries are done again at its end */
  since_entry: number;
  done: number;
  total: number;
  /** JSON: what each change means for stored values */
  tallies: string;
  /** the code of an error */
  error: string | null;
  /** JSON: who asked for it, for the history */
  actor: string;
  created_at: number;
  finished_at: number | null;
  lease_owner: string | null;
  lease_until: number;
}

/** A backup, the check of one, or the check of the whole installation, as a job of one process. */
export interface SystemJobRow {
  id: Generated<number>;
  kind: 'backup' | 'backup-check' | 'verification';
  /** the file's name of the backup; null: of a verification */
  backup: string | null;
  state: 'running' | 'cancelling' | 'done' | 'failed' | 'cancelled';
  /** what is done at present, for people */
  progress: string | null;
  /** JSON: what was found or made */
  result: string | null;
  /** why it failed, for people */
  error: string | null;
  /** JSON: who asked for it, for the history */
  actor: string;
  created_at: number;
  finished_at: number | null;
  /** the process that does it */
  owner: string;
  /** after that the process is taken for dead */
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

/** What the background work knows of a check (modules/checks). */
export interface CheckStateRow {
  id: Generated<number>;
  scope: 'archive' | 'table';
  thing_id: number;
  name: string;
  /** of all that decides about findings; another one means that the check has changed */
  fingerprint: string;
  /** null: not counted since it was defined or changed */
  count: number | null;
  /** the findings that are stored, which are all of them once `count` is not null */
  found: number;
  /** when `count` was right last, milliseconds since 1970 UTC */
  as_of: number | null;
  /** when all records are looked at again */
  due_at: number;
}

/** A record for which a check is not met. */
interface CheckFindingRow {
  check_id: number;
  row_id: number;
}

/** What a record is compared by in a check on duplicates. */
interface CheckKeyRow {
  check_id: number;
  /** the place of the list of fields in the check */
  part: number;
  /** a hash of the values, up to 2^53 */
  key: number;
  row_id: number;
}

/** The text of a file, by the digest of its bytes, for the check whether values stand on the page (modules/page-texts). */
interface FileTextRow {
  sha256: string;
  location: string;
  content_type: string;
  /** `due`: it is to be extracted; `extracted`: it is to be compared with the records; `compared` */
  state: 'due' | 'extracted' | 'compared';
  /** how many processes have begun to extract it; one that ended on its own account does not count */
  attempts: number;
  lease_owner: string | null;
  lease_until: number;
  /** folded, with a form feed between pages; null: none, or not yet */
  text: string | null;
  /** 1: the file has more text than is stored */
  is_cut: number;
  /** why the file has no text: null where it was read */
  problem: string | null;
}

/** A value of a record that does not stand on the pages of its document. */
interface PageMissRow {
  archive_id: number;
  row_id: number;
  /** its number */
  field: number;
  /** the beginning of the value, as text: of another value nothing is known yet */
  value: string;
}

/** A record that is right although a check is not met. */
interface CheckExceptionRow {
  scope: 'archive' | 'table';
  thing_id: number;
  row_id: number;
  /** of the check */
  name: string;
  /** of duplicates: the other record, for which there is such a row too; 0: of no pair */
  with_id: number;
  /** the numbers of the fields whose change ends it, each between commas: `,3,5,` */
  fields: string;
  reason: string;
  made_by: string;
  made_at: number;
}

/** What `_future` and `_outlier` compare with, reckoned hourly. */
interface CheckMeasureRow {
  scope: 'archive' | 'table';
  thing_id: number;
  /** the number of the field */
  field: number;
  /** of `_outlier` the value of the field with options; of `_future` empty */
  value: string;
  /** bounds of `_outlier` as decimal text */
  low: string | null;
  high: string | null;
}

/** How far the background work has followed the history; one row. */
interface CheckWorkerRow {
  id: number;
  /** the last position of the history that it has seen */
  position: number;
  lease_owner: string | null;
  lease_until: number;
}

export interface SystemSchema {
  bulk_edits: BulkEditRow;
  bulk_edit_revisions: BulkEditRevisionRow;
  definition_jobs: DefinitionJobRow;
  system_jobs: SystemJobRow;
  check_states: CheckStateRow;
  check_findings: CheckFindingRow;
  check_keys: CheckKeyRow;
  check_exceptions: CheckExceptionRow;
  check_measures: CheckMeasureRow;
  check_worker: CheckWorkerRow;
  file_texts: FileTextRow;
  page_misses: PageMissRow;
  installation: InstallationRow;
  archives: CollectionRow;
  data_tables: DataTableRow;
  users: UserRow;
  user_rights: UserRightRow;
  user_groups: UserGroupRow;
  group_members: GroupMemberRow;
  group_rights: GroupRightRow;
  sessions: SessionRow;
  user_identities: UserIdentityRow;
  used_tokens: UsedTokenRow;
  devices: DeviceRow;
  session_devices: SessionDeviceRow;
  session_views: SessionViewRow;
  access_tokens: AccessTokenRow;
  totp_secrets: TotpSecretRow;
  passkeys: PasskeyRow;
  recovery_codes: RecoveryCodeRow;
  used_challenges: UsedChallengeRow;
  sign_in_failures: SignInFailureRow;
  daily_sizes: DailySizeRow;
  history: HistoryRow;
  history_blocks: HistoryBlockRow;
  history_outbox: HistoryOutboxRow;
  stored_answers: StoredAnswerRow;
  files: FileRow;
  file_removals: FileRemovalRow;
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
