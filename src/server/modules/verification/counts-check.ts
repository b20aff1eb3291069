import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readCount } from '#server/database/records/record-counts.ts';
import { readAllCollections } from '../definitions/definitions.service.ts';
import { counted, type Findings } from './findings.ts';

/** Compares the totals that are kept of archives and tables with their records. SQLite keeps none in the database. */
export async function checkCounts(db: Transaction, findings: Findings): Promise<void> {
  if (db.dialect === 'sqlite') return;
  for (const collection of await readAllCollections(db)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(tableName(collection))}`.execute(db.k);
    const stored = rows[0]?.count ?? 0;
    const total = await readCount(db, collection);
    if (total === stored) continue;
    const name = `${collection.kind === 'archive' ? 'Archive' : 'Table'} ${collection.name}`;
    findings.add(
      `${name}: its total says ${counted(total, 'record', 'records')}, ${stored} are stored.`,
    );
  }
}
