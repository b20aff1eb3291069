import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import type { Transaction } from '../database.ts';

/** Tables that every Indexdesk database has: if they exist, the database belongs to Indexdesk. */
const INDEXDESK_TABLES = ['archives', 'history', 'installation'];

const MAX_LISTED = 3;

/**
 * Checks which program the tables of the database belong to.
 * @returns whether there are no tables at all
 * @throws {OperatorError} if they belong to another program
 */
export async function hasNoTables(db: Transaction): Promise<boolean> {
  const names = await db.adapter.tableNames(db);
  if (names.length === 0) return true;
  if (INDEXDESK_TABLES.every((name) => names.includes(name))) return false;
  const { place, remedy } = await db.adapter.describeLocation(db);
  throw new OperatorError(texts.foreignTables({ place, tables: listed(names), remedy }));
}

/** @throws {OperatorError} if a database has no tables, or those of another program */
export async function assertHasTables(db: Transaction): Promise<void> {
  if (!(await hasNoTables(db))) return;
  throw new OperatorError((await db.adapter.describeLocation(db)).emptyDatabase);
}

function listed(names: readonly string[]): string {
  const named = names.slice(0, MAX_LISTED).join(', ');
  const others = names.length - MAX_LISTED;
  return others > 0 ? texts.namedAndMore({ named, others }) : named;
}
