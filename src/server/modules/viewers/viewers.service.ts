import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Caller } from '#server/http/route.ts';
import type { Thing } from '#server/db/records/thing.ts';
import type { Viewer } from '#shared/desk.ts';

/** How long a viewer counts as one after the last call, in milliseconds. */
const KEPT_FOR = 40_000;

/** A revision or dataset that somebody looks at, on a session. */
export interface Look {
  readonly caller: Caller;
  readonly thing: Thing;
  /** revisionId or jrid */
  readonly recordId: number;
}

interface Seen {
  readonly userId: number;
  readonly since: number;
  readonly seenAt: number;
  readonly editing: boolean;
}

/**
 * Who has which revision or dataset open. It is told all the time and nobody misses it after a crash, so that no call
 * shall wait for the disk: on SQLite, where one process alone serves a data directory, it is kept in this
 * process, and the transaction of the call, which has written nothing, commits without a flush. On PostgreSQL
 * the processes share a table without a log, and its transactions commit without waiting for theirs.
 */
export interface Viewers {
  /** Tells that the caller looks at the record; answers who else does, by user, first come first. */
  look(db: Db, look: Look, editing: boolean): Promise<Viewer[]>;
  leave(db: Db, look: Look): Promise<void>;
}

export function openViewers(): Viewers {
  const inProcess = keptHere();
  const storeOf = ({ dialect }: Db) => (dialect === 'sqlite' ? inProcess : KEPT_IN_TABLE);
  return {
    async look(db, look, editing) {
      const now = Date.now();
      const seen = await storeOf(db).put(db, look, editing, now);
      return present(
        db,
        seen.filter(({ userId }) => userId !== look.caller.userId),
      );
    },
    leave: (db, look) => storeOf(db).remove(db, look),
  };
}

/** Somebody with two windows is one viewer. */
async function present(db: Db, seen: readonly Seen[]): Promise<Viewer[]> {
  const byUser = new Map<number, Seen>();
  for (const one of seen) {
    const known = byUser.get(one.userId);
    const since = Math.min(one.since, known?.since ?? one.since);
    byUser.set(one.userId, { ...one, since, editing: one.editing || known?.editing === true });
  }
  if (byUser.size === 0) return [];
  const users = await db.k
    .selectFrom('users')
    .select(['id', 'username', 'display_name'])
    .where('id', 'in', [...byUser.keys()])
    .execute();
  return users
    .flatMap((user) => {
      const one = byUser.get(user.id);
      return one ? [{ user, one }] : [];
    })
    .sort((a, b) => a.one.since - b.one.since)
    .map(({ user, one }) => ({
      username: user.username,
      displayName: user.display_name,
      since: new Date(one.since).toISOString(),
      editing: one.editing,
    }));
}

/** An archive and a table may have the same id: here a table's is below 0. */
const numberOf = ({ kind, id }: Thing) => (kind === 'archive' ? id : -id);

interface Store {
  /** @returns everybody who looks at the record now */
  put(db: Db, look: Look, editing: boolean, now: number): Promise<Seen[]>;
  remove(db: Db, look: Look): Promise<void>;
}

function keptHere(): Store {
  const records = new Map<string, Map<string, Seen>>();
  let swept = 0;
  const keyOf = ({ thing, recordId }: Look) => `${numberOf(thing)} ${recordId}`;
  const sweep = (now: number) => {
    if (now - swept < KEPT_FOR) return;
    swept = now;
    for (const [key, sessions] of records) {
      dropOld(sessions, now);
      if (sessions.size === 0) records.delete(key);
    }
  };
  return {
    put(_, look, editing, now) {
      sweep(now);
      const key = keyOf(look);
      const sessions = records.get(key) ?? new Map<string, Seen>();
      records.set(key, sessions);
      dropOld(sessions, now);
      const { userId, sessionId } = look.caller;
      const since = sessions.get(sessionId)?.since ?? now;
      sessions.set(sessionId, { userId, since, seenAt: now, editing });
      return Promise.resolve([...sessions.values()]);
    },
    remove(_, look) {
      const key = keyOf(look);
      const sessions = records.get(key);
      sessions?.delete(look.caller.sessionId);
      if (sessions?.size === 0) records.delete(key);
      return Promise.resolve();
    },
  };
}

function dropOld(sessions: Map<string, Seen>, now: number): void {
  for (const [sessionId, { seenAt }] of sessions) {
    if (now - seenAt >= KEPT_FOR) sessions.delete(sessionId);
  }
}

const KEPT_IN_TABLE: Store = {
  async put(db, { caller, thing, recordId }, editing, now) {
    await sql`set local synchronous_commit = off`.execute(db.k);
    const live = now - KEPT_FOR;
    await db.k.deleteFrom('viewers').where('seen_at', '<=', live).execute();
    await db.k
      .insertInto('viewers')
      .values({
        archive_id: numberOf(thing),
        row_id: recordId,
        session_id: caller.sessionId,
        user_id: caller.userId,
        since: now,
        seen_at: now,
        editing: Number(editing),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['archive_id', 'row_id', 'session_id'])
          .doUpdateSet({ seen_at: now, editing: Number(editing) }),
      )
      .execute();
    const rows = await db.k
      .selectFrom('viewers')
      .select(['user_id', 'since', 'seen_at', 'editing'])
      .where('archive_id', '=', numberOf(thing))
      .where('row_id', '=', recordId)
      .execute();
    return rows.map((row) => ({
      userId: row.user_id,
      since: row.since,
      seenAt: row.seen_at,
      editing: row.editing === 1,
    }));
  },
  async remove(db, { caller, thing, recordId }) {
    await sql`set local synchronous_commit = off`.execute(db.k);
    await db.k
      .deleteFrom('viewers')
      .where('archive_id', '=', numberOf(thing))
      .where('row_id', '=', recordId)
      .where('session_id', '=', caller.sessionId)
      .execute();
  },
};
