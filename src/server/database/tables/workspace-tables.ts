import type { Generated } from 'kysely';

// The tables of what clerks work with: queues, flags, views, and who has which revision open.

/** A clerk's queue: revisions as they matched when it was made. */
export interface QueueRow {
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

/** A slice of a queue: thousands of rows less to write when it is made. */
export interface QueuePartRow {
  queue_id: number;
  part: number;
  /** in the queue's order, with a comma before, between and behind them: `,5,3,` */
  row_ids: string;
}

/** What was done with a revision of a queue; without one it is open. */
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

export interface ValueAliasRow {
  id: Generated<number>;
  scope: 'archive' | 'table';
  thing_id: number;
  /** the number of the field */
  field: number;
  alias: string;
  /** the right one */
  value: string;
  /** which has corrected it */
  bulk_edit_id: number;
  created_at: number;
  created_by: string;
}

export interface ViewRow {
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

export interface LastViewRow {
  scope: 'archive' | 'table';
  thing_id: number;
  user_id: number;
  search: string;
}

/** Who has which revision open; on PostgreSQL alone. */
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
