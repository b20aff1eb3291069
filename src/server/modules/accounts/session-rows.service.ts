import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk.ts';
import type { Role } from '#shared/rules/rights.ts';

interface OpenSession {
  readonly id: string;
  readonly userId: number;
  readonly role: Role;
}

/** The valid ones of the sessions, of users who are not disabled. */
export async function readOpenSessions(
  db: Transaction,
  ids: readonly string[],
  now: number,
): Promise<OpenSession[]> {
  const open: OpenSession[] = [];
  for (const chunk of chunks(ids, [500, 50, 10, 1])) {
    const rows = await db.k
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id as id', 'users.id as userId', 'users.role as role'])
      .where('sessions.id', 'in', [...chunk])
      .where('sessions.expires_at', '>', now)
      .where('users.disabled', '=', 0)
      .execute();
    open.push(...rows);
  }
  return open;
}

/**
 * Ends all sessions of a user, and their locks of revisions.
 * @param except the id of a session that continues
 */
export async function endSessionsOf(
  db: Transaction,
  userId: number,
  except: string | null,
): Promise<void> {
  let query = db.k.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  await query.execute();
}
