import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import type { Archive } from '#server/database/records/collection.ts';

interface StoredFlag {
  readonly rowId: number;
  readonly note: string;
  readonly at: number;
}

/** Oldest first, without deleted revisions. */
export async function readFlags(
  db: Transaction,
  userId: number,
  archive: Archive,
): Promise<StoredFlag[]> {
  const { rows } = await sql<StoredFlag>`select row_id as ${sql.ref('rowId')}, note, at from flags
    where user_id = ${userId} and archive_id = ${archive.id}
      and exists (select 1 from ${sql.table(tableName(archive))} where _id = flags.row_id)
    order by at, row_id`.execute(db.k);
  return rows;
}

export async function writeFlag(
  db: Transaction,
  userId: number,
  archive: Archive,
  { rowId, note, at }: StoredFlag,
): Promise<void> {
  await db.k
    .insertInto('flags')
    .values({ user_id: userId, archive_id: archive.id, row_id: rowId, note, at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'archive_id', 'row_id']).doUpdateSet({ note }),
    )
    .execute();
}

export async function deleteFlag(
  db: Transaction,
  userId: number,
  archive: Archive,
  rowId: number,
): Promise<void> {
  await db.k
    .deleteFrom('flags')
    .where('user_id', '=', userId)
    .where('archive_id', '=', archive.id)
    .where('row_id', '=', rowId)
    .execute();
}
