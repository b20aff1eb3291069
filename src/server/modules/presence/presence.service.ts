import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { createInMemoryPresence } from './in-memory-presence.store.ts';
import { PRESENCE_TABLE } from './presence-table.store.ts';
import { collectionOfNumber, type OpenedRecord, type ViewerWindow } from './presence.store.ts';

/**
 * Who has which revision or dataset open. It is updated often and may be lost in a crash, so no call waits for the disk. If one
 * process uses the database (SQLite), presence is in its memory, and the transaction of the call commits without a flush. In
 * a shared database it is in an unlogged table, whose transactions commit asynchronously.
 */
export interface Presence {
  /** Reports that the caller has the record open. @returns the other users, in the order in which they opened it */
  report(db: Transaction, opened: OpenedRecord, editing: boolean): Promise<Viewer[]>;
  leave(db: Transaction, opened: OpenedRecord): Promise<void>;
  /** The open records of the sessions, each with its other viewers. */
  openTo(db: Transaction, sessionIds: ReadonlySet<string>): Promise<OpenRecord[]>;
}

/** An open record of a session. */
export interface OpenRecord {
  readonly sessionId: string;
  readonly kind: Collection['kind'];
  readonly collectionId: number;
  /** revisionId or jrid */
  readonly recordId: number;
  /** the others, in the order in which they opened it */
  readonly viewers: readonly Viewer[];
}

/** @param onChange is called in the transaction when the presence that others see changes */
export function openPresence(onChange: (db: Transaction) => Promise<void>): Presence {
  const inProcess = createInMemoryPresence();
  const storeOf = ({ adapter }: Transaction) => (adapter.isShared ? PRESENCE_TABLE : inProcess);
  return {
    async report(db, opened, editing) {
      const now = Date.now();
      const { userId, sessionId } = opened.caller;
      const before = await storeOf(db).put(db, opened, editing, now);
      const others = before.filter((viewer) => viewer.userId !== userId);
      const former = before.find(
        (viewer) => viewer.sessionId === sessionId && viewer.windowId === opened.windowId,
      );
      if (others.length > 0 && former?.editing !== editing) await onChange(db);
      return presentViewers(others, await readNames(db, others));
    },
    async leave(db, opened) {
      await storeOf(db).remove(db, opened);
      await onChange(db);
    },
    async openTo(db, sessionIds) {
      const records = await storeOf(db).readOpenRecords(db, sessionIds, Date.now());
      const names = await readNames(
        db,
        records.flatMap(({ windows }) => (windows.length > 1 ? windows : [])),
      );
      return records.flatMap(({ number, recordId, windows }) => {
        const own = windows.filter(({ sessionId }) => sessionIds.has(sessionId));
        const userOf = new Map(own.map(({ sessionId, userId }) => [sessionId, userId]));
        return [...userOf].map(([sessionId, userId]) => ({
          sessionId,
          ...collectionOfNumber(number),
          recordId,
          viewers: presentViewers(
            windows.filter((viewer) => viewer.userId !== userId),
            names,
          ),
        }));
      });
    },
  };
}

type Named = Pick<Viewer, 'username' | 'displayName'>;

async function readNames(
  db: Transaction,
  windows: readonly ViewerWindow[],
): Promise<Map<number, Named>> {
  const ids = [...new Set(windows.map(({ userId }) => userId))];
  const users = await db.k
    .selectFrom('users')
    .select(['id', 'username', 'display_name as displayName'])
    .where(sql<boolean>`id ${db.adapter.isAmong(ids)}`)
    .execute();
  return new Map(users.map(({ id, ...named }) => [id, named]));
}

/** A user with two windows is one viewer. */
function presentViewers(
  windows: readonly ViewerWindow[],
  names: ReadonlyMap<number, Named>,
): Viewer[] {
  const byUser = new Map<number, ViewerWindow>();
  for (const viewer of windows) {
    const known = byUser.get(viewer.userId);
    const since = Math.min(viewer.since, known?.since ?? viewer.since);
    byUser.set(viewer.userId, {
      ...viewer,
      since,
      editing: viewer.editing || known?.editing === true,
    });
  }
  return [...byUser.values()]
    .sort((a, b) => a.since - b.since)
    .flatMap(({ userId, since, editing }) => {
      const named = names.get(userId);
      return named ? [{ ...named, since: isoTime(since), editing }] : [];
    });
}
