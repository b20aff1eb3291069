import type { CollectionKind } from '#shared/rules/names.ts';
import type { Generated } from 'kysely';

// The tables of clerks' work: queues, flags, views, and who has which revision open.

/** A clerk's queue: the revisions that matched when it was created. */
export interface QueueRow {
  id: Generated<number>;
  archive_id: number;
  user_id: number;
  name: string;
  /** the query by which the revisions were found; null: they were selected one by one */
  filter: string | null;
  total: number;
  /** from 0; equal to `total` at the end */
  position: number;
  /** the index field of the clerk's position */
  field: string | null;
  created_at: number;
  used_at: number;
}

/** A slice of a queue: saves writing thousands of rows when it is created. */
export interface QueuePartRow {
  queue_id: number;
  part: number;
  /** in the queue's order, with a comma before, between and behind them: `,5,3,` */
  row_ids: string;
}

/** The state of a revision in a queue; without a row it is open. */
export interface QueueStateRow {
  queue_id: number;
  row_id: number;
  state: 'corrected' | 'unchanged' | 'skipped';
}

export interface FlagRow {
  user_id: number;
  archive_id: number;
  row_id: number;
  note: string;
  at: number;
}

export interface ValueCorrectionRow {
  id: Generated<number>;
  scope: CollectionKind;
  thing_id: number;
  /** the number of the field */
  field: number;
  alias: string;
  /** the correct value; null: the alias was deleted */
  value: string | null;
  /** the bulk edit that made the correction; null: a user has deleted the alias */
  bulk_edit_id: number | null;
  created_at: number;
  created_by: string;
}

export interface ViewRow {
  id: Generated<number>;
  scope: CollectionKind;
  thing_id: number;
  /** null: it was loaded with the content */
  user_id: number | null;
  name: string;
  /** `name` in lower case */
  name_key: string;
  shared: number;
  /** the list's address */
  search: string;
}

export interface LastViewRow {
  scope: CollectionKind;
  thing_id: number;
  user_id: number;
  search: string;
}

/** Who has which revision open; only on PostgreSQL. */
export interface ViewerRow {
  archive_id: number;
  row_id: number;
  session_id: string;
  window_id: string;
  user_id: number;
  since: number;
  seen_at: number;
  editing: number;
}
