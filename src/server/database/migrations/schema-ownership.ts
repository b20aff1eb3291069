import type { Transaction } from '../database.ts';

/** Created together by the first Indexdesk that used a database: where they are, the database is Indexdesk's. */
const OURS = ['archives', 'history', 'installation'];

const MAX_NAMED = 3;

/**
 * Looks whose tables are where ours are, or are to be.
 * @returns whether there are none at all
 * @throws {Error} with the place and the remedy where they are another program's
 */
export async function isWithoutTables(db: Transaction): Promise<boolean> {
  const names = await db.adapter.tableNames(db);
  if (names.length === 0) return true;
  if (OURS.every((name) => names.includes(name))) return false;
  const { place, remedy } = await db.adapter.describePlace(db);
  throw new Error(`${place} holds what another program has made: ${listed(names)}. ${remedy}`);
}

/** @throws {Error} where a database holds no tables, or another program's */
export async function refuseEmpty(db: Transaction): Promise<void> {
  if (await isWithoutTables(db)) throw new Error((await db.adapter.describePlace(db)).empty);
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(', ');
  const others = names.length - MAX_NAMED;
  return others > 0 ? `${named} and ${others} more` : named;
}
