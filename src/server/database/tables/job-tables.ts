import type { Generated } from 'kysely';
import type { BulkEditState, OnChanged, Outcome } from '#shared/contract/bulk-edit-answers.ts';
import type { SystemJobKind } from '#shared/contract/system-jobs.ts';

// The tables of jobs: bulk edits, changes of definitions, backups and verifications.

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
  kind: SystemJobKind;
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
export interface BulkEditRevisionRow {
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
