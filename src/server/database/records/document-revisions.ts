import { sql } from 'kysely';
import type { Archive } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';

/**
 * Locks all revisions of a revision's document until the end of the write (nothing to do with a single writer). In id
 * order, as in every write, so that two writes cannot deadlock.
 */
export async function lockRevisionsOfDocument(
  db: Transaction,
  archive: Archive,
  revisionId: number,
): Promise<void> {
  if (!db.adapter.isShared) return;
  const table = sql.table(tableName(archive));
  // The document of a revision never changes, so it may be read before the lock.
  await sql`select _id from ${table}
    where _document_id = (select _document_id from ${table} where _id = ${revisionId})
    order by _id ${db.adapter.lockRows}`.execute(db.k);
}

/**
 * The number of the newest revision of a document; 0 if there is none. In a write that has locked the document's
 * revisions, no other write gets the next number.
 */
export async function newestRevision(
  db: Transaction,
  archive: Archive,
  documentId: number,
): Promise<number> {
  const { rows } = await sql<{ newest: number | null }>`
    select max(_revision) as newest from ${sql.table(tableName(archive))} where _document_id = ${documentId}`.execute(
    db.k,
  );
  return rows[0]?.newest ?? 0;
}
