import type { Transaction } from '#server/database/database.ts';
import { READ_CHUNK_SIZES, chunks, insertRows } from '#server/database/records/bulk.ts';
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

/** Stores that a file was loaded completely; the first time stays. */
export async function recordLoadedFile(
  db: Transaction,
  collection: Collection,
  source: string,
  digest: string,
  at: number,
): Promise<void> {
  await db.k
    .insertInto('loaded_files')
    .values({ scope: collection.kind, thing_id: collection.id, source, digest, loaded_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Those of the ids with a history: existing and deleted records. */
export async function readRowsWithHistory(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Set<number>> {
  const known = new Set<number>();
  for (const chunk of chunks(ids, READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('history')
      .select('row_id')
      .distinct()
      .where('scope', '=', collection.kind)
      .where('thing_id', '=', collection.id)
      .where('row_id', 'in', chunk)
      .execute();
    for (const { row_id } of rows) known.add(row_id);
  }
  return known;
}

/** The GUID and name of an archive or table, retired ones included. */
interface NameInUse {
  readonly kind: Collection['kind'];
  /** in lower case */
  readonly guid: string;
  readonly name: string;
  /** in lower case */
  readonly nameKey: string;
  readonly retired: boolean;
}

export async function readNamesInUse(db: Transaction): Promise<NameInUse[]> {
  const archives = await db.k
    .selectFrom('archives')
    .select(['guid', 'table_name as name', 'name_key', 'retired_at'])
    .execute();
  const tables = await db.k
    .selectFrom('data_tables')
    .select(['guid', 'name', 'name_key', 'retired_at'])
    .execute();
  const toNameInUse = (kind: Collection['kind']) => (row: (typeof archives)[number]) => ({
    kind,
    guid: row.guid,
    name: row.name,
    nameKey: row.name_key,
    retired: row.retired_at !== null,
  });
  return [...archives.map(toNameInUse('archive')), ...tables.map(toNameInUse('table'))];
}
