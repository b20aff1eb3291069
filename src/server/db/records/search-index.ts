import { sql } from 'kysely';
import type { Db } from '../database.ts';
import { searchTable } from './columns.ts';
import type { Thing } from './thing.ts';

/** What SQLite's full-text index gathers in memory, in bytes, before it writes: its own default, and for many texts. */
export const SEARCH_MEMORY = { normal: 1_048_576, many: 16_777_216 } as const;

/**
 * How the full-text index merges what each commit has added to it. By itself it does so within the commits, now
 * and then for 100 ms. While a job changes many records by small transactions it only merges 64 of them at a
 * time, and the rest afterwards (`mergeSearch`).
 */
const MERGING = {
  normal: { automerge: 4, crisismerge: 16 },
  job: { automerge: 0, crisismerge: 64 },
} as const;

/** Pages of the index that are merged at once afterwards: some milliseconds. */
const PAGES_AT_ONCE = 100;

/** Sets an option of the full-text index. */
export async function setSearchOption(
  db: Db,
  thing: Thing,
  name: string,
  value: number,
): Promise<void> {
  const search = sql.table(searchTable(thing));
  // A literal, as node:sqlite binds every number as a floating-point one, which is refused here.
  await sql`insert into ${search} (${sql.ref(searchTable(thing))}, rank) values (${name}, ${sql.lit(value)})`.execute(
    db.k,
  );
}

/** To be called before many small transactions change the records, and again with `normal` after them. */
export async function prepareSearch(
  db: Db,
  thing: Thing,
  mode: keyof typeof MERGING,
): Promise<void> {
  if (db.dialect === 'postgres') return;
  await setSearchOption(db, thing, 'automerge', MERGING[mode].automerge);
  await setSearchOption(db, thing, 'crisismerge', MERGING[mode].crisismerge);
}

/**
 * Merges some of what many small transactions have added to the full-text index.
 * @returns whether there is more to merge
 */
export async function mergeSearch(db: Db, thing: Thing): Promise<boolean> {
  if (db.dialect === 'postgres') return false;
  const changes = async () => {
    const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db.k);
    return rows[0]?.count ?? 0;
  };
  const before = await changes();
  await setSearchOption(db, thing, 'merge', PAGES_AT_ONCE);
  // The option itself counts as one (https://sqlite.org/fts5.html, "The 'merge' command").
  return (await changes()) - before >= 2;
}
