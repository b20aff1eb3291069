import * as loadingTexts from '#messages/service/loading.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { isSameName } from '#shared/rules/names.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import { changeGroup, createGroup, findGroup, listGroups } from '../groups/groups.service.ts';
import type { Actor } from '../history/history.service.ts';
import { isNamed, mergeRights } from '../rights/named-rights.ts';
import type { LoadContext } from './load-collection.ts';
import { reportRefusal } from './load-report.ts';

/**
 * Adds missing groups. Existing ones only get the rights on archives and tables that this load has created, so that the
 * exports of several archives can be loaded one after the other.
 * @param created the GUIDs of these archives and tables
 * @returns whether all groups exist now
 */
export async function loadGroups(
  { database, actor, report }: LoadContext,
  groups: DefinitionFile['groups'],
  created: ReadonlySet<string>,
): Promise<boolean> {
  if (groups.length === 0) return true;
  const counts = { new: 0, extended: 0, kept: 0 };
  let complete = true;
  for (const wanted of groups) {
    try {
      const outcome = await database.write((db) => loadGroup(db, wanted, created, actor));
      counts[outcome] += 1;
    } catch (error) {
      const { name } = wanted;
      reportRefusal(report, error, (message) => loadingTexts.groupProblem({ name, message }));
      complete = false;
    }
  }
  const parts = [
    ...(counts.new > 0 ? [loadingTexts.newGroups(counts.new)] : []),
    ...(counts.extended > 0 ? [loadingTexts.extendedGroups(counts.extended)] : []),
    ...(counts.kept > 0 ? [loadingTexts.keptGroups(counts.kept)] : []),
  ];
  if (parts.length > 0) report.info(loadingTexts.groupSummary(parts));
  return complete;
}

async function loadGroup(
  db: Transaction,
  wanted: DefinitionFile['groups'][number],
  created: ReadonlySet<string>,
  actor: Actor,
): Promise<'new' | 'extended' | 'kept'> {
  const defined = await readDefinitions(db);
  const known = (await listGroups(db, defined)).find(({ name }) => isSameName(name, wanted.name));
  if (!known) {
    await createGroup(db, defined, wanted, actor);
    return 'new';
  }
  const { archives = {}, tables = {} } = wanted.rights ?? {};
  const isCreated = (collections: readonly Collection[], name: string) =>
    collections.some((one) => created.has(one.guid) && isNamed(one, name));
  const added = {
    archives: entriesOf(archives, (name) => isCreated(defined.archives, name)),
    tables: entriesOf(tables, (name) => isCreated(defined.tables, name)),
  };
  if (Object.keys({ ...added.archives, ...added.tables }).length === 0) return 'kept';
  const rights = mergeRights(defined, known.rights, added);
  await changeGroup(db, defined, await findGroup(db, known.name), { rights }, actor);
  return 'extended';
}

function entriesOf<Value>(
  values: Readonly<Record<string, Value>>,
  isWanted: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)));
}
