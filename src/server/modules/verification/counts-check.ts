import { sql } from 'kysely';
import type { Db } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { readCount } from '#server/database/records/record-counts.ts';
import { readEveryThing } from '../definitions/definitions.service.ts';
import { counted, type Findings } from './findings.ts';

/** Compares the totals that are kept of archives and tables with their records. SQLite keeps none in the database. */
export async function checkCounts(db: Db, findings: Findings): Promise<void> {
  if (db.dialect === 'sqlite') return;
  for (const thing of await readEveryThing(db)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(tableName(thing))}`.execute(db.k);
    const stored = rows[0]?.count ?? 0;
    const total = await readCount(db, thing);
    if (total === stored) continue;
    const name = `${thing.kind === 'archive' ? 'Archive' : 'Table'} ${thing.name}`;
    findings.add(
      `${name}: its total says ${counted(total, 'record', 'records')}, ${stored} are stored.`,
    );
  }
}
