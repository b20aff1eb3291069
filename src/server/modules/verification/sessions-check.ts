import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Findings } from './findings.ts';

/** Looks for sessions that no sign-in has begun, or that were ended. @returns how many sessions there are */
export async function checkSessions(db: Transaction, findings: Findings): Promise<number> {
  const { rows } = await sql<{ id: string; user_id: number }>`
    select id, user_id from sessions order by id`.execute(db.k);
  for (const { id, user_id } of rows) {
    const told = await db.k
      .selectFrom('history')
      .select('kind')
      .where('scope', '=', 'session')
      .where('thing_id', '=', 0)
      .where('row_id', '=', user_id)
      .where('changes', 'in', [changesOf(null, id), changesOf(id, null)])
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (told?.kind === 'create') continue;
    const why = told ? 'it was ended' : 'the history knows nothing of it';
    findings.add(`Session ${id} of user ${user_id}: it is there, and ${why}.`);
  }
  return rows.length;
}

/** As the history keeps it. */
function changesOf(before: string | null, after: string | null): string {
  return JSON.stringify([{ name: 'sessionId', before, after }]);
}
