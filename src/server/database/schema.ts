import type * as accounts from './tables/account-tables.ts';
import type * as checks from './tables/check-result-tables.ts';
import type * as content from './tables/content-tables.ts';
import type * as history from './tables/history-tables.ts';
import type * as jobs from './tables/job-tables.ts';
import type * as workspace from './tables/workspace-tables.ts';

/* The tables of the service itself, the same on both databases. Times are milliseconds since 1970 UTC, booleans are
   0 and 1, JSON is text. The tables of the records are created at run time from the definitions. */

export interface SystemSchema {
  bulk_edits: jobs.BulkEditRow;
  bulk_edit_revisions: jobs.BulkEditRevisionRow;
  definition_jobs: jobs.DefinitionJobRow;
  system_jobs: jobs.SystemJobRow;
  check_states: checks.CheckStateRow;
  check_findings: checks.CheckFindingRow;
  check_keys: checks.CheckKeyRow;
  check_record_keys: checks.CheckKeyRow;
  check_exceptions: checks.CheckExceptionRow;
  check_measures: checks.CheckMeasureRow;
  check_worker: checks.CheckWorkerRow;
  daily_findings: checks.DailyFindingRow;
  daily_corrections: checks.DailyCorrectionRow;
  file_texts: checks.FileTextRow;
  page_misses: checks.PageMissRow;
  installation: content.InstallationRow;
  archives: content.CollectionRow;
  data_tables: content.DataTableRow;
  users: accounts.UserRow;
  user_rights: accounts.UserRightRow;
  user_groups: accounts.UserGroupRow;
  group_members: accounts.GroupMemberRow;
  group_rights: accounts.GroupRightRow;
  sessions: accounts.SessionRow;
  user_identities: accounts.UserIdentityRow;
  used_tokens: accounts.UsedTokenRow;
  devices: accounts.DeviceRow;
  session_devices: accounts.SessionDeviceRow;
  session_views: accounts.SessionViewRow;
  access_tokens: accounts.AccessTokenRow;
  totp_secrets: accounts.TotpSecretRow;
  passkeys: accounts.PasskeyRow;
  recovery_codes: accounts.RecoveryCodeRow;
  used_challenges: accounts.UsedChallengeRow;
  sign_in_failures: accounts.SignInFailureRow;
  daily_sizes: content.DailySizeRow;
  history: history.HistoryRow;
  history_blocks: history.HistoryBlockRow;
  history_outbox: history.HistoryOutboxRow;
  stored_answers: history.StoredAnswerRow;
  running_requests: history.RunningRequestRow;
  files: content.FileRow;
  file_removals: content.FileRemovalRow;
  loaded_rows: content.LoadLedgerRow;
  loaded_files: content.LoadedFileRow;
  queues: workspace.QueueRow;
  queue_parts: workspace.QueuePartRow;
  queue_states: workspace.QueueStateRow;
  flags: workspace.FlagRow;
  value_corrections: workspace.ValueCorrectionRow;
  views: workspace.ViewRow;
  last_views: workspace.LastViewRow;
  viewers: workspace.ViewerRow;
  search_due: content.SearchDueRow;
  record_counts: content.RecordCountRow;
}
