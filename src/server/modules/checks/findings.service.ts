import { sql, type RawBuilder } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import type { Check } from '#server/database/records/check.ts';
import {
  exceptedFields,
  findingSql,
  newestRevisionTests,
  partFailsSql,
  ruleSetting,
} from '#server/database/records/check-conditions.ts';
import {
  exceptionsAmong,
  fieldNumbers,
  isException,
  readExceptions,
  type RecordException,
} from '#server/database/records/check-exceptions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { parametersOf } from '#server/database/records/statement-parameters.ts';
import { isExceptionVisible } from '#server/database/records/collection-view.ts';
import { tableName, type ColumnValue } from '#server/database/records/columns.ts';
import { allOf, type Sql } from '#server/database/records/comparisons.ts';
import type { RuleSetting } from '#server/database/records/rule-sql.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import type { CheckException, Finding } from '#shared/contract/answers.ts';
import { evaluateChecks } from '../records/check-evaluation.ts';

/** A test of a record: a part of a check, or whether it has duplicates. */
interface FindingTest {
  readonly check: Check;
  readonly fields: readonly string[];
  /** the numbers of the fields that an exception must be about; null: what is found has no exceptions, as duplicates */
  readonly exceptionFields: readonly number[] | null;
  /** what must hold; where it does, the test is passed */
  readonly rule: RuleNode | null;
}

/** A test that the values of the record decide. */
type RuleTest = FindingTest & { readonly rule: RuleNode };

/** A test that compares the record with what the database holds besides it. */
type StoredTest = FindingTest & { readonly sql: Sql };

/** A record with the values that its collection shows, as they are stored. */
type RecordValues = Pick<StoredRecord, 'id' | 'values'>;

/**
 * The findings of records as visible to a user: those of rules in their present state, duplicates as of the last count.
 * @returns by id, in the order of the definition
 */
export async function findingsOf(
  db: Transaction,
  collection: Collection,
  records: readonly RecordValues[],
): Promise<Map<number, Finding[]>> {
  const failed = await failedTests(db, collection, records);
  const exceptions = Map.groupBy(
    await exceptionsAmong(db, collection, [...failed.keys()]),
    (exception) => exception.id,
  );
  return new Map(
    records.map(({ id }) => [
      id,
      toFindings(collection, failed.get(id) ?? [], exceptions.get(id) ?? []),
    ]),
  );
}

/** How many records are tested between two yields. */
const TESTED_TOGETHER = 500;

/**
 * The tests that records fail, also those of rules that have an exception; older revisions fail none. Rules are evaluated
 * from the values, which a save or a list has already; what else there is to test, and whether a revision is the newest, is
 * read only if it can matter.
 * @returns by id; records that fail none are missing
 */
async function failedTests(
  db: Transaction,
  collection: Collection,
  records: readonly RecordValues[],
): Promise<Map<number, readonly FindingTest[]>> {
  const failed = new Map<number, readonly FindingTest[]>();
  const { rules, others, ofOthers } = prepareTests(db, collection);
  if (rules.length + others.length === 0) return failed;
  for (const some of chunks(records, TESTED_TOGETHER)) {
    const tested = await evaluateChecks(db, collection, collection, (isBroken) =>
      some.map(({ id, values }) => {
        const broken = rules.filter(({ rule }) => isBroken(rule, values));
        const isOpen = others.some(({ rule }) => rule === null || isBroken(rule, values));
        return {
          id,
          broken,
          isRead: isOpen || (broken.length > 0 && collection.kind === 'archive'),
        };
      }),
    );
    const ids = tested.flatMap(({ id, isRead }) => (isRead ? id : []));
    const rows = ids.length > 0 ? await runTests(db, collection, ofOthers, ids) : [];
    const results = new Map(rows.map((row) => [integerAt(row, 0), textAt(row, 1)]));
    for (const { id, broken, isRead } of tested) {
      const result = results.get(id);
      // An older revision has no result.
      if (isRead && result === undefined) continue;
      const tests = [...broken, ...others.filter((_, index) => result?.[index] === '1')];
      if (tests.length > 0) failed.set(id, tests);
    }
    if (some.length === TESTED_TOGETHER) await yieldToEventLoop();
  }
  return failed;
}

/** @returns rows of an id and a character for each test; none of older revisions */
function runTests(
  db: Transaction,
  collection: Collection,
  statement: TestStatement,
  ids: readonly number[],
): Promise<unknown[][]> {
  const [single] = ids.length === 1 ? ids : [];
  const among = single === undefined ? db.adapter.isAmong(ids) : sql`= ${single}`;
  const build = () => {
    const id = sql.ref(`${tableName(collection)}._id`);
    const tests = [sql<boolean>`${id} ${among}`, ...newestRevisionTests(collection)];
    return sql`select ${id}, ${statement.results} from ${sql.table(tableName(collection))}
      where ${allOf(tests)}`;
  };
  const name = single === undefined ? 'findings of several' : 'findings of one';
  const parameters = single === undefined ? parametersOf(db, among) : [single];
  return db.run({ owner: statement, name, build }, [...statement.parameters, ...parameters]);
}

/** An expression with a character for each of some tests: `1` where a record fails it. */
interface TestStatement {
  readonly results: RawBuilder<string>;
  readonly parameters: readonly ColumnValue[];
}

/** The tests of an archive or table, and how the database makes them. */
interface PreparedTests {
  readonly setting: Pick<RuleSetting, 'today' | 'now'>;
  readonly generation: number;
  readonly rules: readonly RuleTest[];
  readonly others: readonly StoredTest[];
  readonly ofOthers: TestStatement;
}

/** A cache: each save needs them, and building them takes longer than running them. */
const preparedTests = new WeakMap<Collection, PreparedTests>();

function prepareTests(db: Transaction, collection: Collection): PreparedTests {
  const setting = ruleSetting(collection, collection.checks);
  const generation = db.adapter.ruleGeneration();
  let prepared = preparedTests.get(collection);
  if (
    prepared?.generation !== generation ||
    prepared.setting.today !== setting.today ||
    prepared.setting.now !== setting.now
  ) {
    const tests = testsOf(db, collection, setting);
    // Registering its rules may have evicted those of others.
    prepared = { setting, generation: db.adapter.ruleGeneration(), ...tests };
    preparedTests.set(collection, prepared);
  }
  return prepared;
}

function testsOf(
  db: Transaction,
  collection: Collection,
  setting: RuleSetting,
): Pick<PreparedTests, 'rules' | 'others' | 'ofOthers'> {
  const rules: RuleTest[] = [];
  const others: StoredTest[] = [];
  for (const check of collection.checks) {
    if (check.duplicates) {
      const { fields } = check;
      const found = findingSql(db, collection, check, setting);
      others.push({ check, fields, exceptionFields: null, rule: null, sql: found });
    }
    for (const part of check.parts) {
      const { fields, rule, measure } = part;
      const test = { check, fields, exceptionFields: exceptedFields(collection, check, part) };
      if (rule && !measure) rules.push({ ...test, rule });
      else others.push({ ...test, rule, sql: partFailsSql(db, collection, part, setting) });
    }
  }
  const results = sql<string>`${sql.join(
    [sql`''`, ...others.map((test) => sql`case when ${test.sql} then '1' else '0' end`)],
    sql` || `,
  )}`;
  return { rules, others, ofOthers: { results, parameters: parametersOf(db, results) } };
}

/** The findings of failed tests that have no exception. */
function toFindings(
  { checks }: Collection,
  failed: readonly FindingTest[],
  exceptions: readonly RecordException[],
): Finding[] {
  if (failed.length === 0) return [];
  const isExcepted = ({ check, exceptionFields }: FindingTest) =>
    exceptionFields !== null &&
    exceptions.some(
      (exception) => exception.name === check.name && isException(exception, exceptionFields),
    );
  const byCheck = Map.groupBy(
    failed.filter((test) => !isExcepted(test)),
    ({ check }) => check,
  );
  return checks.flatMap((check): Finding[] => {
    const tests = byCheck.get(check);
    if (!tests) return [];
    const { name, label, severity } = check;
    const fields = [...new Set(tests.flatMap((test) => test.fields))];
    return [{ check: name, label, severity, fields }];
  });
}

/**
 * The findings and exceptions in an answer about one record.
 * @param record as it is stored, with the values that the collection shows
 */
export async function findingsMeta(
  db: Transaction,
  collection: Collection,
  record: RecordValues,
): Promise<{ readonly findings: Finding[]; readonly exceptions?: CheckException[] }> {
  const { id } = record;
  // PostgreSQL answers both in one round trip.
  const [failed, rows] = await Promise.all([
    failedTests(db, collection, [record]),
    readExceptions(db, collection, id),
  ]);
  const ofRecord = rows.flatMap(({ name, with_id, fields }) =>
    with_id === 0 ? { id, name, numbers: fieldNumbers(fields) } : [],
  );
  const exceptions = toExceptions(collection, rows);
  return {
    findings: toFindings(collection, failed.get(id) ?? [], ofRecord),
    ...(exceptions.length > 0 && { exceptions }),
  };
}

/** The exceptions of a record that the user can see, in the order of the definition. */
function toExceptions(
  collection: Collection,
  rows: Awaited<ReturnType<typeof readExceptions>>,
): CheckException[] {
  const visible = rows.filter((row) => isExceptionVisible(collection, fieldNumbers(row.fields)));
  if (visible.length === 0) return [];
  const { checks, fields } = collection;
  return checks.flatMap(({ name, label }) => {
    const own = visible.filter((row) => row.name === name);
    // Those of pairs are about the same fields.
    const byFields = Map.groupBy(own, (row) => (row.with_id === 0 ? row.fields : ''));
    return [...byFields.values()].flatMap((rows): CheckException[] => {
      const [first] = rows;
      if (!first) return [];
      const { reason, made_by: by, made_at: at } = first;
      const others = rows.flatMap(({ with_id }) => (with_id === 0 ? [] : [with_id]));
      const numbers = fieldNumbers(first.fields);
      return [
        {
          check: name,
          label,
          fields: fields.flatMap((field) => (numbers.includes(field.number) ? field.name : [])),
          reason,
          by,
          at: isoTime(at),
          ...(others.length > 0 && { with: others.toSorted((a, b) => a - b).map(String) }),
        },
      ];
    });
  });
}

/** The same for an answer about several, by id. */
export async function findingsById(
  db: Transaction,
  collection: Collection,
  records: readonly RecordValues[],
): Promise<Record<string, Finding[]>> {
  const found = await findingsOf(db, collection, records);
  return Object.fromEntries([...found].map(([id, findings]) => [String(id), findings]));
}
