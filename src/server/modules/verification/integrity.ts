import * as texts from '#messages/service/verification.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { VerificationFindings } from './verification-findings.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/**
 * Runs the integrity checks of the database.
 * @param deep whether indexes are compared with their tables, which takes several times as long
 * @returns what was done, as the end of a sentence
 */
export function checkIntegrity(
  database: Database,
  deep: boolean,
  findings: VerificationFindings,
): Promise<string> {
  return database.adapter.checkIntegrity(database, deep, {
    progress: (text) => findings.report.progress(text),
    async attempt(what, check) {
      try {
        for (const line of await check()) findings.add(line);
      } catch (error) {
        findings.addAbout(what, messageOf(error));
      }
    },
  });
}

/** The append-only tables. */
const APPEND_ONLY = ['history', 'history_blocks'];

/** Checks that the database still rejects changing and deleting entries and blocks of the history. */
export async function checkProtection(
  db: Transaction,
  findings: VerificationFindings,
): Promise<void> {
  for (const table of APPEND_ONLY) {
    const triggers = (await db.adapter.triggersOf(db, table)).map((text) => text.toLowerCase());
    for (const event of db.adapter.refusableChanges) {
      if (triggers.some((text) => text.includes('append-only') && text.includes(event))) continue;
      findings.add(texts.notProtected[event](table));
    }
  }
}
