import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readAllCollections } from '../definitions/definitions.service.ts';
import { counted, type Findings } from './findings.ts';

/** Compares the totals that are stored of archives and tables with their records. */
export async function checkCounts(db: Transaction, findings: Findings): Promise<void> {
  for (const collection of await readAllCollections(db)) {
    const total = await db.adapter.storedCount(db, collection);
    if (total === null) continue;
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(tableName(collection))}`.execute(db.k);
    const stored = rows[0]?.count ?? 0;
    if (total === stored) continue;
    const name = `${collection.kind === 'archive' ? 'Archive' : 'Table'} ${collection.name}`;
    findings.add(
      `${name}: its total says ${counted(total, 'record', 'records')}, ${stored} are stored.`,
    );
  }
}
