import { sql } from 'kysely';
import type { Database, Transaction } from '#server/database/database.ts';
import { isSameName } from '#shared/rules/names.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import { readRefusedRow } from './planned-rows.store.ts';

/**
 * Marks the plans of a user beyond the newest `maxPlans` for removal. Applied plans are receipts: they are stored as long as
 * the history, and are neither removed nor counted here.
 */
export async function markOldestPlansDeleted(
  db: Transaction,
  collection: CollectionRef,
  ownerId: number,
  maxPlans: number,
): Promise<void> {
  const oldest = await db.k
    .selectFrom('bulk_edits')
    .select('id')
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'planned')
    .orderBy('id', 'desc')
    .offset(maxPlans)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db.k
    .updateTable('bulk_edits')
    .set({ state: 'deleted' })
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where('owner_id', '=', ownerId)
    .where('id', '<=', oldest.id)
    .where('state', '=', 'planned')
    .execute();
}

/** Finds a batch to remove, or a plan that was never finished. */
export async function findDeletedBulkEdit(
  db: Transaction,
  startedBefore: number,
): Promise<number | undefined> {
  const row = await db.k
    .selectFrom('bulk_edits')
    .select('id')
    .where((where) =>
      where.or([
        where('state', '=', 'deleted'),
        where.and([where('state', '=', 'planning'), where('created_at', '<', startedBefore)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Removes some rows of a batch; when none are left, the batch.
 * @returns whether there is more to do
 */
export async function removePlannedRows(
  db: Transaction,
  id: number,
  count: number,
): Promise<boolean> {
  const { rows } = await sql<{ last: number | null }>`
    select max(position) as last from (
      select position from bulk_edit_revisions where bulk_edit_id = ${id} order by position limit ${count}
    ) as first`.execute(db.k);
  const last = rows[0]?.last ?? null;
  if (last === null) {
    await db.k.deleteFrom('bulk_edits').where('id', '=', id).execute();
    return false;
  }
  await db.k
    .deleteFrom('bulk_edit_revisions')
    .where('bulk_edit_id', '=', id)
    .where('position', '<=', last)
    .execute();
  return true;
}

/**
 * Finds imports whose refused rows have a column with the name of a field, whatever field it was mapped to.
 * @param names names and labels of fields
 * @returns their ids
 */
export async function findImportsWithHeaders(
  database: Database,
  { kind, id }: CollectionRef,
  names: readonly string[],
): Promise<number[]> {
  const imports = await database.read((db) =>
    db.k
      .selectFrom('bulk_edits')
      .select('id')
      .where('scope', '=', kind)
      .where('thing_id', '=', id)
      .where('kind', '=', 'import')
      .where('state', '<>', 'deleted')
      .execute(),
  );
  const found: number[] = [];
  for (const one of imports) {
    const row = await database.read((db) => readRefusedRow(db, one.id));
    const isFound = row?.cells.some(({ header }) =>
      names.some((name) => isSameName(name.trim(), header.trim())),
    );
    if (isFound) found.push(one.id);
  }
  return found;
}
