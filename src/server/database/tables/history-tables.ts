import type { Generated } from 'kysely';

// The tables of the history, and of answers that are given again.

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
export interface HistoryRow {
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
export interface StoredAnswerRow {
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
