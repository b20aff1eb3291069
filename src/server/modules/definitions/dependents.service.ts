import type { Transaction } from '#server/database/database.ts';
import { findByName, isSameName, nameKey } from '#shared/rules/names.ts';
import type { Actor } from '../history/history.service.ts';
import type { CheckDefinition } from '#shared/rules/check-definitions.ts';
import { renameFieldsInQueues } from '../queues/queues.service.ts';
import { renameFieldsInViews } from '../views/views.service.ts';
import { renameInCheck } from './check-problems.ts';
import { changeDefinition } from './definitions.service.ts';
import { readDefinitionsOf } from './definitions.store.ts';
import type { DefinitionPlan } from './definition-plan.ts';
import { renameInSearch } from './renamed-search.ts';
import type { AnyField, DefinitionState, FieldState } from './stored-definition.ts';

/** Renames fields in what refers to them by their names: saved views, queues, and options and rules that name a table. */
export async function updateDependents(
  db: Transaction,
  { before, after, changes }: DefinitionPlan,
  collectionId: number,
  actor: Actor,
): Promise<void> {
  const fields = renamesOf(before.fields, after.fields);
  const keywordFields = renamesOf(before.keywordFields, after.keywordFields);
  const names = new Map([
    ...fields,
    ...[...keywordFields].map(([old, now]) => [`keyword.${old}`, `keyword.${now}`] as const),
  ]);
  const collection = { kind: before.kind, id: collectionId };
  if (names.size > 0) {
    const rename = (search: string) => renameInSearch(search, names);
    await renameFieldsInViews(db, collection, rename);
    if (before.kind === 'archive') await renameFieldsInQueues(db, collectionId, rename, fields);
  }
  await endExceptionsOf(db, before, after, collection, fields);
  const isRenamed = changes.some(({ kind, field }) => kind === 'rename' && field === null);
  if (before.kind === 'table' && (isRenamed || fields.size > 0)) {
    await updateOtherDefinitions(db, before, after, fields, actor);
  }
}

/** Ends the exceptions of checks whose rules are not what they were. */
async function endExceptionsOf(
  db: Transaction,
  before: DefinitionState,
  after: DefinitionState,
  { kind, id }: { readonly kind: DefinitionState['kind']; readonly id: number },
  fields: ReadonlyMap<string, string>,
): Promise<void> {
  const rulesOf = ({ rule, when, duplicates, ignore }: CheckDefinition) =>
    JSON.stringify([rule, when, duplicates, ignore]);
  const field = (name: string) => fields.get(nameKey(name));
  const changed = before.checks.filter((check) => {
    const now = findByName(after.checks, check.name);
    return !now || rulesOf(now) !== rulesOf(renameInCheck(check, { field }));
  });
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name);
  await db.k
    .deleteFrom('check_exceptions')
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('name', 'in', names)
    .execute();
}

/** The present names of renamed fields, by their former ones in lower case. */
function renamesOf<Field extends { readonly name: string }>(
  before: readonly FieldState<Field>[],
  after: readonly FieldState<Field>[],
): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const { number, field, retiredAt, conversion } of after) {
    const old = before.find((one) => one.number === (conversion?.from ?? number));
    if (retiredAt !== null || !old || old.field.name === field.name) continue;
    renamed.set(nameKey(old.field.name), field.name);
  }
  return renamed;
}

/** Changes the definitions whose options or rules look values up in a table that was changed. */
async function updateOtherDefinitions(
  db: Transaction,
  before: DefinitionState,
  after: DefinitionState,
  names: ReadonlyMap<string, string>,
  actor: Actor,
): Promise<void> {
  for (const kind of ['archive', 'table'] as const) {
    for (const { id, state, retiredAt } of await readDefinitionsOf(db, kind)) {
      const fields = state.fields.map((one) => ({ ...one, field: withNewNames(one.field) }));
      const isChanged = kind === before.kind && isSameName(state.guid, before.guid);
      // Those of the table itself were renamed with it.
      const checks = isChanged ? state.checks : state.checks.map(withNewNamesInCheck);
      const isSame =
        fields.every(({ field }, i) => field === state.fields[i]?.field) &&
        JSON.stringify(checks) === JSON.stringify(state.checks);
      if (isSame) continue;
      await changeDefinition(
        db,
        id,
        { ...state, fields, checks, version: state.version + 1 },
        retiredAt,
        actor,
      );
    }
  }

  function withNewNamesInCheck(check: CheckDefinition): CheckDefinition {
    const isTable = (name: string) => isSameName(name, before.name);
    return renameInCheck(check, {
      table: (name) => (isTable(name) ? after.name : undefined),
      column: (table, column) => (isTable(table) ? names.get(nameKey(column)) : undefined),
    });
  }

  function withNewNames(field: AnyField): AnyField {
    const { optionsFrom } = field;
    if (!optionsFrom || !isSameName(optionsFrom.table, before.name)) return field;
    const rename = (name: string) => names.get(nameKey(name)) ?? name;
    const fills = Object.entries(optionsFrom.fills).map(([own, other]) => [own, rename(other)]);
    const renamed = {
      table: after.name,
      column: rename(optionsFrom.column),
      fills: Object.fromEntries(fills),
    };
    return JSON.stringify(renamed) === JSON.stringify(optionsFrom)
      ? field
      : { ...field, optionsFrom: renamed };
  }
}
