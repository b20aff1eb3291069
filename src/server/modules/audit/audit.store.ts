import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow, HistoryKind } from '#server/database/tables/history-tables.ts';
import {
  CHAIN_START,
  CHAINED_COLUMNS,
  readChanges,
  readLastBlock,
  type ChainedEntry,
  type Change,
} from '../history/history.service.ts';
import { nameKey } from '#shared/rules/names.ts';
import { indexScansOf, matchesChanges, type AuditFilter, type IndexScan } from './audit-filter.ts';

/** The position of an entry in the audit: by time, then by id, newest first. */
interface EntryPosition {
  readonly at: number;
  readonly id: number;
}

/** Entries that are read at once: one may have megabytes. */
const READ_BATCH_SIZE = 100;
/** A page ends early if its changes have more characters, … */
const MAX_PAGE_LENGTH = 4_000_000;
/** … or if no index supports the filter and the search has taken this long, in milliseconds. */
const MAX_SEARCH_TIME = 250;
/** Index entries that are searched together, in some 10 ms; at least one such slice is searched. */
const SLICE_SIZE = 10_000;

export interface AuditPage {
  readonly rows: readonly ChainedEntry[];
  /** the id of the entry after which the next page begins; null: there are no older entries */
  readonly next: number | null;
}

/**
 * Reads the newest matching entries.
 * @param after only entries older than this one, which need not match; null: start with the newest
 * @returns undefined if there is no entry `after`
 */
export async function readAuditPage(
  db: Transaction,
  filter: AuditFilter,
  after: number | null,
  limit: number,
): Promise<AuditPage | undefined> {
  const start = await startOf(db, filter, after);
  if (!start) return undefined;
  const lowest = { at: filter.from ?? Number.MIN_SAFE_INTEGER, id: Number.MIN_SAFE_INTEGER };
  const scans = indexScansOf(filter, db.adapter);
  const isSearch = scans.some(({ conditions }) => conditions.length > 0);
  const isMatch = (row: ChainedEntry) =>
    (!filter.fields && filter.value === null) || matchesChanges(filter, readChanges(row.changes));
  const rows: ChainedEntry[] = [];
  const started = performance.now();
  let size = 0;
  for (let upper = start; ;) {
    const lower = (isSearch && (await sliceEnd(db, scans, upper, lowest))) || lowest;
    for (;;) {
      const wanted = Math.min(READ_BATCH_SIZE, limit + 1 - rows.length);
      const found = await readRange(db, scans, upper, lower, wanted);
      for (const row of found.filter(isMatch)) {
        rows.push(row);
        size += row.changes.length;
      }
      if (rows.length > limit)
        return { rows: rows.slice(0, limit), next: rows[limit - 1]?.id ?? 0 };
      const last = found.at(-1);
      if (!last || found.length < wanted) break;
      upper = last;
      if (size > MAX_PAGE_LENGTH) return { rows, next: last.id };
    }
    if (lower === lowest) return { rows, next: null };
    upper = lower;
    const isLate = performance.now() - started > MAX_SEARCH_TIME;
    if (isLate || size > MAX_PAGE_LENGTH) return { rows, next: lower.id };
  }
}

async function startOf(
  db: Transaction,
  { to }: AuditFilter,
  after: number | null,
): Promise<EntryPosition | undefined> {
  const newest = { at: to ?? Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };
  if (after === null) return newest;
  const [row] = await readByIds(db, [after]);
  return row && (row.at > newest.at ? newest : row);
}

/** Entries by their ids, in any order. */
export async function readByIds(db: Transaction, ids: readonly number[]): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainedEntry>`
    select ${CHAINED_COLUMNS} from history where id in (${sql.join(ids)})`.execute(db.k);
  return rows;
}

/** The end of a slice of about `SLICE_SIZE` entries of an index, before further conditions; null: there are fewer. */
async function sliceEnd(
  db: Transaction,
  scans: readonly IndexScan[],
  upper: EntryPosition,
  lowest: EntryPosition,
): Promise<EntryPosition | null> {
  let end: EntryPosition | null = null;
  for (const { index, prefix } of scans) {
    for (const part of positionRanges(upper, lowest)) {
      const { rows } = await sql<EntryPosition>`
        select at, id from history ${db.adapter.useIndex(index)} where ${prefix} and ${part}
        order by at desc, id desc limit 1 offset ${SLICE_SIZE}`.execute(db.k);
      const [position] = rows;
      if (!position) continue;
      if (!end || isNewer(position, end)) end = position;
      break;
    }
  }
  return end;
}

/** The newest entries older than `upper`, and not older than `lower`. */
async function readRange(
  db: Transaction,
  scans: readonly IndexScan[],
  upper: EntryPosition,
  lower: EntryPosition,
  limit: number,
): Promise<ChainedEntry[]> {
  const all: ChainedEntry[] = [];
  for (const { index, prefix, conditions } of scans) {
    let missing = limit;
    for (const part of positionRanges(upper, lower)) {
      if (missing === 0) break;
      const { rows } = await sql<ChainedEntry>`
        select ${CHAINED_COLUMNS} from history ${db.adapter.useIndex(index)}
        where ${sql.join([prefix, part, ...conditions], sql` and `)}
        order by at desc, id desc limit ${missing}`.execute(db.k);
      all.push(...rows);
      missing -= rows.length;
    }
  }
  if (scans.length > 1) all.sort((a, b) => (isNewer(a, b) ? -1 : 1));
  return all.slice(0, limit);
}

/**
 * The entries older than `upper` and not older than `lower`, as conditions that an index supports, newest first: all
 * entries of a load may have the same time.
 */
function* positionRanges(
  upper: EntryPosition,
  lower: EntryPosition,
): Generator<RawBuilder<unknown>> {
  if (upper.at === lower.at) {
    yield sql`at = ${upper.at} and id < ${upper.id} and id >= ${lower.id}`;
    return;
  }
  yield sql`at = ${upper.at} and id < ${upper.id}`;
  yield sql`at < ${upper.at} and at > ${lower.at}`;
  yield sql`at = ${lower.at} and id >= ${lower.id}`;
}

function isNewer(a: EntryPosition, b: EntryPosition): boolean {
  return a.at === b.at ? a.id > b.id : a.at > b.at;
}

/** The changes of a record up to an entry, oldest first. */
export async function readRecordEntries(
  db: Transaction,
  { scope, thing_id, row_id, id }: ChainedEntry,
  after: number,
): Promise<{ readonly id: number; readonly kind: HistoryKind; readonly changes: Change[] }[]> {
  const rows = await db.k
    .selectFrom('history')
    .select(['id', 'kind', 'changes'])
    .where('scope', '=', scope)
    .where('thing_id', '=', thing_id)
    .where('row_id', '=', row_id)
    .where('id', '>', after)
    .where('id', '<=', id)
    .orderBy('id')
    .limit(READ_BATCH_SIZE)
    .execute();
  return rows.map((row) => ({ ...row, changes: readChanges(row.changes) }));
}

/** The spelling of a username, also of a deleted user, which is never given to another one. */
export async function readSpelling(db: Transaction, username: string): Promise<string | undefined> {
  const row = await db.k
    .selectFrom('users')
    .select('username')
    .where('username_key', '=', nameKey(username))
    .executeTakeFirst();
  return row?.username;
}

/** The usernames of users by their ids. */
export async function readUsernames(db: Transaction): Promise<Map<number, string>> {
  const rows = await db.k.selectFrom('users').select(['id', 'username']).execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/**
 * The blocks from the first one that can contain an entry on, up to the newest one: the greatest ids never decrease, so
 * a binary search finds it. `first` is greater than `last` if there is none.
 */
export async function readBlockRange(
  db: Transaction,
  entryId: number,
): Promise<{ readonly first: number; readonly last: number; readonly before: string }> {
  const last = (await readLastBlock(db))?.number ?? 0;
  let [first, end] = [1, last + 1];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    const [block] = await db.k
      .selectFrom('history_blocks')
      .select('last_id')
      .where('number', '=', middle)
      .execute();
    if ((block?.last_id ?? 0) >= entryId) end = middle;
    else first = middle + 1;
  }
  const [previous] = await readBlocks(db, first - 1, first - 1);
  return { first, last, before: previous?.hash ?? CHAIN_START };
}

/** The blocks with these numbers, in order. */
export function readBlocks(
  db: Transaction,
  first: number,
  last: number,
): Promise<HistoryBlockRow[]> {
  return db.k
    .selectFrom('history_blocks')
    .selectAll()
    .where('number', '>=', first)
    .where('number', '<=', last)
    .orderBy('number')
    .execute();
}
