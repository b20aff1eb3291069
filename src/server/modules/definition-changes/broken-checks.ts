import * as texts from '#messages/service/definitions.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Message } from '#shared/messages/message.ts';
import { isSameName } from '#shared/rules/names.ts';
import { checkProblems, renameInCheck } from '../definitions/check-problems.ts';
import type { LookupTable } from '../definitions/collection-checks.ts';
import { activeOf } from '../definitions/definition-state.ts';
import { readAllDefinitions } from '../definitions/stored-definitions.ts';
import type { DefinitionPlan } from './definition-plan.ts';
import { tableRenames } from './table-renames.ts';

/**
 * Why checks of other definitions would be invalid after a change of a table in which they look up values. A check whose
 * column is retired is inactive until it is restored.
 */
export async function brokenChecks(
  db: Transaction,
  { before, after }: DefinitionPlan,
  tables: readonly LookupTable[],
): Promise<Message[]> {
  if (before.kind !== 'table') return [];
  const others = tables.filter(({ guid }) => !isSameName(guid, before.guid));
  const columns = [...activeOf(after.fields), ...after.fields].map(({ field }) => field);
  const changed = [{ guid: after.guid, name: after.name, fields: columns }, ...others];
  const renames = tableRenames(before, after);
  return (await readAllDefinitions(db)).flatMap(({ state, retiredAt }) => {
    if (retiredAt !== null || isSameName(state.guid, before.guid)) return [];
    const known = checkProblems(state, tables);
    const checks = state.checks.map((check) => renameInCheck(check, renames));
    const { kind, name } = state;
    return Object.entries(checkProblems({ ...state, checks }, changed)).flatMap(
      ([path, problems]) =>
        known[path] === undefined
          ? problems.map(({ message }) => texts.checkBroken({ kind, name, path, problem: message }))
          : [],
    );
  });
}
