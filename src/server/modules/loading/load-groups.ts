import * as loadingTexts from '#messages/service/loading.ts';
import type { Database } from '#server/database/database.ts';
import type { DefinitionFile } from '#shared/contract/definition-file.ts';
import { ApiError, textsOf } from '#shared/contract/errors.ts';
import { isSameName } from '#shared/rules/names.ts';
import { readDefinitions } from '../definitions/definitions.service.ts';
import { createGroup, listGroups } from '../groups/groups.service.ts';
import type { Actor } from '../history/history.service.ts';
import type { LoadReport } from './load-report.ts';

/**
 * Adds missing groups. Existing ones stay as they are.
 * @returns whether all of them exist now
 */
export async function loadGroups(
  database: Database,
  groups: DefinitionFile['groups'],
  actor: Actor,
  report: LoadReport,
): Promise<boolean> {
  if (groups.length === 0) return true;
  let [added, kept, complete] = [0, 0, true];
  for (const wanted of groups) {
    try {
      const isNew = await database.write(async (db) => {
        const defined = await readDefinitions(db);
        const known = await listGroups(db, defined);
        if (known.some(({ name }) => isSameName(name, wanted.name))) return false;
        await createGroup(db, defined, wanted, actor);
        return true;
      });
      if (isNew) added += 1;
      else kept += 1;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      for (const message of Object.values(textsOf(error.messages)).flat()) {
        report.fail(loadingTexts.groupProblem({ name: wanted.name, message }));
      }
      complete = false;
    }
  }
  const parts = [
    ...(added > 0 ? [loadingTexts.newGroups(added)] : []),
    ...(kept > 0 ? [loadingTexts.keptGroups(kept)] : []),
  ];
  if (parts.length > 0) report.info(loadingTexts.groupSummary(parts));
  return complete;
}
