import * as texts from '#messages/service/verification.ts';
import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { VerificationFindings } from './verification-findings.ts';

/** Finds sessions without a sign-in, and sessions that were ended. @returns the number of sessions */
export async function checkSessions(
  db: Transaction,
  findings: VerificationFindings,
): Promise<number> {
  const { rows } = await sql<{ id: string; user_id: number }>`
    select id, user_id from sessions order by id`.execute(db.k);
  for (const { id, user_id } of rows) {
    const newest = await db.k
      .selectFrom('history')
      .select('kind')
      .where('scope', '=', 'session')
      .where('thing_id', '=', 0)
      .where('row_id', '=', user_id)
      .where('changes', 'in', [changesOf(null, id), changesOf(id, null)])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (newest?.kind === 'create') continue;
    const text = newest ? texts.sessionEnded : texts.sessionUnknown;
    findings.add(text({ id, user: user_id }));
  }
  return rows.length;
}

/** The `changes` of an entry. */
function changesOf(before: string | null, after: string | null): string {
  return JSON.stringify([{ name: 'sessionId', before, after }]);
}
