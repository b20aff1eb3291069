import type { AuditEntry } from '#shared/contract/audit.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import type { Generated } from 'kysely';

// The tables of the history, and of answers stored for repeated requests.

/** What an entry is about. */
export type HistoryScope = AuditEntry['subject'];

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

/** One entry of the history. Both databases reject changes and deletion, except by purges, and add it to the outbox. */
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
  /**
   * the revisionId or jrid; of a definition the id of its archive or table; of users and sessions the user's id, of a
   * group its id; of refusals that of the account, 0 where it is unknown
   */
  row_id: number;
  /** the record's version after the change; 0 if the entry is about no record */
  version: number;
  kind: HistoryKind;
  /** JSON `[{name, before, after}]` */
  changes: string;
  /** the SHA-256 by which the chain refers to it, hexadecimal, if a purge has removed changes; null: it is unchanged */
  sha256: Generated<string | null>;
}

/** Committed entries of the history without a position yet (docs/history.md). */
export interface HistoryOutboxRow {
  /** 1: of a load, sequenced after other entries */
  bulk: number;
  /** the smallest of the ids */
  first_id: number;
  /** the number of ids */
  entries: number;
  /** JSON: the ids of entries that were appended together, in any order */
  ids: string;
}

/** Entries of the history at their positions, chained to the entries before. Never changed or deleted. */
export interface HistoryBlockRow {
  /** from 1, without gaps */
  number: number;
  /** the position of its first entry, from 1, without gaps */
  first_position: number;
  entries: number;
  /** JSON: the ids of its entries in their order */
  ids: string;
  /** the greatest id of the entries in it and in all blocks before */
  last_id: number;
  sealed_at: number;
  /** the hash of its entries and of the block before it (chain.ts of the history), hexadecimal */
  hash: string;
  /**
   * `entryMark` (chain.ts of the history) of each of its entries, concatenated: identifies the altered entry if the hash
   * does not match; null: written before marks existed
   */
  marks: string | null;
}

/** An answer that is repeated for a request with the same idempotency key. */
export interface StoredAnswerRow {
  user_id: number;
  /** `requestDigest` of stored-responses.ts */
  request: string;
  /** equal for equal request bodies */
  fingerprint: string;
  status: number;
  /** JSON */
  headers: string;
  /**
   * of `body`: JSON as sent, compressed (stored-body-encoding.ts of the HTTP side), or removed because it may have held
   * purged values
   */
  encoding: 'text' | 'zstd' | 'purged';
  body: string | null;
  /** its size for the user's limit */
  bytes: number;
  created_at: number;
  /** the archive or table of the request; null: none, or the row is older than this column */
  scope: CollectionKind | null;
  thing_id: number | null;
}

/** A request with an idempotency key that works in transactions of its own, while a process executes it (PostgreSQL). */
export interface RunningRequestRow {
  user_id: number;
  /** `requestDigest` of stored-responses.ts */
  request: string;
  /** the process that executes it, and until when equal requests wait for it */
  lease_owner: string;
  lease_until: number;
}
