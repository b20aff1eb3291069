import * as texts from '#messages/service/definitions.ts';
import { isSameJson } from '#server/lib/same-json.ts';
import type { Transaction } from '#server/database/database.ts';
import { mapFields } from '#server/http/query-fields.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { FieldUse } from '#shared/contract/field-uses.ts';
import type { RuleRenames } from '#shared/checks/rule-names.ts';
import { isSameName, keywordFieldName } from '#shared/rules/names.ts';
import { renameInCheck, renameInLookup } from '../definitions/check-problems.ts';
import type { FieldState } from '../definitions/definition-state.ts';
import { formerNumbersOf } from '../definitions/definition-collection.ts';
import { readAllDefinitions, type StoredDefinition } from '../definitions/stored-definitions.ts';

/** A name that no field has. */
const NO_NAME = '(none)';

/**
 * The references to a field, so that the user sees them before the field is retired.
 * @param name of an active or retired field; `keyword.NAME` of a keyword field, also without `keyword.` if no other field
 * has the name
 * @throws {ApiError} 404 of an unknown field
 */
export async function readFieldUses(
  db: Transaction,
  definition: StoredDefinition,
  name: string,
): Promise<FieldUse[]> {
  const { state, id } = definition;
  const used = state.fields.find((stored) => isSameName(stored.field.name, name));
  const keyword = used
    ? undefined
    : state.keywordFields.find(({ field }) =>
        [field.name, keywordFieldName(field.name)].some((spelling) => isSameName(spelling, name)),
      );
  const field = used ?? keyword;
  if (!field) throw new ApiError('not_found', texts.noField({ name }));
  const named = keyword ? keywordFieldName(keyword.field.name) : name;
  const isNamedIn = (search: string) =>
    mapFields(search, (other) => (isSameName(other, named) ? null : other)) !== search;
  return [
    ...(await usesInViews(db, definition, isNamedIn)),
    ...(state.kind === 'archive' ? await usesInQueues(db, id, isNamedIn) : []),
    ...(keyword ? [] : await usesInDefinitions(db, definition, name)),
    ...(await usesInRights(db, definition, field)),
  ];
}

async function usesInViews(
  db: Transaction,
  { id, state }: StoredDefinition,
  isNamedIn: (search: string) => boolean,
): Promise<FieldUse[]> {
  const views = await db.k
    .selectFrom('views')
    .leftJoin('users', 'users.id', 'views.user_id')
    .select(['views.name', 'views.search', 'users.username'])
    .where('views.scope', '=', state.kind)
    .where('views.thing_id', '=', id)
    .orderBy('views.name_key')
    .execute();
  return views
    .filter(({ search }) => isNamedIn(search))
    .map(({ name, username }) => ({ kind: 'view', name, of: username }));
}

async function usesInQueues(
  db: Transaction,
  archiveId: number,
  isNamedIn: (search: string) => boolean,
): Promise<FieldUse[]> {
  const queues = await db.k
    .selectFrom('queues')
    .innerJoin('users', 'users.id', 'queues.user_id')
    .select(['queues.name', 'queues.filter', 'users.username'])
    .where('queues.archive_id', '=', archiveId)
    .orderBy('queues.id')
    .execute();
  return queues
    .filter(({ filter }) => filter !== null && isNamedIn(filter))
    .map(({ name, username }) => ({ kind: 'queue', name, of: username }));
}

/**
 * Checks of the same definition on the field, and of all on a column of a table in which they look values up; look-ups in the
 * column by other fields, and fields of the same definition that a choice fills. They are what a rename would change.
 */
async function usesInDefinitions(
  db: Transaction,
  { id, state }: StoredDefinition,
  name: string,
): Promise<FieldUse[]> {
  const renamed = (other: string) => (isSameName(other, name) ? NO_NAME : undefined);
  const ofColumn: RuleRenames = {
    column: (table, column) =>
      state.kind === 'table' && isSameName(table, state.name) ? renamed(column) : undefined,
  };
  const checks: FieldUse[] = [];
  const lookups: FieldUse[] = [];
  for (const other of await readAllDefinitions(db)) {
    const isSame = other.state.kind === state.kind && other.id === id;
    const renames = isSame ? { ...ofColumn, field: renamed } : ofColumn;
    const of = isSame ? null : other.state.name;
    for (const check of other.state.checks) {
      const isNamed = !isSameJson(renameInCheck(check, renames), check);
      if (isNamed) checks.push({ kind: 'check', name: check.name, of });
    }
    for (const { field } of other.state.fields) {
      const about = { kind: 'look-up', name: field.name } as const;
      const isRead = !isSameJson(renameInLookup(field, ofColumn), field);
      if (isRead) lookups.push({ ...about, of: other.state.name });
      else if (!isSameJson(renameInLookup(field, renames), field)) lookups.push({ ...about, of });
    }
  }
  return [...checks, ...lookups];
}

async function usesInRights(
  db: Transaction,
  { id, state }: StoredDefinition,
  { number, conversion }: Pick<FieldState<unknown>, 'number' | 'conversion'>,
): Promise<FieldUse[]> {
  const ofUsers = await db.k
    .selectFrom('user_rights')
    .innerJoin('users', 'users.id', 'user_rights.user_id')
    .select(['users.username as name', 'user_rights.fields'])
    .where('user_rights.kind', '=', state.kind)
    .where('user_rights.thing_id', '=', id)
    .orderBy('users.username_key')
    .execute();
  const ofGroups = await db.k
    .selectFrom('group_rights')
    .innerJoin('user_groups', 'user_groups.id', 'group_rights.group_id')
    .select(['user_groups.name', 'group_rights.fields'])
    .where('group_rights.kind', '=', state.kind)
    .where('group_rights.thing_id', '=', id)
    .orderBy('user_groups.name_key')
    .execute();
  const numbers = [number, ...formerNumbersOf(state.fields, conversion)];
  const isNamed = ({ fields }: { readonly fields: string | null }) => {
    const entries: object = JSON.parse(fields ?? '{}');
    return numbers.some((one) => String(one) in entries);
  };
  return [
    ...ofUsers.filter(isNamed).map(({ name }) => ({ kind: 'user' as const, name, of: null })),
    ...ofGroups.filter(isNamed).map(({ name }) => ({ kind: 'group' as const, name, of: null })),
  ];
}
