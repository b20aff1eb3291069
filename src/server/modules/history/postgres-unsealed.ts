import { sql } from 'kysely';
import * as z from 'zod';
import type { Db } from '#server/db/database.ts';
import type { HistoryBlockRow } from '#server/db/schema.ts';
import { idsOf } from './blocks.store.ts';

/**
 * How far the sealing is on PostgreSQL, where ids tell nothing about what is still to be committed. Snapshots are in
 * PostgreSQL's own words (`xmin:xmax:xip,…`): what was committed when one was taken.
 */
const progressSchema = z.object({
  /** entries up to this id count as sealed, whatever transaction they tell of */
  from: z.number(),
  /** everything that it shows is sealed; null: nothing beyond `from` is */
  sealed: z.string().nullable(),
  /** what it shows is sealed up to the last id of the block; null: nothing is half done */
  pending: z.string().nullable(),
});
type Progress = z.infer<typeof progressSchema>;

/** What is to be sealed next, and how far that brings it. */
export interface Unsealed {
  readonly ids: readonly number[];
  /** whether there may be more */
  readonly more: boolean;
  readonly progress: Progress;
}

/** What was found when nothing was to be sealed, so that no block could keep it. */
export interface Remembered {
  readonly number: number;
  readonly progress: Progress;
}

/**
 * Finds committed entries without a place, in the order of their ids: of two changes of one record the later
 * one has the greater id, as the record is locked before the id is taken. Every transaction that a snapshot
 * does not show is either one of those that it names as running or one from `xmax` on, so that a later look
 * at these alone misses nothing and finds nothing twice, however long one of them runs.
 * @param last the last block
 * @param remembered by the caller since an earlier call
 */
export async function findUnsealed(
  db: Db,
  last: HistoryBlockRow | undefined,
  most: number,
  remembered: Remembered | undefined,
): Promise<Unsealed> {
  const number = last?.number ?? 0;
  let progress: Progress = { from: last?.last_id ?? 0, sealed: null, pending: null };
  if (remembered?.number === number) progress = remembered.progress;
  else if (last?.progress) progress = progressSchema.parse(JSON.parse(last.progress));
  const { from, sealed, pending } = progress;
  const after = pending === null ? from : Math.max(from, lastOf(last));
  const conditions = [sql<boolean>`id > ${after}`];
  if (sealed !== null) {
    const { xmax, running } = partsOf(sealed);
    conditions.push(
      running.length === 0
        ? sql`xid >= ${xmax}::text::xid8`
        : sql`(xid >= ${xmax}::text::xid8 or xid = any(${running}::text[]::xid8[]))`,
    );
  }
  if (pending !== null) {
    conditions.push(
      sql`(xid is null or pg_visible_in_snapshot(xid, ${pending}::text::pg_snapshot))`,
    );
  }
  const { snapshot, ids, more } = await find(db, sql.join(conditions, sql` and `), most);
  if (isOfAnotherCluster(progress, snapshot)) return adopt(db, most);
  const seen = pending ?? snapshot;
  return {
    ids,
    // What was committed since `pending` is looked for next.
    more: more || pending !== null,
    progress: more ? { from, sealed, pending: seen } : { from, sealed: seen, pending: null },
  };
}

/**
 * Which of some entries that no block has will never be sealed, as they came past what the sealing had seen
 * already: not from the service.
 * @param last the last block
 */
export async function insertedAmong(
  db: Db,
  last: HistoryBlockRow,
  ids: readonly number[],
): Promise<number[]> {
  const progress: Progress = last.progress
    ? progressSchema.parse(JSON.parse(last.progress))
    : { from: last.last_id, sealed: null, pending: null };
  const { from, sealed } = progress;
  const { rows: now } = await sql<{ snapshot: string }>`
    select pg_current_snapshot()::text as snapshot`.execute(db.k);
  if (isOfAnotherCluster(progress, now[0]?.snapshot ?? '')) return [];
  const seen =
    sealed === null
      ? sql`false`
      : sql`(xid is null or pg_visible_in_snapshot(xid, ${sealed}::text::pg_snapshot))`;
  const { rows } = await sql<{ id: number }>`
    select id from history where id in (${sql.join(ids)}) and (id <= ${from} or ${seen}) order by id`.execute(
    db.k,
  );
  return rows.map(({ id }) => id);
}

/** The greatest id of a block: its entries are in the order of their ids. */
function lastOf(block: HistoryBlockRow | undefined): number {
  return block ? (idsOf(block.ids).at(-1) ?? 0) : 0;
}

function partsOf(snapshot: string): { readonly xmax: string; readonly running: string[] } {
  const [, xmax = '', running = ''] = snapshot.split(':');
  return { xmax, running: running === '' ? [] : running.split(',') };
}

/** Whether transactions are told of that there have not been: the database was dumped and restored elsewhere. */
function isOfAnotherCluster({ sealed, pending }: Progress, now: string): boolean {
  const newest = pending ?? sealed;
  return newest !== null && BigInt(partsOf(newest).xmax) > BigInt(partsOf(now).xmax);
}

/**
 * Seals in a restored database what no block names. The numbers of transactions begin anew there, so that those
 * which its old entries tell of come again and must count no more: these entries end with the greatest of them.
 */
async function adopt(db: Db, most: number): Promise<Unsealed> {
  const unnamed = sql<boolean>`not exists (
    select from history_blocks, json_array_elements_text(ids::json) named
    where named::bigint = history.id)`;
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from history where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db.k,
  );
  const { snapshot, ids, more } = await find(db, unnamed, most);
  // Until all of it is sealed the database stays one that is to be adopted.
  const ended = { from: rows[0]?.last ?? 0, sealed: snapshot, pending: null };
  return { ids, more, progress: more ? { from: 0, sealed: OF_NO_CLUSTER, pending: null } : ended };
}

/** Beyond any transaction. */
const OF_NO_CLUSTER = '1:9000000000000000000:';

/** Ids in their order, and the snapshot that showed them, of one statement. */
async function find(
  db: Db,
  where: ReturnType<typeof sql<unknown>>,
  most: number,
): Promise<{ readonly snapshot: string; readonly ids: number[]; readonly more: boolean }> {
  const { rows } = await sql<{ snapshot: string; ids: number[] | null }>`
    select pg_current_snapshot()::text as snapshot, (
      select json_agg(id order by id) from (
        select id from history where ${where} order by id limit ${most + 1}
      ) found
    ) as ids`.execute(db.k);
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL did not tell its snapshot.');
  const ids = row.ids ?? [];
  return { snapshot: row.snapshot, ids: ids.slice(0, most), more: ids.length > most };
}
