import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Caller } from '#server/http/route.ts';

/** How long a viewer counts after the last call, in milliseconds. */
export const PRESENCE_TIMEOUT = 40_000;

/** An open revision or dataset of a session. */
export interface OpenedRecord {
  readonly caller: Caller;
  /** in which of the session's windows; '' if windows are not distinguished */
  readonly windowId: string;
  readonly collection: Collection;
  /** revisionId or jrid */
  readonly recordId: number;
}

/** A viewer of a record, in one window. */
export interface ViewerWindow {
  readonly sessionId: string;
  readonly windowId: string;
  readonly userId: number;
  readonly since: number;
  readonly seenAt: number;
  readonly editing: boolean;
}

interface ViewedRecord {
  /** of its archive or table, as `numberOfCollection` has it */
  readonly number: number;
  readonly recordId: number;
  readonly windows: readonly ViewerWindow[];
}

/** Stores who has which record open. */
export interface PresenceStore {
  /** @returns all previous viewers of the record */
  put(
    db: Transaction,
    opened: OpenedRecord,
    editing: boolean,
    now: number,
  ): Promise<ViewerWindow[]>;
  remove(db: Transaction, opened: OpenedRecord): Promise<void>;
  /** @returns the open records of the sessions, with all their viewers */
  readOpenRecords(
    db: Transaction,
    sessionIds: ReadonlySet<string>,
    now: number,
  ): Promise<ViewedRecord[]>;
}

/** A number that is unique for archives and tables: that of a table is negative. */
export function numberOfCollection({ kind, id }: Collection): number {
  return kind === 'archive' ? id : -id;
}

/** The archive or table of such a number. */
export function collectionOfNumber(number: number): {
  readonly kind: Collection['kind'];
  readonly collectionId: number;
} {
  return { kind: number > 0 ? 'archive' : 'table', collectionId: Math.abs(number) };
}
