import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { CollectionSize } from '#shared/contract/system-answers.ts';

/**
 * The total size of the documents' files of each archive, and the last change of records in each archive and table;
 * computing the sizes reads all file rows.
 */
export async function readCollectionSizes(
  db: Transaction,
  collections: readonly Pick<Collection, 'kind' | 'id' | 'name' | 'guid'>[],
): Promise<CollectionSize[]> {
  const files = await db.k
    .selectFrom('files')
    .select((row) => ['archive_id', row.fn.sum<number>('size').as('bytes')])
    .groupBy('archive_id')
    .execute();
  const bytes = new Map(files.map((row) => [row.archive_id, row.bytes]));
  const sizes: CollectionSize[] = [];
  for (const { kind, id, name, guid } of collections) {
    const { rows } = await sql<{ at: number }>`
      select at from history ${db.adapter.useIndex('history_subject')}
      where scope = ${kind} and thing_id = ${id} order by at desc, id desc limit 1`.execute(db.k);
    sizes.push({
      ...(kind === 'archive' ? { archive: name } : { table: guid }),
      fileBytes: kind === 'archive' ? (bytes.get(id) ?? 0) : null,
      changedAt: rows[0] ? isoTime(rows[0].at) : null,
    });
  }
  return sizes;
}
