import { sql } from 'kysely';
import type { Archive } from './thing.ts';
import type { Db } from '../database.ts';
import { tableName } from './columns.ts';

/**
 * The number of the newest revision of a document; 0 where there is none. Until the end of the write nobody
 * else gets the next one.
 */
export async function highestRevision(
  db: Db,
  archive: Archive,
  documentId: number,
): Promise<number> {
  if (db.dialect === 'postgres') {
    await sql`select _id from ${sql.table(tableName(archive))} where _document_id = ${documentId}
      order by _id for no key update`.execute(db.k);
  }
  const { rows } = await sql<{ highest: number | null }>`
    select max(_revision) as highest from ${sql.table(tableName(archive))} where _document_id = ${documentId}`.execute(
    db.k,
  );
  return rows[0]?.highest ?? 0;
}
