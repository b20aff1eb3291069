import * as httpTexts from '#messages/service/http.ts';
import * as peopleTexts from '#messages/service/people.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Caller } from '#server/http/route.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { recordSystemHistory, type Actor } from '../history/history.service.ts';
import * as store from './sessions.store.ts';
import type { User } from './users.service.ts';

/**
 * Lets the administrator's session view the service as another user, until `endView` or its end.
 * @throws {ApiError} 409 for the administrator's own and for a disabled account
 */
export async function startView(
  db: Transaction,
  { id, username, disabled }: User,
  viewer: Caller,
  call: string,
): Promise<void> {
  if (viewer.scope) throw new ApiError('forbidden', httpTexts.notByToken);
  if (id === viewer.userId) throw new ApiError('conflict', peopleTexts.seeAsSelf);
  if (disabled) throw new ApiError('conflict', peopleTexts.seeAsDisabled({ username }));
  const now = Date.now();
  await store.insertSessionView(db, viewer.sessionId, id, now);
  await recordView(db, { ...viewer, call }, now, null, username);
}

/** @throws {ApiError} 404 if the session does not view the service as another user */
export async function endView(
  db: Transaction,
  { viewer, username, sessionId, address }: Caller,
  call: string,
): Promise<void> {
  if (!viewer) throw new ApiError('not_found', peopleTexts.noView);
  await store.deleteSessionView(db, sessionId);
  await recordView(db, { ...viewer, address, call }, Date.now(), username, null);
}

/**
 * Adds to the history that an administrator begins or ends viewing the service as another user.
 * @param at milliseconds since 1970 UTC
 * @param before the name of the other user; null: the view begins
 * @param after null: it ends
 */
function recordView(
  db: Transaction,
  { userId, username, address, call }: Actor & { readonly userId: number },
  at: number,
  before: string | null,
  after: string | null,
): Promise<void> {
  return recordSystemHistory(db, { userId, username, address, call }, at, {
    scope: 'session',
    kind: 'change',
    rowId: userId,
    before: { seesAs: before },
    after: { seesAs: after },
  });
}
