import type { Transaction } from '#server/database/database.ts';
import { accessOf, type Access } from '#shared/rules/rights.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { readOpenSessions } from '../accounts/session-rows.service.ts';
import { readRightsOf } from '../accounts/users.service.ts';

/** The name of an archive or table in events. */
export type Named = { readonly archive: string } | { readonly table: string };

/** What a session may see. */
export interface VisibleState {
  /** changes with role and rights */
  readonly rights: string;
  /** by kind and id: `archive 3` */
  readonly names: ReadonlyMap<string, Named>;
}

/** What sessions may see now, by their ids, without ended sessions. */
export async function readVisibleStates(
  db: Transaction,
  definitions: Definitions,
  sessionIds: readonly string[],
): Promise<Map<string, VisibleState>> {
  const sights = new Map<string, VisibleState>();
  const sessions = await readOpenSessions(db, [...new Set(sessionIds)], Date.now());
  if (sessions.length === 0) return sights;
  const userIds = [...new Set(sessions.map(({ userId }) => userId))];
  const rights = Map.groupBy(await readRightsOf(db, userIds), ({ userId }) => userId);
  const collections = [
    ...(await definitions.archives(db)).map(({ kind, id, definition }) => ({
      key: `${kind} ${id}`,
      named: { archive: definition.table },
    })),
    ...(await definitions.tables(db)).map(({ kind, id, guid }) => ({
      key: `${kind} ${id}`,
      named: { table: guid },
    })),
  ];
  const byUser = new Map<number, VisibleState>();
  for (const { id, userId, role } of sessions) {
    let sight = byUser.get(userId);
    if (!sight) {
      const granted = new Map(
        rights
          .get(userId)
          ?.map(({ kind, collectionId, access }): [string, Access] => [
            `${kind} ${collectionId}`,
            access,
          ]),
      );
      const seen = collections.filter(
        ({ key }) => accessOf(role, granted.get(key) ?? null) !== null,
      );
      sight = {
        rights: JSON.stringify([role, ...granted]),
        names: new Map(seen.map(({ key, named }) => [key, named])),
      };
      byUser.set(userId, sight);
    }
    sights.set(id, sight);
  }
  return sights;
}
