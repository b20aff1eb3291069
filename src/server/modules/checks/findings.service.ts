import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
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
import { tableName, type Stored } from '#server/database/records/columns.ts';
import { allOf, type Sql } from '#server/database/records/comparisons.ts';
import type { RuleSetting } from '#server/database/records/rule-sql.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import { isoTime } from '#server/iso-time.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import type { CheckException, Finding } from '#shared/contract/answers.ts';

/** A test of a record: a part of a check, or whether it has duplicates. */
interface FindingTest {
  readonly check: Check;
  readonly fields: readonly string[];
  /** the numbers of the fields that an exception must be about; null: what is found has no exceptions, as duplicates */
  readonly exceptionFields: readonly number[] | null;
}

/**
 * The findings of records as visible to a user: those of rules in their present state, duplicates as of the last count.
 * @returns by id, in the order of the definition
 */
export async function findingsOf(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Map<number, Finding[]>> {
  const failed = await failedTests(db, collection, ids);
  const failing = [...failed].flatMap(([id, tests]) => (tests.length > 0 ? id : []));
  const exceptions = Map.groupBy(
    await exceptionsAmong(db, collection, failing),
    (exception) => exception.id,
  );
  return new Map(
    ids.map((id) => [id, toFindings(collection, failed.get(id) ?? [], exceptions.get(id) ?? [])]),
  );
}

/** The tests that records fail, also those of rules that have an exception; older revisions fail none. */
async function failedTests(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
): Promise<Map<number, FindingTest[]>> {
  const prepared = prepareTests(db, collection);
  const { tests, columns, parameters } = prepared;
  if (tests.length === 0) return new Map();
  const [sole] = ids;
  const isOne = ids.length === 1 && sole !== undefined;
  // PostgreSQL would plan this long statement anew each time for a list, whose length it does not know in advance.
  const among = isOne ? sql`= ${sole}` : db.adapter.isAmong(ids);
  const statement = {
    owner: prepared,
    name: isOne ? 'findings of one' : 'findings',
    build: () => {
      const id = sql.ref(`${tableName(collection)}._id`);
      const tests = [sql<boolean>`${id} ${among}`, ...newestRevisionTests(collection)];
      return sql`select ${id}, ${columns} from ${sql.table(tableName(collection))}
        where ${allOf(tests)}`;
    },
  };
  const rows = await db.run(statement, [
    ...parameters,
    ...(isOne ? [sole] : parametersOf(db, sql`${among}`)),
  ]);
  return new Map(
    rows.map((row) => {
      const results = textAt(row, 1);
      if (results.length !== tests.length) throw new Error('A test has no result.');
      return [integerAt(row, 0), tests.filter((_, index) => results[index] === '1')];
    }),
  );
}

/** The tests of an archive or table, and the statement's part that makes them. */
interface PreparedTests {
  readonly setting: Pick<RuleSetting, 'today' | 'now'>;
  readonly generation: number;
  readonly tests: readonly FindingTest[];
  readonly columns: RawBuilder<string>;
  readonly parameters: readonly Stored[];
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
    const { tests, columns } = testsOf(db, collection, setting);
    const parameters = tests.length === 0 ? [] : parametersOf(db, columns);
    // Registering its rules may have evicted those of others.
    prepared = { setting, generation: db.adapter.ruleGeneration(), tests, columns, parameters };
    preparedTests.set(collection, prepared);
  }
  return prepared;
}

const storedSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

function parametersOf(db: Transaction, part: RawBuilder<unknown>): Stored[] {
  return part.compile(db.k).parameters.map((value) => storedSchema.parse(value));
}

/** The tests, and an expression with a character for each: `1` where a record fails it. */
function testsOf(
  db: Transaction,
  collection: Collection,
  setting: RuleSetting,
): Pick<PreparedTests, 'tests' | 'columns'> {
  const rules: (FindingTest & { readonly rule: RuleNode })[] = [];
  const others: (FindingTest & { readonly sql: Sql })[] = [];
  for (const check of collection.checks) {
    if (check.duplicates) {
      const { fields } = check;
      const found = findingSql(db, collection, check, setting);
      others.push({ check, fields, exceptionFields: null, sql: found });
    }
    for (const part of check.parts) {
      const { fields, rule, measure } = part;
      const test = { check, fields, exceptionFields: exceptedFields(collection, check, part) };
      if (rule && !measure) rules.push({ ...test, rule });
      else others.push({ ...test, sql: partFailsSql(db, collection, part, setting) });
    }
  }
  const ofRules = db.adapter.failedRules(
    collection,
    rules.map(({ rule }) => rule),
    setting,
  );
  const ofOthers = others.map((test) => sql`case when ${test.sql} then '1' else '0' end`);
  return { tests: [...rules, ...others], columns: sql.join([ofRules, ...ofOthers], sql` || `) };
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

/** The findings and exceptions in an answer about one record. */
export async function findingsMeta(
  db: Transaction,
  collection: Collection,
  { id }: { readonly id: number },
): Promise<{ readonly findings: Finding[]; readonly exceptions?: CheckException[] }> {
  const failed = (await failedTests(db, collection, [id])).get(id) ?? [];
  const rows = await readExceptions(db, collection, id);
  const ofRecord = rows.flatMap(({ name, with_id, fields }) =>
    with_id === 0 ? { id, name, numbers: fieldNumbers(fields) } : [],
  );
  const exceptions = toExceptions(collection, rows);
  return {
    findings: toFindings(collection, failed, ofRecord),
    ...(exceptions.length > 0 && { exceptions }),
  };
}

/** The exceptions of a record from checks that the user can see, in the order of the definition. */
function toExceptions(
  { checks, fields }: Collection,
  rows: Awaited<ReturnType<typeof readExceptions>>,
): CheckException[] {
  if (rows.length === 0) return [];
  return checks.flatMap(({ name, label }): CheckException[] => {
    const own = rows.filter((row) => row.name === name);
    const [first] = own;
    if (!first) return [];
    const { reason, made_by: by, made_at: at } = first;
    const others = own.flatMap(({ with_id }) => (with_id === 0 ? [] : [with_id]));
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
}

/** The same for an answer about several, by id. */
export async function findingsById(
  db: Transaction,
  collection: Collection,
  records: readonly { readonly id: number }[],
): Promise<Record<string, Finding[]>> {
  const ids = records.map(({ id }) => id);
  const found = await findingsOf(db, collection, ids);
  return Object.fromEntries([...found].map(([id, findings]) => [String(id), findings]));
}
