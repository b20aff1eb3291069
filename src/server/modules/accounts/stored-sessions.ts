import type { Transaction } from '#server/database/database.ts';
import { chunks, READ_CHUNK_SIZES } from '#server/database/records/bulk-statements.ts';
import type { SignedIn } from '#server/http/http-services.ts';
import { recordSystemHistory, type Actor } from '../history/history.service.ts';
import { readOpenTokens } from './access-tokens.store.ts';

type OpenSession = Pick<SignedIn, 'id' | 'userId' | 'role' | 'scope'>;

/**
 * The valid sessions and tokens among these, of users who are not disabled; a session that views the service as another
 * user has that user.
 */
export async function readOpenSessions(
  db: Transaction,
  ids: readonly string[],
  now: number,
): Promise<OpenSession[]> {
  const open: OpenSession[] = [];
  for (const chunk of chunks(ids, READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .leftJoin('session_views', 'session_views.session_id', 'sessions.id')
      .leftJoin('users as viewed', 'viewed.id', 'session_views.user_id')
      .select(['sessions.id as id', 'users.id as userId', 'users.role as role'])
      .select([
        'viewed.id as viewedId',
        'viewed.role as viewedRole',
        'viewed.disabled as isViewOver',
      ])
      .where('sessions.id', 'in', [...chunk])
      .where('sessions.expires_at', '>', now)
      .where('users.disabled', '=', 0)
      .execute();
    for (const { viewedId, viewedRole, isViewOver, ...own } of rows) {
      if (isViewOver) continue;
      const viewed = { userId: viewedId ?? own.userId, role: viewedRole ?? own.role };
      open.push({ id: own.id, ...viewed, scope: null });
    }
    if (rows.length < chunk.length) open.push(...(await readOpenTokens(db, chunk, now)));
  }
  return open;
}

/** Which sessions of a user end: all by default. */
interface EndedSessions {
  /** the id of a session that continues; null: none */
  readonly except?: string | null;
  /** of those that began by sign-in at a provider, those of this session at the provider; null: all of these */
  readonly providerSid?: string | null;
}

/** Ends sessions of a user, and their locks of revisions. */
export async function endSessions(
  db: Transaction,
  userId: number,
  { except = null, providerSid }: EndedSessions,
  actor: Actor,
): Promise<void> {
  let query = db.k.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  if (providerSid === null) query = query.where('provider_sid', 'is not', null);
  else if (providerSid !== undefined) query = query.where('provider_sid', '=', providerSid);
  const ended = await query.returning('id').execute();
  for (const { id } of ended) await recordSession(db, actor, 'delete', { userId, sessionId: id });
}

interface SessionEvent {
  /** of the session */
  readonly userId: number;
  readonly sessionId: string;
  /** milliseconds since 1970 UTC; now by default */
  readonly at?: number;
}

/** Adds the beginning or end of a session to the history. */
export function recordSession(
  db: Transaction,
  { userId: actorId, username, address, call }: Actor,
  kind: 'create' | 'delete',
  { userId, sessionId, at = Date.now() }: SessionEvent,
): Promise<void> {
  const state = { sessionId };
  return recordSystemHistory(db, { userId: actorId, username, address, call }, at, {
    scope: 'session',
    kind,
    rowId: userId,
    before: kind === 'create' ? null : state,
    after: kind === 'create' ? state : null,
  });
}
