import * as z from 'zod';
import type { Transaction } from '../database.ts';
import type { TableSum } from './rows.ts';

/** How far the copy of an installation has come; it stands in the target until the copy is whole. */
export interface CopyState {
  /** what is copied, for the administrator */
  readonly from: string;
  /** the sums of the tables that have all their rows */
  readonly finished: Readonly<Record<string, TableSum>>;
}

const KEY = 'copying';
const stateSchema = z.object({
  from: z.string(),
  finished: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
});

/** @returns null where the database is no target of a copy, or the copy is whole */
export async function readCopyState(db: Transaction): Promise<CopyState | null> {
  const row = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst();
  return row ? stateSchema.parse(JSON.parse(row.value)) : null;
}

export async function writeCopyState(db: Transaction, state: CopyState): Promise<void> {
  const value = JSON.stringify(state);
  await db.k
    .insertInto('installation')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

export async function removeCopyState(db: Transaction): Promise<void> {
  await db.k.deleteFrom('installation').where('key', '=', KEY).execute();
}

/** @throws {Error} with the remedy where the database is half a copy */
export async function refuseHalfCopy(db: Transaction): Promise<void> {
  const state = await readCopyState(db);
  if (!state) return;
  throw new Error(
    `This database is the unfinished copy of ${state.from}. Run the same \`indexdesk copy\` (or \`restore\`) again: ` +
      'it goes on where it was cut off. Nothing else can use the database until it is whole.',
  );
}
