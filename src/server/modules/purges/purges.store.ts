import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { updateRows } from '#server/database/records/bulk-statements.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import { DEFINITION_SUBJECT_IDS } from '../definitions/definitions.service.ts';
import {
  CHAINED_COLUMNS,
  hashEntry,
  readChanges,
  type ChainedEntry,
} from '../history/history.service.ts';
import {
  PURGE_CHANGE,
  readPurge,
  remainingChanges,
  type Purge,
  type PurgeScope,
} from './purged-entries.ts';

/** All purges, oldest first. */
export async function readPurges(db: Transaction): Promise<Purge[]> {
  const purges: Purge[] = [];
  for (const kind of ['archive', 'table'] as const) {
    const { rows } = await sql<{ id: number; row_id: number; changes: string }>`
      select id, row_id, changes from history
      where scope = 'definition' and thing_id = ${DEFINITION_SUBJECT_IDS[kind]} and kind = 'purge'
      order by id`.execute(db.k);
    for (const row of rows) {
      for (const { name, after } of readChanges(row.changes)) {
        const description = name === PURGE_CHANGE ? readPurge(after) : null;
        if (description)
          purges.push({ ...description, id: row.id, kind, collectionId: row.row_id });
      }
    }
  }
  return purges.toSorted((a, b) => a.id - b.id);
}

/** The purges of one archive or table. */
export function purgesOf(purges: readonly Purge[], { kind, id }: CollectionRef): Purge[] {
  return purges.filter((purge) => purge.kind === kind && purge.collectionId === id);
}

/** The place of an entry in the order of records and ids. */
export type EntryPosition = Pick<ChainedEntry, 'row_id' | 'id'>;

export interface EntriesPage {
  readonly entries: readonly ChainedEntry[];
  /** the end of the page; null: it is the last one */
  readonly next: EntryPosition | null;
}

/** An entry may have several megabytes. */
const PAGE = 200;

/**
 * The next entries of an archive or table up to one, in the order of records and ids. @param after null: start with the
 * first
 */
export async function readEntriesUpTo(
  db: Transaction,
  { kind, id }: CollectionRef,
  upTo: number,
  after: EntryPosition | null,
): Promise<EntriesPage> {
  const { row_id: row, id: entry } = after ?? { row_id: Number.MIN_SAFE_INTEGER, id: 0 };
  const { rows } = await sql<ChainedEntry>`
    select ${CHAINED_COLUMNS}
    from history where scope = ${kind} and thing_id = ${id} and (row_id, id) > (${row}, ${entry})
    order by row_id, id limit ${PAGE}`.execute(db.k);
  const entries = rows.filter((row) => row.id <= upTo);
  return { entries, next: rows.length < PAGE ? null : (rows.at(-1) ?? null) };
}

/**
 * Removes changes from entries of an archive or table in a range of ids, and stores their original hashes. The database
 * allows this while the job of the purge runs.
 * @returns how many entries have changed
 */
export async function removeChanges(
  db: Transaction,
  { kind, id }: CollectionRef,
  purge: PurgeScope,
  [after, last]: readonly [number, number],
): Promise<number> {
  // Uses the primary key: another index would be read up to the range.
  const { rows } = await sql<ChainedEntry>`
    select ${CHAINED_COLUMNS}
    from history where id > ${after} and id <= ${last} and scope || '' = ${kind} and thing_id + 0 = ${id}`.execute(
    db.k,
  );
  const changed = rows.flatMap((entry) => {
    const changes = remainingChanges(entry, [purge]);
    if (changes === entry.changes) return [];
    return [[entry.id, changes, entry.sha256 ?? hashEntry(entry).toString('hex')]];
  });
  await updateRows(db, 'history', ['id'], ['changes', 'sha256'], changed);
  return changed.length;
}
