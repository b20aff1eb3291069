import type { Db } from '#server/db/database.ts';

/**
 * Ends all sessions of a user; revisions locked in them are free again.
 * @param except the id of a session that goes on
 */
export async function endSessionsOf(db: Db, userId: number, except: string | null): Promise<void> {
  let query = db.k.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  await query.execute();
}
