import type { Transaction } from '#server/database/database.ts';
import { listGroups } from '../groups/groups.service.ts';
import { readSharedViews } from '../views/views.service.ts';
import type { StoredDefinition } from '../definitions/stored-definitions.ts';
import { archiveDefinitionOf, tableDefinitionOf } from '../definitions/definition-state.ts';
import { toCollection } from '../definitions/definition-collection.ts';

/** The definition of an archive or table as a definition file: with its shared views, and the groups that have rights on it. */
export async function exportDefinition(db: Transaction, { id, state }: StoredDefinition) {
  const collection = toCollection(id, state, null);
  const isArchive = collection.kind === 'archive';
  const defined = isArchive
    ? { archives: [collection], tables: [] }
    : { archives: [], tables: [collection] };
  const groups = (await listGroups(db, defined)).flatMap(({ name, label, rights }) => {
    const isEmpty = Object.keys({ ...rights.archives, ...rights.tables }).length === 0;
    return isEmpty ? [] : [{ name, label, rights }];
  });
  const shared = await readSharedViews(db, collection);
  const views = shared.map(({ name, search }) => ({ name, search }));
  const withViews = views.length > 0 && { views };
  return {
    ...(isArchive
      ? { archives: [{ ...archiveDefinitionOf(state), ...withViews }] }
      : { tables: [{ ...tableDefinitionOf(state), ...withViews }] }),
    ...(groups.length > 0 && { groups }),
  };
}
