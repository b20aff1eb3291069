import * as texts from '#messages/service/bulk-edits.ts';
import type { Transaction } from '#server/database/database.ts';
import type { RouteRequest } from '#server/http/route.ts';
import { countedIdSchema } from '#shared/contract/requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { CollectionKind } from '#shared/rules/names.ts';
import { idParameter } from '../records/write-request.ts';
import * as store from './bulk-edits.store.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';

/** The paths of the batches of an archive or data table. */
export const BULK_EDITS = {
  archive: '{archives}/:archive/bulkedits',
  table: '{tables}/:guid/bulkedits',
} as const;

/** The paths of one of them. */
export const BULK_EDIT = {
  archive: `${BULK_EDITS.archive}/:bulkEditId`,
  table: `${BULK_EDITS.table}/:bulkEditId`,
} as const;

/** A request of a call about batches. */
export type BulkEditRequest = RouteRequest<CollectionKind, unknown>;

/**
 * The caller's batch of the path; administrators see those of all users.
 * @throws {ApiError} 404
 */
export async function findVisibleBulkEdit(
  db: Transaction,
  { target, params, caller }: Pick<BulkEditRequest, 'target' | 'params' | 'caller'>,
): Promise<StoredBulkEdit> {
  const message = texts.noBulkEdit({ kind: target.kind });
  const id = idParameter(countedIdSchema, params['bulkEditId'], message);
  const found = await store.readBulkEdit(db, target, id);
  const theirs = found && found.ownerId !== caller.userId;
  if (!found || (theirs && caller.role !== 'administrator')) {
    throw new ApiError('not_found', message);
  }
  return found;
}

/**
 * The batch of the path, which must be the caller's own.
 * @throws {ApiError} 404; 403 for another user's
 */
export async function findOwnBulkEdit(
  db: Transaction,
  request: BulkEditRequest,
): Promise<StoredBulkEdit> {
  const found = await findVisibleBulkEdit(db, request);
  if (found.ownerId !== request.caller.userId) {
    throw new ApiError('forbidden', texts.ofOtherUser);
  }
  return found;
}
