import type { Transaction } from '../database.ts';
import type { HistoryScope } from '../tables/history-tables.ts';

/**
 * Version 6: the history begins to record definitions, users and sessions; existing ones get an entry with their
 * present state.
 */
export async function addDefinitionAndUserEvents(db: Transaction): Promise<void> {
  const addEntry = async (scope: HistoryScope, thing_id: number, row_id: number, data: object) => {
    const changes = JSON.stringify(
      Object.entries(data)
        .filter(([, after]) => after !== null)
        .map(([name, after]) => ({ name, before: null, after })),
    );
    const known = await db.k
      .selectFrom('history')
      .select('id')
      .where('scope', '=', scope)
      .where('thing_id', '=', thing_id)
      .where('row_id', '=', row_id)
      // A user has several sessions.
      .$if(scope === 'session', (query) => query.where('changes', '=', changes))
      .limit(1)
      .executeTakeFirst();
    if (known) return;
    await db.k
      .insertInto('history')
      .values({
        scope,
        thing_id,
        row_id,
        version: 0,
        kind: 'create',
        changes,
        at: Date.now(),
        user_id: null,
        username: 'indexdesk',
        address: null,
        call: 'upgrade',
      })
      .execute();
  };
  for (const [table, kind] of [
    ['archives', 1],
    ['data_tables', 2],
  ] as const) {
    const collections = await db.k
      .selectFrom(table)
      .select(['id', 'definition', 'position', 'retired_at'])
      .orderBy('id')
      .execute();
    for (const { id, definition, position, retired_at } of collections) {
      const data = { definition: JSON.parse(definition), position, retiredAt: retired_at };
      await addEntry('definition', kind, id, data);
    }
  }
  const users = await db.k.selectFrom('users').selectAll().orderBy('id').execute();
  for (const { id, username, display_name, role, disabled } of users) {
    const rights = await db.k
      .selectFrom('user_rights')
      .select(['kind', 'thing_id', 'access'])
      .where('user_id', '=', id)
      .execute();
    await addEntry('user', 0, id, {
      username,
      displayName: display_name,
      role,
      disabled: disabled !== 0,
      ...Object.fromEntries(rights.map((r) => [`right.${r.kind}.${r.thing_id}`, r.access])),
    });
  }
  const sessions = await db.k.selectFrom('sessions').select(['id', 'user_id']).execute();
  for (const { id, user_id } of sessions) {
    await addEntry('session', 0, user_id, { sessionId: id });
  }
}
