import * as texts from '#messages/service/verification.ts';
import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { countRows } from '#server/database/records/count-rows.ts';
import { readAllCollections } from '../definitions/stored-definitions.ts';
import type { VerificationFindings } from './verification-findings.ts';

/** Compares the stored totals of archives and tables with their records. */
export async function checkCounts(db: Transaction, findings: VerificationFindings): Promise<void> {
  for (const collection of await readAllCollections(db)) {
    const total = await db.adapter.storedCount(db, collection);
    if (total === null) continue;
    const stored = await countRows(db, sql.table(tableName(collection)));
    if (total === stored) continue;
    findings.addAbout(texts.collection(collection), texts.totalWrong({ total, stored }));
  }
}
