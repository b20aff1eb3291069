import * as texts from '#messages/service/workspace.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { readQuery } from '#server/http/query.ts';
import { visiblePath, visibleQuery } from '#server/http/visible-query.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { OpenQueue, Queue, QueueRevision } from '#shared/contract/workspace-answers.ts';
import type { ChangeQueueBody, CreateQueueBody } from '#shared/contract/workspace-requests.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { MAX_BATCH } from '#shared/rules/limits.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { listIds } from '../records/lists.service.ts';
import { visibleCollections, type RightsSubject } from '../rights/rights.service.ts';
import * as store from './queues.store.ts';
import type { QueueOwner, State, StoredQueue } from './queues.store.ts';

export { renameFieldsInQueues } from './queues.store.ts';

const MAX_QUEUES = 50;
const OPEN = 'open' as const;
const GONE = 'gone' as const;
/** Deletions are read from this time before the creation of a queue on, because the clocks of processes differ (ms). */
const MAX_CLOCK_SKEW = 10 * 60_000;

/**
 * The revisions of a new queue: those that match now, in list order, or the given ones, in theirs. It may take long, so
 * it runs outside of write transactions.
 * @throws {ApiError} 400 if the filter is wrong; 422 if more than 100,000 match
 */
export async function findRevisions(
  db: Transaction,
  archive: Archive,
  { filter, revisionIds }: Pick<CreateQueueBody, 'filter' | 'revisionIds'>,
): Promise<number[]> {
  if (filter !== undefined) {
    const { ids } = await listIds(db, archive, readQuery(`?${filter.replace(/^\?/, '')}`));
    return ids.map(Number);
  }
  const ids = [...new Set(revisionIds)];
  const existing = await store.readExisting(db, archive, ids);
  return ids.filter((id) => existing.has(id));
}

/**
 * Creates a queue of revisions. Later changes do not affect its revisions.
 * @throws {ApiError} 422 if there are none
 */
export async function createQueue(
  db: Transaction,
  owner: QueueOwner,
  body: CreateQueueBody,
  revisionIds: readonly number[],
): Promise<Queue> {
  if (revisionIds.length === 0) {
    throw new ApiError('validation_failed', texts.nothingToCorrect);
  }
  const at = await store.nextMoment(db, owner);
  const filter = body.filter ?? null;
  const name = body.name?.trim() ?? '';
  const { field = null } = body;
  const id = await store.insertQueue(db, owner, { name, filter, field, revisionIds }, at);
  await removeOldest(db, owner, id);
  return presentQueue(db, owner.archive, await requireQueue(db, owner, id), NONE_DELETED);
}

/** Finished queues are removed first, then the least recently used ones. */
async function removeOldest(db: Transaction, owner: QueueOwner, made: number): Promise<void> {
  const others = (await store.readQueues(db, owner)).filter(({ id }) => id !== made);
  const finished = others.filter(isFinished);
  const unfinished = others.filter((queue) => !isFinished(queue));
  const ranked = [...unfinished, ...finished];
  await store.deleteQueues(
    db,
    ranked.slice(MAX_QUEUES - 1).map(({ id }) => id),
  );
}

function isFinished({ position, total }: StoredQueue): boolean {
  return position >= total;
}

/** A user's queues in an archive, last used first. */
export async function listQueues(
  db: Transaction,
  archive: Archive,
  userId: number,
): Promise<Queue[]> {
  const owner = { userId, archive };
  const queues: Queue[] = [];
  for (const stored of await store.readQueues(db, owner)) {
    queues.push(
      await presentQueue(db, archive, stored, await deletedRevisionsOf(db, archive, stored)),
    );
  }
  return queues;
}

/** A user's unfinished queues in the archives with a right, last used first. */
export async function listOpenQueues(
  db: Transaction,
  definitions: Definitions,
  person: RightsSubject,
): Promise<OpenQueue[]> {
  const { archives } = await visibleCollections(db, definitions, person);
  const visibleNames = new Map(archives.map(({ collection }) => [collection.id, collection.name]));
  return (await store.readOpenQueues(db, person.userId)).flatMap((queue) => {
    const archive = visibleNames.get(queue.archive_id);
    if (archive === undefined) return [];
    const { id, name, total, position } = queue;
    const usedAt = isoTime(queue.used_at);
    return [{ queueId: String(id), archive, name, total, position, usedAt }];
  });
}

/** @throws {ApiError} 404 */
export async function getQueue(
  db: Transaction,
  archive: Archive,
  userId: number,
  id: number,
): Promise<Queue> {
  const stored = await requireQueue(db, { userId, archive }, id);
  return presentQueue(db, archive, stored, await deletedRevisionsOf(db, archive, stored));
}

/** The deleted revisions of a queue, with their states in it. */
type DeletedRevisions = ReadonlyMap<number, State>;

/**
 * Finds them by the deletions since the creation of the queue. It may take long, so it runs outside of write transactions.
 * @throws {ApiError} 404
 */
export async function findDeletedRevisions(
  db: Transaction,
  archive: Archive,
  userId: number,
  id: number,
): Promise<DeletedRevisions> {
  return deletedRevisionsOf(db, archive, await requireQueue(db, { userId, archive }, id));
}

/** @throws {ApiError} 404 */
export async function deleteQueue(db: Transaction, owner: QueueOwner, id: number): Promise<void> {
  await store.deleteQueues(db, [(await requireQueue(db, owner, id)).id]);
}

/**
 * Stores the position of the clerk and the states of revisions.
 * @param deleted the deleted revisions, read shortly before
 * @throws {ApiError} 404; 422 if the position is after the end or a revision is not in the queue
 */
export async function changeQueue(
  db: Transaction,
  owner: QueueOwner,
  id: number,
  { position, field, states }: ChangeQueueBody,
  deleted: DeletedRevisions,
): Promise<Queue> {
  const { total } = await requireQueue(db, owner, id);
  if (states && states.length > MAX_BATCH) {
    throw new ApiError('validation_failed', {
      states: [texts.tooManyStates({ max: MAX_BATCH })],
    });
  }
  if (position !== undefined && position > total) {
    throw new ApiError('validation_failed', {
      position: [texts.positionAfterEnd({ total })],
    });
  }
  const byId = new Map(states?.map(({ revisionId, state }) => [revisionId, state]));
  const members = await store.readMembers(db, id, [...byId.keys()]);
  const unknown = [...byId.keys()].find((revisionId) => !members.has(revisionId));
  if (unknown !== undefined) {
    throw new ApiError('validation_failed', {
      states: [texts.revisionNotInQueue({ revisionId: unknown })],
    });
  }
  await store.writeStates(db, id, byId);
  await store.updateQueue(db, id, {
    ...(position === undefined ? {} : { position }),
    ...(field === undefined ? {} : { field }),
    used_at: await store.nextMoment(db, owner),
  });
  const deletedRevisions = new Map(
    [...deleted].map(([revisionId, state]) => [revisionId, byId.get(revisionId) ?? state]),
  );
  return presentQueue(db, owner.archive, await requireQueue(db, owner, id), deletedRevisions);
}

/**
 * A range of a queue in its order; deleted revisions are `gone`.
 * @throws {ApiError} 404
 */
export async function listQueueRevisions(
  db: Transaction,
  owner: QueueOwner,
  id: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ revisions: QueueRevision[]; total: number }> {
  const { total } = await requireQueue(db, owner, id);
  const ids = offset < total ? await store.readSlice(db, id, offset, limit) : [];
  const existing = await store.readExisting(db, owner.archive, ids);
  const states = await store.readQueueStates(db, id, ids);
  const revisions = ids.map((revisionId, i) => ({
    position: offset + i,
    revisionId: String(revisionId),
    state: existing.has(revisionId) ? (states.get(revisionId) ?? OPEN) : GONE,
  }));
  return { revisions, total };
}

async function requireQueue(db: Transaction, owner: QueueOwner, id: number): Promise<StoredQueue> {
  const queue = await store.readQueue(db, owner, id);
  if (!queue) throw new ApiError('not_found', texts.noQueue);
  return queue;
}

async function presentQueue(
  db: Transaction,
  archive: Archive,
  stored: StoredQueue,
  deletedRevisions: DeletedRevisions,
): Promise<Queue> {
  const { id, name, filter, total, position, field } = stored;
  const counts = await store.countStates(db, id);
  for (const state of deletedRevisions.values()) if (state !== OPEN) counts[state]--;
  return {
    queueId: String(id),
    name,
    filter: filter && visibleQuery(archive, filter),
    total,
    position,
    counts: { ...counts, gone: deletedRevisions.size },
    createdAt: isoTime(stored.created_at),
    usedAt: isoTime(stored.used_at),
    field: field && visiblePath(archive, field),
  };
}

const NONE_DELETED: DeletedRevisions = new Map();

/** Ids are never reused, so revisions deleted before the creation of the queue are not in it. */
async function deletedRevisionsOf(
  db: Transaction,
  archive: Archive,
  queue: StoredQueue,
): Promise<DeletedRevisions> {
  const since = queue.created_at - MAX_CLOCK_SKEW;
  const deleted = await store.readDeletedSince(db, archive, since);
  if (deleted.length === 0) return NONE_DELETED;
  const members = [...(await store.readMembers(db, queue.id, deleted))];
  const existing = await store.readExisting(db, archive, members);
  const ids = members.filter((id) => !existing.has(id));
  const states = await store.readQueueStates(db, queue.id, ids);
  return new Map(ids.map((id) => [id, states.get(id) ?? OPEN]));
}
