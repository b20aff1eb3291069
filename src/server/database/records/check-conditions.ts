import { sql, type RawBuilder } from 'kysely';
import { clockOf } from '#shared/checks/rule-clock.ts';
import type { ColumnReference } from '#shared/checks/rule-tree.ts';
import type { Condition } from '#shared/rules/lists.ts';
import { isSameName } from '#shared/rules/names.ts';
import type { Transaction } from '../database.ts';
import type { Check, CheckPart, LookupColumn } from './check.ts';
import { dependsOn } from './check-exceptions.ts';
import type { Collection } from './collection.ts';
import { tableName, valueColumn, type CollectionRef } from './columns.ts';
import { allOf, anyOf, type Sql } from './comparisons.ts';
import type { RuleSetting } from './rule-sql.ts';

const HOUR = 60 * 60 * 1000;
/** Days begin at a quarter of an hour in every time zone. */
const QUARTER = HOUR / 4;

/** By time zone: a cache, because each save needs the clock. */
const clocks = new Map<string, { readonly quarter: number; readonly clock: RuleClock }>();
type RuleClock = Pick<RuleSetting, 'today' | 'now'>;

function ruleClock(timeZone: string, time: number): RuleClock {
  const quarter = Math.floor(time / QUARTER);
  const known = clocks.get(timeZone);
  if (known?.quarter === quarter) return known.clock;
  const clock = {
    now: clockOf(Math.floor(time / HOUR) * HOUR, timeZone).now,
    today: clockOf(time, timeZone).today,
  };
  clocks.set(timeZone, { quarter, clock });
  return clock;
}

/**
 * The values that rules use besides the record: `now` is the beginning of the hour, so that it is the same everywhere.
 */
export function ruleSetting(
  { timeZone }: Pick<Collection, 'timeZone'>,
  checks: readonly Pick<Check, 'lookups'>[],
): RuleSetting {
  return {
    ...ruleClock(timeZone, Date.now()),
    columnOf(reference) {
      const found = findLookupColumn(lookupsOfChecks(checks), reference);
      if (!found) throw new Error(`No column ${reference.column} in a rule`);
      return found;
    },
  };
}

/** The columns in which checks look up values. */
export function lookupsOfChecks(
  checks: readonly Pick<Check, 'lookups'>[],
): readonly LookupColumn[] {
  return checks.flatMap(({ lookups }) => lookups);
}

/** Whether a column in which a check looks up values is one of this archive or table. */
export function isLookupIn({ kind, id }: CollectionRef, { table }: LookupColumn): boolean {
  return table.kind === kind && table.id === id;
}

/** The one of these columns that a rule names. */
export function findLookupColumn(
  columns: readonly LookupColumn[],
  { table, column }: ColumnReference,
): LookupColumn | undefined {
  return columns.find(
    ({ reference }) => isSameName(reference.table, table) && isSameName(reference.column, column),
  );
}

/** Whether a record fails a part of a check, regardless of its revision and exceptions. */
export function partFailsSql(
  db: Transaction,
  collection: Collection,
  { rule, measure }: CheckPart,
  setting: RuleSetting,
): Sql {
  const tests: Sql[] = [];
  if (rule) tests.push(sql`(${db.adapter.ruleTruth(collection, rule, setting)} is false)`);
  if (measure?.kind === 'page') tests.push(notOnPageSql(db, collection, measure.field));
  else if (measure) {
    const of = sql`measure.scope = ${collection.kind} and measure.thing_id = ${collection.id}
      and measure.field = ${measure.field}`;
    const value = valueSql(collection, measure.field);
    const test =
      measure.kind === 'future'
        ? sql``
        : sql`and measure.value = ${measuredGroup(db, collection, measure.group)}
          and (${value} > cast(measure.high as numeric) or ${value} < cast(measure.low as numeric))`;
    tests.push(sql`exists (select 1 from check_measures as measure where ${of} ${test})`);
  }
  return allOf(tests);
}

/**
 * The key of the group of records with the same value in a field; it contains the field's number, because fields may have
 * equal values.
 */
export function measuredGroup(
  db: Transaction,
  collection: Collection,
  group: number,
): RawBuilder<string> {
  return sql`(${sql.lit(`${group} `)} || ${db.adapter.asText(valueSql(collection, group))})`;
}

/** The value of a field by its number. */
function valueSql(collection: Collection, number: number): RawBuilder<unknown> {
  return sql.ref(`${tableName(collection)}.${valueColumn({ number })}`);
}

/** How much of a value is stored with the finding that it is not on the page, in characters. */
const COMPARED_LENGTH = 200;

/** The beginning of a value as text; a finding applies only to the value that was searched for. */
export function valueOnPage(
  db: Transaction,
  collection: Collection,
  number: number,
): RawBuilder<string> {
  const text = db.adapter.asText(valueSql(collection, number));
  return sql`substr(${text}, 1, ${sql.lit(COMPARED_LENGTH)})`;
}

function notOnPageSql(db: Transaction, collection: Collection, field: number): Sql {
  return sql`exists (select 1 from page_misses as miss where miss.archive_id = ${collection.id}
    and miss.row_id = ${sql.ref(`${tableName(collection)}._id`)} and miss.field = ${field}
    and miss.value = ${valueOnPage(db, collection, field)})`;
}

/** The test that a revision is the newest one of its document; none for a table, whose records have no revisions. */
export function newestRevisionTests(collection: Collection): readonly Sql[] {
  if (collection.kind === 'table') return [];
  const table = tableName(collection);
  const [document, revision] = ['_document_id', '_revision'].map((name) =>
    sql.ref(`${table}.${name}`),
  );
  // Revisions count from 1. By the second bound a join of all records leaves out those of documents with one revision.
  const isNewest = sql<boolean>`not exists (select 1 from ${sql.table(table)} as newer
    where newer._document_id = ${document} and newer._revision > ${revision} and newer._revision > 1)`;
  return [isNewest];
}

/** Those of some records that checks examine: revisions that are the newest of their documents, and all datasets. */
export async function newestAmong(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const tests = newestRevisionTests(collection);
  if (tests.length === 0 || ids.length === 0) return new Set(ids);
  const id = sql.ref(`${tableName(collection)}._id`);
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${sql.table(tableName(collection))}
    where ${id} ${db.adapter.isAmong(ids)} and ${allOf(tests)}`.execute(db.k);
  return new Set(rows.map((row) => row.id));
}

/** The numbers of the fields that an exception must be about; none: it is for the check as a whole. */
export function exceptedFields(
  { fields }: Collection,
  { definition }: Pick<Check, 'definition'>,
  part: CheckPart,
): number[] {
  if (definition) return [];
  return fields.flatMap(({ name, number }) => (part.fields.includes(name) ? number : []));
}

/**
 * Whether a record has no exception from a part of a check. The parts of a built-in check are about different fields:
 * an exception covers the fields that had findings when it was created.
 */
function notExceptedSql(collection: Collection, check: Check, part: CheckPart): Sql {
  const marks = exceptedFields(collection, check, part).map(
    (number) => sql` and ${dependsOn('exception.fields', number)}`,
  );
  // Written into the text: a statement has this for each part of each check, and would take time to bind parameters.
  const [kind, id, name] = [collection.kind, collection.id, check.name].map((value) =>
    sql.lit(value),
  );
  return sql`not exists (select 1 from check_exceptions as exception
    where exception.scope = ${kind} and exception.thing_id = ${id}
      and exception.row_id = ${sql.ref(`${tableName(collection)}._id`)}
      and exception.name = ${name} and exception.with_id = 0${sql.join(marks, sql``)})`;
}

/** Whether a stored finding is one of a check. */
function isFindingOfSql({ kind, id }: Collection, { name, fingerprint }: Check): Sql {
  return sql`finding.check_id = (select state.id from check_states as state
    where state.scope = ${kind} and state.thing_id = ${id}
      and state.name = ${name} and state.fingerprint = ${fingerprint})`;
}

/** Whether a record is a finding of a check: true or false, never null. */
export function findingSql(
  db: Transaction,
  collection: Collection,
  check: Check,
  setting: RuleSetting,
): Sql {
  if (check.duplicates) {
    return sql`exists (select 1 from check_findings as finding
      where finding.row_id = ${sql.ref(`${tableName(collection)}._id`)}
        and ${isFindingOfSql(collection, check)})`;
  }
  if (check.parts.length === 0) return sql`1 = 0`;
  const found = check.parts.map((part) =>
    allOf([partFailsSql(db, collection, part, setting), notExceptedSql(collection, check, part)]),
  );
  return sql`(${allOf([anyOf(found), ...newestRevisionTests(collection)])})`;
}

/** The checks that a list condition refers to. */
function checksIn({ checks }: Collection, condition: Condition): readonly Check[] {
  const named = (name: unknown) => checks.filter((check) => isSameName(check.name, String(name)));
  switch (condition.op) {
    case 'eq':
      return named(condition.value);
    case 'in':
      return condition.values.flatMap(named);
    case 'null':
      return checks;
    default:
      throw new Error(`Findings are not filtered by ${condition.op}`);
  }
}

/** Whether a record has the findings that a list condition selects. */
export function checkConditionSql(
  db: Transaction,
  collection: Collection,
  condition: Condition,
): Sql {
  const checks = checksIn(collection, condition);
  const setting = ruleSetting(collection, checks);
  const tests = checks.map((check) =>
    check.duplicates
      ? // Few duplicates are found without looking at all records; of one record it would read all duplicates.
        sql<boolean>`${sql.ref(`${tableName(collection)}._id`)} in (
          select finding.row_id from check_findings as finding where ${isFindingOfSql(collection, check)})`
      : findingSql(db, collection, check, setting),
  );
  const found = anyOf(tests);
  return condition.op === 'null' && condition.isNull ? sql`not ${found}` : found;
}
