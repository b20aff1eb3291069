import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
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
  /**
   * large transactions, which are sealed a few at a time beside what others commit, so that nobody waits until all of a
   * load has its places: each up to the entry `after` yet, although a snapshot above shows all of it, up to `upTo`
   */
  large: z.array(z.object({ xid: z.string(), after: z.number(), upTo: z.number() })).default([]),
});
type Progress = z.infer<typeof progressSchema>;
type Large = Progress['large'];

/** How many entries of large transactions are sealed at once; others wait for so many at most. */
const LARGE_AT_ONCE = 3_000;

/** What is to be sealed next, and how far that brings it. */
export interface Unsealed {
  readonly ids: readonly number[];
  /** of large transactions, to get their places behind the others */
  readonly idsOfLarge: readonly number[];
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
  db: Transaction,
  last: HistoryBlockRow | undefined,
  most: number,
  remembered: Remembered | undefined,
): Promise<Unsealed> {
  const number = last?.number ?? 0;
  const progress = remembered?.number === number ? remembered.progress : progressOf(last);
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
  const fresh = sql<boolean>`${sql.join(conditions, sql` and `)}`;
  let { large } = progress;
  let found = await find(db, withoutLarge(fresh, large), most);
  if (isOfAnotherCluster(progress, found.snapshot)) return adopt(db, most);
  if (found.more) {
    const further = await findLarge(db, withoutLarge(fresh, large), most);
    if (further.length > 0) {
      large = [...large, ...further];
      found = await find(db, withoutLarge(fresh, large), most);
    }
  }
  const { snapshot, ids, more } = found;
  const seen = pending ?? snapshot;
  if (more) {
    return { ids, idsOfLarge: [], more, progress: { from, sealed, pending: seen, large } };
  }
  const turn = await takeTurn(db, large);
  return {
    ids,
    idsOfLarge: turn.ids,
    // What was committed since `pending` is looked for next.
    more: pending !== null || turn.large.length > 0,
    progress: { from, sealed: seen, pending: null, large: turn.large },
  };
}

function progressOf(last: HistoryBlockRow | undefined): Progress {
  return last?.progress
    ? progressSchema.parse(JSON.parse(last.progress))
    : { from: last?.last_id ?? 0, sealed: null, pending: null, large: [] };
}

/** The large transactions that are being worked off; none on SQLite. */
export function readLarge(last: HistoryBlockRow | undefined): Large {
  return progressOf(last).large;
}

function withoutLarge(where: RawBuilder<boolean>, large: Large): RawBuilder<boolean> {
  if (large.length === 0) return where;
  const xids = large.map(({ xid }) => xid);
  return sql`${where} and (xid is null or xid <> all(${xids}::text[]::xid8[]))`;
}

/** The transactions that have more than half of the next entries. */
async function findLarge(
  db: Transaction,
  where: RawBuilder<boolean>,
  most: number,
): Promise<Large> {
  const { rows } = await sql<Large[number]>`
    select xid::text as xid, after, (select max(id) from history where xid = large.xid) as "upTo"
    from (
      select xid, min(id) - 1 as after from (
        select id, xid from history where ${where} order by id limit ${most}
      ) as next where xid is not null group by xid having count(*) > ${most / 2}
    ) as large`.execute(db.k);
  return rows;
}

/** Takes the next entries of the first of the large transactions. */
async function takeTurn(
  db: Transaction,
  large: Large,
): Promise<{ readonly ids: readonly number[]; readonly large: Large }> {
  const [first, ...others] = large;
  if (!first) return { ids: [], large };
  // A stretch of ids: PostgreSQL might sort all of the transaction to find its next.
  const after = Math.min(first.upTo, first.after + LARGE_AT_ONCE);
  const where = sql<boolean>`id > ${first.after} and id <= ${after}
    and xid is not distinct from ${first.xid}::text::xid8`;
  const { ids } = await find(db, where, LARGE_AT_ONCE);
  return { ids, large: after < first.upTo ? [{ ...first, after }, ...others] : others };
}

/**
 * Which of some entries that no block has will never be sealed, as they came past what the sealing had seen
 * already: not from the service.
 * @param last the last block
 */
export async function insertedAmong(
  db: Transaction,
  last: HistoryBlockRow,
  ids: readonly number[],
): Promise<number[]> {
  const progress = progressOf(last);
  const { from, sealed, large } = progress;
  const { rows: now } = await sql<{ snapshot: string }>`
    select pg_current_snapshot()::text as snapshot`.execute(db.k);
  if (isOfAnotherCluster(progress, now[0]?.snapshot ?? '')) return [];
  const seen =
    sealed === null
      ? sql`false`
      : sql`(xid is null or pg_visible_in_snapshot(xid, ${sealed}::text::pg_snapshot))`;
  const { rows } = await sql<{ id: number; xid: string | null }>`
    select id, xid::text as xid from history
    where id in (${sql.join(ids)}) and (id <= ${from} or ${seen}) order by id`.execute(db.k);
  const isToCome = ({ id, xid }: { id: number; xid: string | null }) =>
    large.some((one) => one.xid === xid && id > one.after);
  return rows.filter((row) => !isToCome(row)).map(({ id }) => id);
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
async function adopt(db: Transaction, most: number): Promise<Unsealed> {
  const unnamed = sql<boolean>`not exists (
    select from history_blocks, json_array_elements_text(ids::json) named
    where named::bigint = history.id)`;
  const { rows } = await sql<{ last: number | null }>`
    select max(id) as last from history where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db.k,
  );
  const { snapshot, ids, more } = await find(db, unnamed, most);
  // Until all of it is sealed the database stays one that is to be adopted.
  const ended = { from: rows[0]?.last ?? 0, sealed: snapshot, pending: null, large: [] };
  const halfDone = { from: 0, sealed: OF_NO_CLUSTER, pending: null, large: [] };
  return { ids, idsOfLarge: [], more, progress: more ? halfDone : ended };
}

/** Beyond any transaction. */
const OF_NO_CLUSTER = '1:9000000000000000000:';

/** Ids in their order, and the snapshot that showed them, of one statement. */
async function find(
  db: Transaction,
  where: RawBuilder<boolean>,
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
