import { hash as digest } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { HistoryRow } from '#server/database/tables/history-tables.ts';

/** An entry as it is stored: the columns of the table `history` that are the same on both databases. */
export type ChainedEntry = Readonly<Selectable<HistoryRow>>;

/** The columns of `ChainedEntry`. */
export const CHAINED_COLUMNS = sql`id, at, user_id, username, address, call, scope, thing_id, row_id, version, kind, changes, sha256`;

/** The data that the hash of a block covers besides its entries. */
interface BlockHead {
  /** from 1, without a gap */
  readonly number: number;
  /** the position of its first entry, from 1, without a gap */
  readonly firstPosition: number;
  readonly entries: number;
  /** milliseconds since 1970 UTC */
  readonly sealedAt: number;
}

/** The hash before that of the first block: 64 zeros. */
export const CHAIN_START = '0'.repeat(64);

/** The data that the hash of an entry covers: its columns except `sha256`, in the order of `ChainedEntry`. */
export function canonicalEntry(
  entry: Omit<ChainedEntry, 'sha256'>,
): readonly (string | number | null)[] {
  return [
    entry.id,
    entry.at,
    entry.user_id,
    entry.username,
    entry.address,
    entry.call,
    entry.scope,
    entry.thing_id,
    entry.row_id,
    entry.version,
    entry.kind,
    entry.changes,
  ];
}

/** SHA-256 of an entry: of its canonical form as JSON, in UTF-8. */
export function hashEntry(entry: Omit<ChainedEntry, 'sha256'>): Buffer {
  return digest('sha256', JSON.stringify(canonicalEntry(entry)), 'buffer');
}

/** The hash by which the chain refers to an entry. If a purge has removed changes, that of the original entry. */
export function chainedHash(entry: ChainedEntry): Buffer {
  return entry.sha256 === null ? hashEntry(entry) : Buffer.from(entry.sha256, 'hex');
}

/** The characters of `entryMark`. */
export const MARK_LENGTH = 8;

/** The beginning of an entry's hash, which identifies an altered entry within its block; it proves nothing. */
export function entryMark(hash: Buffer): string {
  return hash.toString('base64url', 0, 6);
}

/**
 * The next hash of the chain: SHA-256 of the previous hash (32 bytes), the JSON array `[number, firstPosition, entries,
 * sealedAt]` in UTF-8, and the hashes of the entries in their order.
 * @param before the hash of the block before, hexadecimal; `CHAIN_START` for the first
 * @param entries `hashEntry` of each
 * @returns hexadecimal, in lower case
 */
export function hashBlock(before: string, head: BlockHead, entries: readonly Buffer[]): string {
  const { number, firstPosition, entries: count, sealedAt } = head;
  const about = JSON.stringify([number, firstPosition, count, sealedAt]);
  return digest(
    'sha256',
    Buffer.concat([Buffer.from(before, 'hex'), Buffer.from(about), ...entries]),
    'hex',
  );
}
