import { sql } from 'kysely';
import type { SystemSchema } from '#server/database/schema.ts';
import {
  PRESENCE_TIMEOUT,
  numberOfCollection,
  type ViewerWindow,
  type PresenceStore,
} from './presence.store.ts';

/** Stores presence in a table that all processes share. */
export const PRESENCE_TABLE: PresenceStore = {
  async put(db, { caller, windowId, collection, recordId }, editing, now) {
    await sql`set local synchronous_commit = off`.execute(db.k);
    const live = now - PRESENCE_TIMEOUT;
    await db.k.deleteFrom('viewers').where('seen_at', '<=', live).execute();
    const rows = await db.k
      .selectFrom('viewers')
      .select(['session_id', 'window_id', 'user_id', 'since', 'seen_at', 'editing'])
      .where('archive_id', '=', numberOfCollection(collection))
      .where('row_id', '=', recordId)
      .execute();
    await db.k
      .insertInto('viewers')
      .values({
        archive_id: numberOfCollection(collection),
        row_id: recordId,
        session_id: caller.sessionId,
        window_id: windowId,
        user_id: caller.userId,
        since: now,
        seen_at: now,
        editing: Number(editing),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['archive_id', 'row_id', 'session_id', 'window_id'])
          .doUpdateSet({ seen_at: now, editing: Number(editing) }),
      )
      .execute();
    return rows.map(toViewerWindow);
  },
  async remove(db, { caller, windowId, collection, recordId }) {
    await sql`set local synchronous_commit = off`.execute(db.k);
    await db.k
      .deleteFrom('viewers')
      .where('archive_id', '=', numberOfCollection(collection))
      .where('row_id', '=', recordId)
      .where('session_id', '=', caller.sessionId)
      .where('window_id', '=', windowId)
      .execute();
  },
  async readOpenRecords(db, sessionIds, now) {
    const rows = await db.k
      .selectFrom('viewers as viewer')
      .selectAll()
      .where('seen_at', '>', now - PRESENCE_TIMEOUT)
      .where((where) =>
        where.exists(
          where
            .selectFrom('viewers as own')
            .whereRef('own.archive_id', '=', 'viewer.archive_id')
            .whereRef('own.row_id', '=', 'viewer.row_id')
            .where('own.session_id', 'in', [...sessionIds]),
        ),
      )
      .orderBy('session_id')
      .execute();
    const records = Map.groupBy(rows, (row) => `${row.archive_id} ${row.row_id}`);
    return [...records.values()].flatMap((windows) => {
      const [first] = windows;
      if (!first) return [];
      return {
        number: first.archive_id,
        recordId: first.row_id,
        windows: windows.map(toViewerWindow),
      };
    });
  },
};

type Stored = Omit<SystemSchema['viewers'], 'archive_id' | 'row_id'>;

function toViewerWindow(row: Stored): ViewerWindow {
  return {
    sessionId: row.session_id,
    windowId: row.window_id,
    userId: row.user_id,
    since: row.since,
    seenAt: row.seen_at,
    editing: row.editing === 1,
  };
}
