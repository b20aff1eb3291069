import type {
  AccessTokenRow,
  DeviceRow,
  GroupMemberRow,
  GroupRightRow,
  PasskeyRow,
  RecoveryCodeRow,
  SessionDeviceRow,
  SessionRow,
  SessionViewRow,
  SignInFailureRow,
  TotpSecretRow,
  UsedChallengeRow,
  UsedTokenRow,
  UserGroupRow,
  UserIdentityRow,
  UserRightRow,
  UserRow,
} from './tables/account-tables.ts';
import type {
  CheckExceptionRow,
  CheckFindingRow,
  CheckKeyRow,
  CheckMeasureRow,
  CheckStateRow,
  CheckWorkerRow,
  DailyCorrectionRow,
  DailyFindingRow,
  FileTextRow,
  PageMissRow,
} from './tables/check-result-tables.ts';
import type {
  CollectionRow,
  DailySizeRow,
  DataTableRow,
  FileRemovalRow,
  FileRow,
  InstallationRow,
  LoadedFileRow,
  LoadedRowRow,
  RecordCountRow,
  SearchDueRow,
} from './tables/content-tables.ts';
import type {
  HistoryBlockRow,
  HistoryOutboxRow,
  HistoryRow,
  StoredAnswerRow,
} from './tables/history-tables.ts';
import type {
  BulkEditRevisionRow,
  BulkEditRow,
  DefinitionJobRow,
  SystemJobRow,
} from './tables/job-tables.ts';
import type {
  FlagRow,
  LastViewRow,
  QueuePartRow,
  QueueRow,
  QueueStateRow,
  ViewRow,
  ValueCorrectionRow,
  ViewerRow,
} from './tables/workspace-tables.ts';

/* The tables of the service itself, the same on both databases. Times are milliseconds since 1970 UTC, booleans are
   0 and 1, JSON is text. The tables of the records are created at run time from the definitions. */

export interface SystemSchema {
  bulk_edits: BulkEditRow;
  bulk_edit_revisions: BulkEditRevisionRow;
  definition_jobs: DefinitionJobRow;
  system_jobs: SystemJobRow;
  check_states: CheckStateRow;
  check_findings: CheckFindingRow;
  check_keys: CheckKeyRow;
  check_record_keys: CheckKeyRow;
  check_exceptions: CheckExceptionRow;
  check_measures: CheckMeasureRow;
  check_worker: CheckWorkerRow;
  daily_findings: DailyFindingRow;
  daily_corrections: DailyCorrectionRow;
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
  value_corrections: ValueCorrectionRow;
  views: ViewRow;
  last_views: LastViewRow;
  viewers: ViewerRow;
  search_due: SearchDueRow;
  record_counts: RecordCountRow;
}
