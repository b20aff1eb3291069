import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { READ_CHUNK_SIZES, chunks, insertRows } from '#server/database/records/bulk-statements.ts';
import type { Collection } from '#server/database/records/collection.ts';

/** A row without an id in the ledger. */
export interface LedgerKey {
  readonly digest: string;
  /** from 1: a file may contain the same content several times */
  readonly occurrence: number;
}
interface LedgerEntry extends LedgerKey {
  readonly rowId: number;
}

/** The ids of the loaded rows of a file, by `ledgerKey`. */
export async function readLedger(
  db: Transaction,
  collection: Collection,
  source: string,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const chunk of chunks([...new Set(digests)], READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('loaded_rows')
      .select(['digest', 'occurrence', 'row_id'])
      .where('scope', '=', collection.kind)
      .where('thing_id', '=', collection.id)
      .where('source', '=', source)
      .where('digest', 'in', chunk)
      .execute();
    for (const { digest, occurrence, row_id } of rows) {
      found.set(ledgerKey({ digest, occurrence }), row_id);
    }
  }
  return found;
}

export function ledgerKey({ digest, occurrence }: LedgerKey): string {
  return `${digest} ${occurrence}`;
}

export async function insertLedger(
  db: Transaction,
  collection: Collection,
  source: string,
  entries: readonly LedgerEntry[],
): Promise<void> {
  await insertRows(
    db,
    'loaded_rows',
    ['scope', 'thing_id', 'source', 'digest', 'occurrence', 'row_id'],
    entries.map(({ digest, occurrence, rowId }) => [
      collection.kind,
      collection.id,
      source,
      digest,
      occurrence,
      rowId,
    ]),
  );
}

/** Those of the ids with a history: existing and deleted records. */
export async function readRowsWithHistory(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db.k
    .selectFrom('history')
    .select('row_id')
    .distinct()
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .where(sql<boolean>`row_id ${db.adapter.isAmong(ids)}`)
    .execute();
  return new Set(rows.map(({ row_id }) => row_id));
}
