import { sql } from 'kysely';
import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import { fieldNumbers, hasOtherRecord } from '#server/database/records/check-exceptions.ts';
import { newestRevisionTests, ruleSetting } from '#server/database/records/check-conditions.ts';
import type { Collection, Table } from '#server/database/records/collection.ts';
import { isExceptionVisible } from '#server/database/records/collection-view.ts';
import { allOf, anyOf, type Sql } from '#server/database/records/comparisons.ts';
import { tableName } from '#server/database/records/columns.ts';
import { countRows } from '#server/database/records/count-rows.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { fieldsOf } from '#shared/checks/rule-names.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import type { AnsweredCheck, TriedRule } from '#shared/contract/check-answers.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { findByName, indexOfName, isSameName } from '#shared/rules/names.ts';
import { countRecordsInWorker } from '../records/records.reads.ts';
import { resolveLookupColumns, ruleScope } from '../definitions/collection-checks.ts';
import { readCheckStates, stateOf, type CheckState } from './check-states.store.ts';

/**
 * The checks of an archive or table as visible to a user, with their counts.
 * @param tables visible to the user: a rule that names another one is left out
 */
export async function listChecks(
  db: Transaction,
  collection: Collection,
  tables: readonly Table[],
): Promise<AnsweredCheck[]> {
  const states = await readCheckStates(db, collection);
  const excepted = await countExceptions(db, collection);
  const answered: AnsweredCheck[] = [];
  for (const check of collection.checks) {
    const { name, label, severity, definition, fields, duplicates, hidesParts } = check;
    const state = stateOf(check, states);
    const count = await countOf(db, collection, check, state);
    const asOf = hidesParts ? Date.now() : (state?.as_of ?? null);
    answered.push({
      name,
      label,
      severity,
      ...(areTablesVisible(check, tables) && {
        rule: definition?.rule ?? null,
        ...(definition?.when !== undefined && { when: definition.when }),
      }),
      ...(duplicates && { duplicates: duplicates.lists.map((list) => [...list]) }),
      fields: [...fields],
      count,
      atLeast: count ?? state?.found ?? 0,
      excepted: excepted.get(name) ?? 0,
      asOf: count === null ? null : isoTime(asOf),
    });
  }
  return answered;
}

function areTablesVisible({ lookups }: Check, tables: readonly Table[]): boolean {
  return lookups.every(({ reference }) => {
    const table = tables.find(({ guid }) => isSameName(guid, reference.table));
    return table !== undefined && findByName(table.fields, reference.column) !== undefined;
  });
}

/**
 * The number of records with a finding of a check.
 * @param collection as visible to the user
 * @param state of the check as it is defined now
 * @returns null: it is not counted yet
 */
export async function countOf(
  db: Transaction,
  collection: Collection,
  { name, hidesParts }: Check,
  state: CheckState | undefined,
): Promise<number | null> {
  if (!hidesParts) return state?.count ?? null;
  // Fewer findings are visible than are counted.
  const column = collection.listColumns.find((candidate) => candidate.name === 'meta.check');
  if (!column) return 0;
  const where = [{ column, op: 'eq', value: name } as const];
  return countRecordsInWorker(db, collection, { where, q: '' });
}

/** The number of records with exceptions, by check; older revisions and deleted records do not count. */
async function countExceptions(
  db: Transaction,
  collection: Collection,
): Promise<Map<string, number>> {
  const { kind, id } = collection;
  const table = sql.table(tableName(collection));
  const isThere = allOf([sql<boolean>`${table}._id = row_id`, ...newestRevisionTests(collection)]);
  const tests = [
    hasOtherRecord(collection),
    sql<boolean>`exists (select 1 from ${table} where ${isThere})`,
    ...(await visibleExceptionTests(db, collection)),
  ];
  const { rows } = await sql<{ name: string; count: number }>`
    select name, cast(count(distinct row_id) as integer) as count from check_exceptions
    where scope = ${kind} and thing_id = ${id} and ${allOf(tests)} group by name`.execute(db.k);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** The test that the user sees an exception; none where the user sees all. */
async function visibleExceptionTests(db: Transaction, collection: Collection): Promise<Sql[]> {
  const { kind, id, restriction } = collection;
  if (!restriction?.hidesFields) return [];
  const { rows } = await sql<{ fields: string }>`select distinct fields from check_exceptions
    where scope = ${kind} and thing_id = ${id}`.execute(db.k);
  const visible = rows.flatMap(({ fields }) =>
    isExceptionVisible(collection, fieldNumbers(fields)) ? [sql<boolean>`fields = ${fields}`] : [],
  );
  return [anyOf(visible)];
}

/** How many examples of a rule's findings are returned. */
const MAX_EXAMPLES = 20;

/**
 * The findings of an unsaved rule.
 * @param collection as visible to the user
 * @param tables visible to the user
 * @throws {ApiError} 422 with line and column
 */
export async function tryRule(
  db: Transaction,
  collection: Collection,
  tables: readonly Table[],
  { rule, when }: { readonly rule: string; readonly when?: string | undefined },
): Promise<TriedRule> {
  const scope = ruleScope(collection.fields, tables);
  const must = parseRule(rule, scope);
  const condition = when === undefined ? null : parseRule(when, scope);
  if (!must.ok || (condition && !condition.ok)) {
    throw new ApiError('validation_failed', {
      ...(!must.ok && { rule: [must.problem] }),
      ...(condition && !condition.ok && { when: [condition.problem] }),
    });
  }
  const rules = [must.value, ...(condition ? [condition.value] : [])];
  const setting = ruleSetting(collection, [{ lookups: resolveLookupColumns(rules, tables) }]);
  const tests: Sql[] = [
    sql`(${db.adapter.ruleTruth(collection, must.value, setting)} is false)`,
    ...(condition
      ? [sql<boolean>`(${db.adapter.ruleTruth(collection, condition.value, setting)} is true)`]
      : []),
    ...newestRevisionTests(collection),
  ];
  const found = sql`${sql.table(tableName(collection))} where ${allOf(tests)}`;
  const { rows } = await sql<{ id: number }>`
    select _id as id from ${found} order by _id limit ${MAX_EXAMPLES}`.execute(db.k);
  const ids = rows.map(({ id }) => id);
  const records = await readRecords(db, collection, ids);
  const names = [...new Set(rules.flatMap(fieldsOf))];
  return {
    count: ids.length < MAX_EXAMPLES ? ids.length : await countRows(db, found),
    examples: ids.map((id) => ({
      id: String(id),
      fields: Object.fromEntries(
        names.map((name) => [
          name,
          records.get(id)?.values[indexOfName(collection.fields, name)] ?? null,
        ]),
      ),
    })),
  };
}

/** @throws {ApiError} 404 */
export function requireCheck({ checks }: Collection, name: string): Check {
  const check = checks.find((candidate) => isSameName(candidate.name, name));
  if (!check) throw new ApiError('not_found', texts.noCheck({ name }));
  return check;
}
