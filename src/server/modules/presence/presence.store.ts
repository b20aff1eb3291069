import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Caller } from '#server/http/route.ts';

/** How long a viewer counts as one after the last call, in milliseconds. */
export const KEPT_FOR = 40_000;

/** A revision or dataset that somebody looks at, on a session. */
export interface Look {
  readonly caller: Caller;
  /** in which of the session's windows; '' where they are not told apart */
  readonly windowId: string;
  readonly collection: Collection;
  /** revisionId or jrid */
  readonly recordId: number;
}

/** Somebody who looks at a record, in one window. */
export interface Seen {
  readonly sessionId: string;
  readonly windowId: string;
  readonly userId: number;
  readonly since: number;
  readonly seenAt: number;
  readonly editing: boolean;
}

interface SeenRecord {
  /** of its archive or table, as `numberOf` has it */
  readonly number: number;
  readonly recordId: number;
  readonly seen: readonly Seen[];
}

/** Where it is kept who has which record open. */
export interface PresenceStore {
  /** @returns everybody who looked at the record before */
  put(db: Transaction, look: Look, editing: boolean, now: number): Promise<Seen[]>;
  remove(db: Transaction, look: Look): Promise<void>;
  /** @returns the records that the sessions look at, with everybody who does */
  besides(db: Transaction, sessionIds: ReadonlySet<string>, now: number): Promise<SeenRecord[]>;
}

/** An archive and a table may have the same id: here a table's is below 0. */
export function numberOf({ kind, id }: Collection): number {
  return kind === 'archive' ? id : -id;
}

/** The archive or table of such a number. */
export function placeOf(number: number): {
  readonly kind: Collection['kind'];
  readonly collectionId: number;
} {
  return { kind: number > 0 ? 'archive' : 'table', collectionId: Math.abs(number) };
}
