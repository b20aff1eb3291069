import type { Transaction } from '#server/database/database.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readOpenSessions } from '../accounts/stored-sessions.ts';
import { readDefined } from '../rights/named-rights.ts';
import { visibleByGrants, readGrantsOf } from '../rights/rights.service.ts';
import { auditStateOfRights } from '../rights/audit-state.ts';

/** The name of an archive or table in events. */
export type Named = { readonly archive: string } | { readonly table: string };

/** What a session may see. */
export interface VisibleState {
  /** changes with role, rights, and the definitions of archives and tables that the user may see */
  readonly version: string;
  /** by kind and id: `archive 3` */
  readonly names: ReadonlyMap<string, Named>;
}

/** What sessions and tokens may see now, by their ids, without ended ones. */
export async function readVisibleStates(
  db: Transaction,
  definitions: Definitions,
  sessionIds: readonly string[],
): Promise<Map<string, VisibleState>> {
  const visibleStates = new Map<string, VisibleState>();
  const sessions = await readOpenSessions(db, [...new Set(sessionIds)], Date.now());
  if (sessions.length === 0) return visibleStates;
  const userIds = [...new Set(sessions.map(({ userId }) => userId))];
  const rights = Map.groupBy(await readGrantsOf(db, userIds), ({ userId }) => userId);
  const defined = await readDefined(db, definitions);
  const known = new Map<string, VisibleState>();
  for (const { id, userId, role, scope } of sessions) {
    const key = JSON.stringify([userId, scope]);
    let visibleState = known.get(key);
    if (!visibleState) {
      const grants = rights.get(userId) ?? [];
      const visible = visibleByGrants({ role, scope }, grants, defined);
      visibleState = {
        version: JSON.stringify([
          role,
          grants.map((grant) => auditStateOfRights([grant])),
          [...visible.archives, ...visible.tables].map(({ collection }) => [
            collection.kind,
            collection.id,
            collection.version,
          ]),
        ]),
        names: new Map<string, Named>([
          ...visible.archives.map(({ collection: { id: archiveId, name } }): [string, Named] => [
            `archive ${archiveId}`,
            { archive: name },
          ]),
          ...visible.tables.map(({ collection: { id: tableId, guid } }): [string, Named] => [
            `table ${tableId}`,
            { table: guid },
          ]),
        ]),
      };
      known.set(key, visibleState);
    }
    visibleStates.set(id, visibleState);
  }
  return visibleStates;
}
