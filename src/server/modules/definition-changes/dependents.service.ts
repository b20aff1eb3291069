import { sql } from 'kysely';
import { isSameJson } from '#server/lib/same-json.ts';
import type { Transaction } from '#server/database/database.ts';
import { dependsOn } from '#server/database/records/check-exceptions.ts';
import { mapFields, readFieldPath } from '#server/http/query-fields.ts';
import { findByName, isSameName, nameKey, keywordFieldName } from '#shared/rules/names.ts';
import { invalidateStates } from '../checks/check-reconciliation.ts';
import type { Actor } from '../history/history.service.ts';
import { moveAliases } from '../value-aliases/value-aliases.ts';
import { renameFieldsInQueues } from '../queues/queues.service.ts';
import { renameFieldsInViews } from '../views/views.service.ts';
import { renameInCheck, renameInLookup } from '../definitions/check-problems.ts';
import { changeDefinition } from '../definitions/definitions.service.ts';
import { readAllDefinitions } from '../definitions/stored-definitions.ts';
import { endBuiltInExceptions } from './built-in-exceptions.ts';
import type { DefinitionPlan } from './definition-plan.ts';
import { renamesOf, tableRenames } from './table-renames.ts';
import type { DefinitionState } from '../definitions/definition-state.ts';

/**
 * Renames fields in everything that refers to them by name: saved views, queues, and options and rules that name a
 * table.
 */
export async function updateDependents(
  db: Transaction,
  plan: DefinitionPlan,
  collectionId: number,
  actor: Actor,
): Promise<void> {
  const { before, after, changes } = plan;
  const fields = renamesOf(before.fields, after.fields);
  const keywordFields = renamesOf(before.keywordFields, after.keywordFields);
  const names = new Map([
    ...fields,
    ...[...keywordFields].map(
      ([old, now]) => [keywordFieldName(old), keywordFieldName(now)] as const,
    ),
  ]);
  const collection = { kind: before.kind, id: collectionId };
  if (names.size > 0) {
    const rename = (search: string) =>
      mapFields(search, (name) => names.get(nameKey(name)) ?? name);
    await renameFieldsInViews(db, collection, rename);
    if (before.kind === 'archive') {
      const renamePath = (path: string) => {
        const parts = readFieldPath(path);
        if (!parts) return path;
        const renames = parts.list === 'indexFields' ? fields : keywordFields;
        const renamed = renames.get(nameKey(parts.name));
        return renamed === undefined ? path : `${parts.list}.${renamed}`;
      };
      await renameFieldsInQueues(db, collectionId, rename, renamePath);
    }
  }
  await endExceptionsOf(db, plan, collection);
  await endBuiltInExceptions(db, plan, collection);
  await renameExceptions(db, plan, collection);
  await moveToConverted(db, plan, collection);
  const isRenamed = changes.some(({ kind, field }) => kind === 'rename' && field === null);
  if (before.kind === 'table' && (isRenamed || fields.size > 0)) {
    await updateOtherDefinitions(db, plan, actor);
  }
}

/** Ends the exceptions of checks whose rules have changed. Their counts have left out the records with exceptions. */
async function endExceptionsOf(
  db: Transaction,
  { before, after, unchangedParts }: DefinitionPlan,
  { kind, id }: { readonly kind: DefinitionState['kind']; readonly id: number },
): Promise<void> {
  const changed = before.checks.filter((check) => {
    const now = findByName(after.checks, check.name);
    if (!now || !isSameSet(now.ignore, check.ignore)) return true;
    return ['rule', 'when', 'duplicates'].some(
      (part) => !unchangedParts.has(`checks.${now.name}.${part}`),
    );
  });
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name);
  await db.k
    .deleteFrom('check_exceptions')
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('name', 'in', names)
    .execute();
  await invalidateStates(db, { kind, id }, names);
}

/** Exceptions of checks whose names have other letters now have these too: elsewhere names are compared without case. */
async function renameExceptions(
  db: Transaction,
  { before, after }: DefinitionPlan,
  { kind, id }: { readonly kind: DefinitionState['kind']; readonly id: number },
): Promise<void> {
  for (const { name } of before.checks) {
    const now = findByName(after.checks, name);
    if (!now || now.name === name) continue;
    await db.k
      .updateTable('check_exceptions')
      .set({ name: now.name })
      .where('scope', '=', kind)
      .where('thing_id', '=', id)
      .where('name', '=', name)
      .execute();
  }
}

/**
 * Exceptions of checks and aliases of converted fields are about the fields with the converted values; the aliases of a field
 * that is kept beside them are still about it.
 */
async function moveToConverted(
  db: Transaction,
  { before, after }: DefinitionPlan,
  { kind, id }: { readonly kind: DefinitionState['kind']; readonly id: number },
): Promise<void> {
  for (const { number, conversion } of after.fields) {
    if (!conversion || number < before.nextNumber) continue;
    await sql`update check_exceptions
      set fields = replace(fields, ${`,${conversion.from},`}, ${`,${number},`})
      where scope = ${kind} and thing_id = ${id} and ${dependsOn('fields', conversion.from)}`.execute(
      db.k,
    );
    const former = after.fields.find((field) => field.number === conversion.from);
    if (former?.isSuperseded) await moveAliases(db, { kind, id }, conversion.from, number);
  }
}

function isSameSet(one: readonly string[] = [], other: readonly string[] = []): boolean {
  return isSameJson([...new Set(one)].toSorted(), [...new Set(other)].toSorted());
}

/** Changes the definitions whose options or rules look up values in a changed table. */
async function updateOtherDefinitions(
  db: Transaction,
  { before, after }: DefinitionPlan,
  actor: Actor,
): Promise<void> {
  const renames = tableRenames(before, after);
  for (const { id, state, retiredAt } of await readAllDefinitions(db)) {
    // What the table itself looks up in it was renamed with it.
    if (state.kind === before.kind && isSameName(state.guid, before.guid)) continue;
    const fields = state.fields.map((stored) => ({
      ...stored,
      field: renameInLookup(stored.field, renames),
    }));
    const checks = state.checks.map((check) => renameInCheck(check, renames));
    if (isSameJson([fields, checks], [state.fields, state.checks])) continue;
    const next = { ...state, fields, checks, version: state.version + 1 };
    await changeDefinition(db, id, next, retiredAt, actor);
  }
}
