import type { CollectionKind } from '#shared/rules/names.ts';
import type { Generated } from 'kysely';
import type { BulkEditState, OnChanged, Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { SystemJobKind } from '#shared/contract/system-jobs.ts';

// The tables of jobs: batches, changes of definitions, backups and verifications.

/** A batch: a plan, and the job that applies it. */
export interface BulkEditRow {
  id: Generated<number>;
  scope: CollectionKind;
  thing_id: number;
  owner_id: number;
  owner_name: string;
  kind: 'edit' | 'import' | 'paste';
  /** besides the states of the interface: `planning`, and `deleted` until its revisions are removed */
  state: BulkEditState | 'planning' | 'deleted';
  /** what continues after a pause */
  phase: 'apply' | 'undo';
  /** JSON: field numbers by the names that the plan uses; null: the row is older than this column */
  fields: string | null;
  /** of an import; null: another batch, or older than this column */
  file_name: string | null;
  /** JSON */
  edits: string;
  /** JSON; changed in the same transactions as the revisions */
  counts: string;
  on_changed: OnChanged;
  created_at: number;
  finished_at: number | null;
  message: string | null;
  /** JSON: the user who applies or reverts it, for the history */
  actor: string | null;
  /** the process that holds the lease, and until when */
  lease_owner: string | null;
  lease_until: number;
}

/** A long change of a definition. */
export interface DefinitionJobRow {
  id: Generated<number>;
  kind: 'change' | 'purge';
  scope: CollectionKind;
  thing_id: number;
  state: 'running' | 'cancelling' | 'done' | 'failed' | 'cancelled';
  /**
   * the next step:
   * - `prepare`: columns are added; records that change from now on are processed again by `switch`
   * - `walk`: stored values are checked and converted
   * - `index`: the new columns get their indexes
   * - `switch`: the definition is changed, with what was written in the meantime
   * - `search`: the search texts are recomputed
   * - `cleanup`: the columns that a failed job has added are removed
   * - `blank`, `remove`: of purges: values are removed from the history, then from the records
   */
  phase: 'prepare' | 'walk' | 'index' | 'switch' | 'search' | 'cleanup' | 'blank' | 'remove';
  /** JSON: the request */
  request: string;
  /** of the definition when the job began; other changes are rejected until the end */
  base_version: number;
  /** the id of the last record that was processed in this phase */
  position: number;
  /** the newest history entry when the job began: records with later entries are processed again at the end */
  since_entry: number;
  done: number;
  total: number;
  /** JSON: the effect of each change on stored values */
  tallies: string;
  /** the code of an error */
  error: string | null;
  /** JSON: the user who requested it, for the history */
  actor: string;
  created_at: number;
  finished_at: number | null;
  lease_owner: string | null;
  lease_until: number;
}

/** A backup, the check of a backup, or the check of the whole installation, as a job of one process. */
export interface SystemJobRow {
  id: Generated<number>;
  kind: SystemJobKind;
  /** the file's name of the backup; null: of a verification */
  backup: string | null;
  state: 'running' | 'cancelling' | 'done' | 'failed' | 'cancelled';
  /** the current step, for people */
  progress: string | null;
  /** JSON: the result */
  result: string | null;
  /** why it failed, for people */
  error: string | null;
  /** JSON: the user who requested it, for the history */
  actor: string;
  created_at: number;
  finished_at: number | null;
  /** the process that runs it */
  owner: string;
  /** afterwards the process counts as dead */
  lease_until: number;
}

/** The plan for one revision, and its result. */
export interface BulkEditRevisionRow {
  bulk_edit_id: number;
  position: number;
  /** the revisionId or jrid; of a record to be created: its line in the file, negative */
  row_id: number;
  /** the version for which it was planned; one more after it was applied */
  version: number;
  outcome: Outcome;
  /** JSON `[{name, before, after}]` */
  changes: string;
  message: string | null;
}
