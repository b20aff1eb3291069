import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { chunks, insertRows } from '#server/database/records/bulk-statements.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { SystemSchema } from '#server/database/schema.ts';
import { MAX_IDS } from '#shared/rules/limits.ts';

/** The number of revisions in one part of a queue. */
const PART = 1_000;

type Done = SystemSchema['queue_states']['state'];
export type State = 'open' | Done;

/** The user and the archive of queues. */
export interface QueueOwner {
  readonly userId: number;
  readonly archive: Archive;
}

interface NewQueue {
  readonly name: string;
  readonly filter: string | null;
  /** the path of the field that has the focus when a revision is opened */
  readonly field: string | null;
  readonly revisionIds: readonly number[];
}

export async function insertQueue(
  db: Transaction,
  { userId, archive }: QueueOwner,
  { name, filter, field, revisionIds }: NewQueue,
  at: number,
): Promise<number> {
  const { id } = await db.k
    .insertInto('queues')
    .values({
      archive_id: archive.id,
      user_id: userId,
      name,
      filter,
      total: revisionIds.length,
      position: 0,
      field,
      created_at: at,
      used_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const parts = [...chunks(revisionIds, PART)].map((ids, part) => [id, part, `,${ids.join()},`]);
  await insertRows(db, 'queue_parts', ['queue_id', 'part', 'row_ids'], parts);
  return id;
}

function own(db: Transaction, { userId, archive }: QueueOwner) {
  return db.k
    .selectFrom('queues')
    .selectAll()
    .where('user_id', '=', userId)
    .where('archive_id', '=', archive.id);
}

export type StoredQueue = Awaited<ReturnType<typeof readQueues>>[number];

/** Last used first. */
export function readQueues(db: Transaction, owner: QueueOwner) {
  return own(db, owner).orderBy('used_at', 'desc').orderBy('id', 'desc').execute();
}

/** A user's unfinished queues in all archives, last used first. */
export function readOpenQueues(db: Transaction, userId: number) {
  return db.k
    .selectFrom('queues')
    .select(['id', 'archive_id', 'name', 'total', 'position', 'used_at'])
    .where('user_id', '=', userId)
    .whereRef('position', '<', 'total')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The current time, but later than the last use of any queue of the owner, so that the order is unique. */
export async function nextMoment(db: Transaction, owner: QueueOwner): Promise<number> {
  const [last] = await readQueues(db, owner);
  return Math.max(Date.now(), (last?.used_at ?? 0) + 1);
}

export function readQueue(
  db: Transaction,
  owner: QueueOwner,
  id: number,
): Promise<StoredQueue | undefined> {
  return own(db, owner).where('id', '=', id).executeTakeFirst();
}

export async function updateQueue(
  db: Transaction,
  id: number,
  set: { position?: number; field?: string | null; used_at: number },
): Promise<void> {
  await db.k.updateTable('queues').set(set).where('id', '=', id).execute();
}

export async function deleteQueues(db: Transaction, ids: readonly number[]): Promise<void> {
  for (const id of ids) await db.k.deleteFrom('queues').where('id', '=', id).execute();
}

/** The ids of a range of a queue, in its order. */
export async function readSlice(
  db: Transaction,
  queueId: number,
  offset: number,
  limit: number,
): Promise<number[]> {
  const first = Math.floor(offset / PART);
  const last = Math.floor((offset + limit - 1) / PART);
  const rows = await db.k
    .selectFrom('queue_parts')
    .select('row_ids')
    .where('queue_id', '=', queueId)
    .where('part', '>=', first)
    .where('part', '<=', last)
    .orderBy('part')
    .execute();
  const from = offset - first * PART;
  return rows.flatMap((row) => idsOf(row.row_ids)).slice(from, from + limit);
}

function idsOf(text: string): number[] {
  return text.slice(1, -1).split(',').map(Number);
}

/** Those of the ids that are in the queue. */
export async function readMembers(
  db: Transaction,
  queueId: number,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length > 20) {
    const all = new Set(await readSlice(db, queueId, 0, MAX_IDS));
    return new Set(ids.filter((id) => all.has(id)));
  }
  const found = new Set<number>();
  for (const id of ids) {
    const holds = db.adapter.contains(sql.ref('row_ids'), `,${id},`);
    const row = await db.k
      .selectFrom('queue_parts')
      .select('part')
      .where('queue_id', '=', queueId)
      .where(holds)
      .limit(1)
      .executeTakeFirst();
    if (row) found.add(id);
  }
  return found;
}

/** The states of these revisions, as far as they are not open. */
export async function readQueueStates(
  db: Transaction,
  queueId: number,
  ids: readonly number[],
): Promise<Map<number, State>> {
  const rows = await db.k
    .selectFrom('queue_states')
    .select(['row_id', 'state'])
    .where('queue_id', '=', queueId)
    .where(sql<boolean>`row_id ${db.adapter.isAmong(ids)}`)
    .execute();
  return new Map(rows.map(({ row_id, state }) => [row_id, state]));
}

export async function countStates(db: Transaction, queueId: number): Promise<Record<Done, number>> {
  const rows = await db.k
    .selectFrom('queue_states')
    .select((of) => ['state', of.fn.countAll<number>().as('count')])
    .where('queue_id', '=', queueId)
    .groupBy('state')
    .execute();
  const counts = { corrected: 0, unchanged: 0, skipped: 0 };
  for (const { state, count } of rows) counts[state] = count;
  return counts;
}

/** How many states one statement stores: each takes several parameters. */
const STATE_CHUNK_SIZES = [200, 20, 1];

/** Stores states; the last one of a revision counts. */
export async function writeStates(
  db: Transaction,
  queueId: number,
  states: ReadonlyMap<number, State>,
): Promise<void> {
  for (const chunk of chunks([...states], STATE_CHUNK_SIZES)) {
    await db.k
      .deleteFrom('queue_states')
      .where('queue_id', '=', queueId)
      .where(
        'row_id',
        'in',
        chunk.map(([id]) => id),
      )
      .execute();
    const kept = chunk.flatMap(([id, state]) => (state === 'open' ? [] : [[queueId, id, state]]));
    await insertRows(db, 'queue_states', ['queue_id', 'row_id', 'state'], kept);
  }
}

/** Those of the ids that are existing revisions of the archive. */
export async function readExisting(
  db: Transaction,
  archive: Archive,
  ids: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${sql.table(tableName(archive))} where _id ${db.adapter.isAmong(ids)}`.execute(
    db.k,
  );
  return new Set(rows.map(({ id }) => id));
}

/** The revisions of an archive that were deleted since a time. */
export async function readDeletedSince(
  db: Transaction,
  archive: Archive,
  since: number,
): Promise<number[]> {
  // As a literal, because only then the index of deletions is used.
  const { rows } = await sql<{ id: number }>`select distinct row_id as id from history
    where kind = 'delete' and scope = 'archive' and thing_id = ${archive.id} and at >= ${since}`.execute(
    db.k,
  );
  return rows.map(({ id }) => id);
}

/**
 * Renames fields in the filters of all queues of an archive, and those where clerks were in them.
 * @param renamePath of a path such as `indexFields.NO`
 */
export async function renameFieldsInQueues(
  db: Transaction,
  archiveId: number,
  change: (filter: string) => string,
  renamePath: (path: string) => string,
): Promise<void> {
  const queues = await db.k
    .selectFrom('queues')
    .select(['id', 'filter', 'field'])
    .where('archive_id', '=', archiveId)
    .execute();
  for (const queue of queues) {
    const filter = queue.filter === null ? null : change(queue.filter);
    const field = queue.field === null ? null : renamePath(queue.field);
    if (filter === queue.filter && field === queue.field) continue;
    await db.k.updateTable('queues').set({ filter, field }).where('id', '=', queue.id).execute();
  }
}
