import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { AccessEntry } from '#shared/contract/configuration-people.ts';
import { effectiveRight, fieldAccessOf } from '#shared/rules/rights.ts';
import { readMemberships } from '../groups/groups.service.ts';
import { namedFields, type DefinedCollections } from '../rights/named-rights.ts';
import { readGrantsOf } from '../rights/rights.service.ts';
import type { User } from './users.service.ts';

/** A user's access to each archive, table and field, and its reasons. */
export async function explainAccess(
  db: Transaction,
  defined: DefinedCollections,
  { id: userId, role }: User,
): Promise<AccessEntry[]> {
  const memberships = await readMemberships(db, { users: [userId] });
  const groups = new Map(memberships.map(({ groupId, groupName }) => [groupId, groupName]));
  const grants = await readGrantsOf(db, [userId]);
  const explain = (collection: Collection): AccessEntry[] => {
    const sources = grants.filter(
      ({ kind, collectionId }) => kind === collection.kind && collectionId === collection.id,
    );
    const fields = namedFields(collection);
    const right = effectiveRight(
      role,
      sources,
      fields.map(([, field]) => field),
    );
    if (!right) return [];
    const granting = role === 'administrator' ? [] : sources;
    return [
      {
        ...(collection.kind === 'archive'
          ? { archive: collection.name }
          : { table: collection.guid }),
        right: right.access,
        fields: fields.map(([name, { number }]) => ({
          name,
          access: right.restricted.get(number) ?? fieldAccessOf(right.access),
        })),
        because: [
          ...(role === 'clerk' ? [] : [`role ${role}`]),
          ...granting.flatMap(({ groupId }) =>
            groupId === null ? [] : [`group ${groups.get(groupId) ?? ''}`],
          ),
          ...(granting.some(({ groupId }) => groupId === null) ? ['own right'] : []),
        ],
      },
    ];
  };
  return [...defined.archives, ...defined.tables].flatMap(explain);
}
