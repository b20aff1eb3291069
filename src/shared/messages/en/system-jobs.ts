import { formatCount } from '../format.ts';
import { plural } from './language.ts';

/** Backups, checks and other background work, on the page about the system. */
export const backups = 'Backups';
export const makeBackup = 'Create a backup';
export const noBackups = 'There is no backup here yet.';
export const backupsPlace = ({ host, directory }: { host: string; directory: string }) =>
  `They are files on ${host} in ${directory}. Copy them to another machine: if the disk fails, the backups are lost too. A backup contains the database, SQLite or PostgreSQL, and all documents’ files; restore it with “indexdesk restore”.`;
export const backupsNotRead = 'The backups could not be read';
export const backup = 'Backup';
export const size = 'Size';
export const made = 'Created';
export const lastChecked = 'Last checked';
export const actions = 'Actions';
export const madeBy = ({ at, by }: { at: string; by: string | null }) =>
  by === null ? at : `${at} by ${by}`;
export const neverChecked = 'Never';
export const checkedWhole = (at: string) => `${at}: complete`;
export const checkedDamaged = ({ at, problem }: { at: string; problem: string }) =>
  `${at}: ${problem}`;
export const missingFiles = (count: number) =>
  plural(count, {
    one: '1 document’s file is missing in it',
    other: `${formatCount(count)} documents’ files are missing in it`,
  });
export const check = 'Check';
export const checkOf = (name: string) => `Check ${name}`;
export const deleteItem = 'Delete';
export const deleteOf = (name: string) => `Delete ${name}`;
export const deleteTitle = (name: string) => `Delete the backup ${name}?`;
export const deleteText = 'The file is deleted. The installation stays as it is.';
export const notDeleted = 'The backup was not deleted';
export const integrity = 'Integrity';
export const verify = 'Verify now';
export const neverVerified = 'The installation has not been verified here yet.';
export const integrityHint =
  'It compares the database, the chain of the history, all records, users and definitions, and the sizes of all files with the history. The service continues to run meanwhile.';
export const verified = (at: string) => `Verified ${at}: no findings.`;
export const verifiedWith = ({ at, count }: { at: string; count: number }) =>
  plural(count, {
    one: `Verified ${at}: 1 finding.`,
    other: `Verified ${at}: ${formatCount(count)} findings.`,
  });
export const jobs = 'Background jobs';
export const jobsNotRead = 'The background jobs could not be read';
export const noJobs = 'Nothing has run yet.';
export const job = 'Job';
export const state = 'State';
export const started = 'Started';
export const cancel = 'Cancel';
export const cancelOf = (job: string) => `Cancel: ${job}`;
export const notStarted = (failure: string) => `The job was not started. ${failure}`;
export const notCancelled = (failure: string) => `The job was not cancelled. ${failure}`;
export const kinds = {
  backup: 'Backup',
  'backup-check': 'Check of a backup',
  verification: 'Verification',
  change: 'Change of a definition',
  purge: 'Purge',
  edit: 'Bulk edit',
  import: 'Import',
  paste: 'Paste',
} as const;
export const jobOn = ({ job, on }: { job: string; on: string }) => `${job}: ${on}`;
const STATES: Readonly<Record<string, string>> = {
  running: 'Running',
  applying: 'Running',
  undoing: 'Reverting',
  paused: 'Paused',
  cancelling: 'Being cancelled',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
export const stateOf = (state: string) => STATES[state] ?? state;
export const stateWith = ({ state, detail }: { state: string; detail: string }) =>
  `${state}: ${detail}`;
export const progressOf = ({ done, total }: { done: number; total: number }) =>
  `${formatCount(done)} of ${formatCount(total)}`;
