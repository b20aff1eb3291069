import type { Transaction } from '#server/database/database.ts';
import type { DailySize } from '#shared/contract/system-answers.ts';

/** Stores the size of a day; a later measurement of the same day replaces it. */
export async function writeDailySize(db: Transaction, size: DailySize): Promise<void> {
  const { day } = size;
  const values = {
    database_bytes: size.databaseBytes,
    file_bytes: size.fileBytes,
    files: size.files,
    documents: size.documents,
    datasets: size.datasets,
    history_entries: size.historyEntries,
  };
  await db.k
    .insertInto('daily_sizes')
    .values({ day, ...values })
    .onConflict((conflict) => conflict.column('day').doUpdateSet(values))
    .execute();
}

/** The newest `limit` measured days, oldest first. */
export async function readDailySizes(db: Transaction, limit: number): Promise<DailySize[]> {
  const rows = await db.k
    .selectFrom('daily_sizes')
    .select(['day', 'database_bytes as databaseBytes', 'file_bytes as fileBytes', 'files'])
    .select(['documents', 'datasets', 'history_entries as historyEntries'])
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
  return rows.toReversed();
}

/** The number and size of the documents' files, once per content. */
export async function measureFiles(
  db: Transaction,
): Promise<{ readonly files: number; readonly fileBytes: number }> {
  const contents = db.k
    .selectFrom('files')
    .select((row) => row.fn.max('size').as('size'))
    .groupBy('location')
    .as('contents');
  const found = await db.k
    .selectFrom(contents)
    .select((row) => [
      row.fn.countAll<number>().as('files'),
      row.fn.sum<number | null>('size').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return { files: found.files, fileBytes: found.bytes ?? 0 };
}
