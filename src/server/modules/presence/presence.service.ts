import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Viewer } from '#shared/desk.ts';
import { createInMemoryPresence } from './in-memory-presence.store.ts';
import { PRESENCE_TABLE } from './presence-table.store.ts';
import { placeOf, type Look, type Seen } from './presence.store.ts';

/**
 * Who has which revision or dataset open. It is told all the time and nobody misses it after a crash, so that no call
 * shall wait for the disk: where one process alone uses the database (SQLite), it is stored in this process, and the
 * transaction of the call, which has written nothing, commits without a flush. In a shared database it is stored in a
 * table without a log, whose transactions commit without waiting for the log.
 */
export interface Presence {
  /** Tells that the caller looks at the record; answers who else does, by user, first come first. */
  look(db: Transaction, look: Look, editing: boolean): Promise<Viewer[]>;
  leave(db: Transaction, look: Look): Promise<void>;
  /** What the sessions have open, each record with who else has. */
  openTo(db: Transaction, sessionIds: ReadonlySet<string>): Promise<OpenRecord[]>;
}

/** A record that a session has open. */
export interface OpenRecord {
  readonly sessionId: string;
  readonly kind: Collection['kind'];
  readonly collectionId: number;
  /** revisionId or jrid */
  readonly recordId: number;
  /** the others, first come first */
  readonly viewers: readonly Viewer[];
}

/** @param onChange is called, in the transaction, where what others are shown becomes another */
export function openPresence(onChange: (db: Transaction) => Promise<void>): Presence {
  const inProcess = createInMemoryPresence();
  const storeOf = ({ adapter }: Transaction) => (adapter.isShared ? PRESENCE_TABLE : inProcess);
  return {
    async look(db, look, editing) {
      const now = Date.now();
      const { userId, sessionId } = look.caller;
      const before = await storeOf(db).put(db, look, editing, now);
      const others = before.filter((one) => one.userId !== userId);
      const own = before.find(
        (one) => one.sessionId === sessionId && one.windowId === look.windowId,
      );
      if (others.length > 0 && own?.editing !== editing) await onChange(db);
      return present(others, await readNames(db, others));
    },
    async leave(db, look) {
      await storeOf(db).remove(db, look);
      await onChange(db);
    },
    async openTo(db, sessionIds) {
      const records = await storeOf(db).besides(db, sessionIds, Date.now());
      const names = await readNames(
        db,
        records.flatMap(({ seen }) => (seen.length > 1 ? seen : [])),
      );
      return records.flatMap(({ number, recordId, seen }) => {
        const own = seen.filter(({ sessionId }) => sessionIds.has(sessionId));
        const userOf = new Map(own.map(({ sessionId, userId }) => [sessionId, userId]));
        return [...userOf].map(([sessionId, userId]) => ({
          sessionId,
          ...placeOf(number),
          recordId,
          viewers: present(
            seen.filter((one) => one.userId !== userId),
            names,
          ),
        }));
      });
    },
  };
}

type Named = Pick<Viewer, 'username' | 'displayName'>;

async function readNames(db: Transaction, seen: readonly Seen[]): Promise<Map<number, Named>> {
  const names = new Map<number, Named>();
  const ids = [...new Set(seen.map(({ userId }) => userId))];
  for (const chunk of chunks(ids, [100, 10, 1])) {
    const users = await db.k
      .selectFrom('users')
      .select(['id', 'username', 'display_name'])
      .where('id', 'in', [...chunk])
      .execute();
    for (const { id, username, display_name: displayName } of users) {
      names.set(id, { username, displayName });
    }
  }
  return names;
}

/** Somebody with two windows is one viewer. */
function present(seen: readonly Seen[], names: ReadonlyMap<number, Named>): Viewer[] {
  const byUser = new Map<number, Seen>();
  for (const one of seen) {
    const known = byUser.get(one.userId);
    const since = Math.min(one.since, known?.since ?? one.since);
    byUser.set(one.userId, { ...one, since, editing: one.editing || known?.editing === true });
  }
  return [...byUser.values()]
    .sort((a, b) => a.since - b.since)
    .flatMap(({ userId, since, editing }) => {
      const named = names.get(userId);
      return named ? [{ ...named, since: new Date(since).toISOString(), editing }] : [];
    });
}
