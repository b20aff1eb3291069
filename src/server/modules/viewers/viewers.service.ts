import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { chunks } from '#server/db/records/bulk.ts';
import type { SystemSchema } from '#server/db/schema.ts';
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
  readonly sessionId: string;
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
  /** What the sessions have open, each record with who else has. */
  openTo(db: Db, sessionIds: ReadonlySet<string>): Promise<OpenRecord[]>;
}

/** A record that a session has open. */
export interface OpenRecord {
  readonly sessionId: string;
  readonly kind: Thing['kind'];
  readonly thingId: number;
  /** revisionId or jrid */
  readonly recordId: number;
  /** the others, first come first */
  readonly viewers: readonly Viewer[];
}

/** @param onChange is called, in the transaction, where what others are shown becomes another */
export function openViewers(onChange: (db: Db) => Promise<void>): Viewers {
  const inProcess = keptHere();
  const storeOf = ({ dialect }: Db) => (dialect === 'sqlite' ? inProcess : KEPT_IN_TABLE);
  return {
    async look(db, look, editing) {
      const now = Date.now();
      const { userId, sessionId } = look.caller;
      const before = await storeOf(db).put(db, look, editing, now);
      const others = before.filter((one) => one.userId !== userId);
      const own = before.find((one) => one.sessionId === sessionId);
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
      return records.flatMap(({ number, recordId, seen }) =>
        seen
          .filter(({ sessionId }) => sessionIds.has(sessionId))
          .map(({ sessionId, userId }) => ({
            sessionId,
            kind: number > 0 ? 'archive' : 'table',
            thingId: Math.abs(number),
            recordId,
            viewers: present(
              seen.filter((one) => one.userId !== userId),
              names,
            ),
          })),
      );
    },
  };
}

type Named = Pick<Viewer, 'username' | 'displayName'>;

async function readNames(db: Db, seen: readonly Seen[]): Promise<Map<number, Named>> {
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

/** An archive and a table may have the same id: here a table's is below 0. */
const numberOf = ({ kind, id }: Thing) => (kind === 'archive' ? id : -id);

interface SeenRecord {
  /** of its archive or table, as `numberOf` has it */
  readonly number: number;
  readonly recordId: number;
  readonly seen: readonly Seen[];
}

interface Store {
  /** @returns everybody who looked at the record before */
  put(db: Db, look: Look, editing: boolean, now: number): Promise<Seen[]>;
  remove(db: Db, look: Look): Promise<void>;
  /** @returns the records that the sessions look at, with everybody who does */
  besides(db: Db, sessionIds: ReadonlySet<string>, now: number): Promise<SeenRecord[]>;
}

/** @param key an archive's or table's number and a record's id, with a blank between */
function placeOf(key: string): Pick<SeenRecord, 'number' | 'recordId'> {
  const [number, recordId] = key.split(' ');
  return { number: Number(number), recordId: Number(recordId) };
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
      const before = [...sessions.values()];
      const { userId, sessionId } = look.caller;
      const since = sessions.get(sessionId)?.since ?? now;
      sessions.set(sessionId, { sessionId, userId, since, seenAt: now, editing });
      return Promise.resolve(before);
    },
    remove(_, look) {
      const key = keyOf(look);
      const sessions = records.get(key);
      sessions?.delete(look.caller.sessionId);
      if (sessions?.size === 0) records.delete(key);
      return Promise.resolve();
    },
    besides(_, sessionIds, now) {
      sweep(now);
      const found: SeenRecord[] = [];
      for (const [key, sessions] of records) {
        dropOld(sessions, now);
        const seen = [...sessions.values()];
        if (seen.some(({ sessionId }) => sessionIds.has(sessionId))) {
          found.push({ ...placeOf(key), seen });
        }
      }
      return Promise.resolve(found);
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
    const rows = await db.k
      .selectFrom('viewers')
      .select(['session_id', 'user_id', 'since', 'seen_at', 'editing'])
      .where('archive_id', '=', numberOf(thing))
      .where('row_id', '=', recordId)
      .execute();
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
    return rows.map(seenOf);
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
  async besides(db, sessionIds, now) {
    const rows = await db.k
      .selectFrom('viewers as seen')
      .selectAll()
      .where('seen_at', '>', now - KEPT_FOR)
      .where((where) =>
        where.exists(
          where
            .selectFrom('viewers as own')
            .whereRef('own.archive_id', '=', 'seen.archive_id')
            .whereRef('own.row_id', '=', 'seen.row_id')
            .where('own.session_id', 'in', [...sessionIds]),
        ),
      )
      .orderBy('session_id')
      .execute();
    const records = Map.groupBy(rows, (row) => `${row.archive_id} ${row.row_id}`);
    return [...records].map(([key, ofRecord]) => ({ ...placeOf(key), seen: ofRecord.map(seenOf) }));
  },
};

type Stored = Pick<
  SystemSchema['viewers'],
  'session_id' | 'user_id' | 'since' | 'seen_at' | 'editing'
>;

function seenOf(row: Stored): Seen {
  return {
    sessionId: row.session_id,
    userId: row.user_id,
    since: row.since,
    seenAt: row.seen_at,
    editing: row.editing === 1,
  };
}
