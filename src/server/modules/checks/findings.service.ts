import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import {
  findingSql,
  newestRevisionSql,
  notExcepted,
  partFails,
  ruleSetting,
} from '#server/database/records/check-conditions.ts';
import { readExceptions } from '#server/database/records/check-exceptions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName, type Stored } from '#server/database/records/columns.ts';
import { allOf, type Sql } from '#server/database/records/comparisons.ts';
import type { RuleSetting } from '#server/database/records/rule-sql.ts';
import { integerAt, textAt } from '#server/database/row-values.ts';
import type { CheckException, Finding } from '#shared/contract/answers.ts';

/** A test of a record: a part of a check, or whether it has duplicates. */
interface Test {
  readonly check: Check;
  readonly fields: readonly string[];
  readonly sql: Sql;
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
  const found = new Map<number, Finding[]>(ids.map((id) => [id, []]));
  const prepared = prepare(db, collection);
  const { tests, columns, parameters } = prepared;
  if (tests.length === 0) return found;
  const id = sql.ref(`${tableName(collection)}._id`);
  const newest = newestRevisionSql(collection);
  const [sole] = ids;
  const isOne = ids.length === 1 && sole !== undefined;
  // PostgreSQL would plan this long statement anew each time for a list, whose length it does not know in advance.
  const among = isOne ? sql`= ${sole}` : db.adapter.isAmong(ids);
  const statement = {
    owner: prepared,
    name: isOne ? 'findings of one' : 'findings',
    build: () => sql`select ${id}, ${columns} from ${sql.table(tableName(collection))}
      where ${id} ${among} ${newest ? sql`and ${newest}` : sql``}`,
  };
  const rows = await db.run(statement, [...parameters, ...parametersOf(db, sql`${among}`)]);
  for (const row of rows) found.set(integerAt(row, 0), toFindings(tests, textAt(row, 1)));
  return found;
}

/** The tests of an archive or table, and the statement's part that makes them. */
interface Prepared {
  readonly setting: Pick<RuleSetting, 'today' | 'now'>;
  readonly generation: number;
  readonly tests: readonly Test[];
  readonly columns: RawBuilder<string>;
  readonly parameters: readonly Stored[];
}

/** Each save asks for them, and to make them takes longer than to run them. */
const known = new WeakMap<Collection, Prepared>();

function prepare(db: Transaction, collection: Collection): Prepared {
  const setting = ruleSetting(collection, collection.checks);
  const generation = db.adapter.ruleGeneration();
  let prepared = known.get(collection);
  if (
    prepared?.generation !== generation ||
    prepared.setting.today !== setting.today ||
    prepared.setting.now !== setting.now
  ) {
    const tests = testsOf(db, collection, setting);
    const columns = concatenated(
      tests.map(({ sql: test }) => sql`case when ${test} then 1 else 0 end`),
    );
    const parameters = tests.length === 0 ? [] : parametersOf(db, columns);
    // What is registered for it may have made others be forgotten.
    prepared = { setting, generation: db.adapter.ruleGeneration(), tests, columns, parameters };
    known.set(collection, prepared);
  }
  return prepared;
}

const storedSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

function parametersOf(db: Transaction, part: RawBuilder<unknown>): Stored[] {
  return part.compile(db.k).parameters.map((value) => storedSchema.parse(value));
}

/** `0` and `1` one after the other: SQLite's rows and PostgreSQL's have no limit of columns then. */
function concatenated(columns: readonly ReturnType<typeof sql>[]) {
  const texts = columns.map((column) => sql`cast(${column} as text)`);
  return sql<string>`${sql.join(texts, sql` || `)}`;
}

function testsOf(db: Transaction, collection: Collection, setting: RuleSetting): Test[] {
  return collection.checks.flatMap((check): Test[] => {
    if (check.duplicates) {
      return [{ check, fields: check.fields, sql: findingSql(db, collection, check, setting) }];
    }
    return check.parts.map((part) => ({
      check,
      fields: part.fields,
      sql: allOf([partFails(db, collection, part, setting), notExcepted(collection, check, part)]),
    }));
  });
}

function toFindings(tests: readonly Test[], found: string): Finding[] {
  const fields = new Map<Check, Set<string>>();
  for (const [place, test] of tests.entries()) {
    if (found[place] !== '1') continue;
    const marked = fields.get(test.check) ?? new Set();
    fields.set(test.check, marked);
    for (const field of test.fields) marked.add(field);
  }
  return [...fields].map(([{ name, label, severity }, marked]) => ({
    check: name,
    label,
    severity,
    fields: [...marked],
  }));
}

/** The findings and exceptions in an answer about one record. */
export async function findingsMeta(
  db: Transaction,
  collection: Collection,
  { id }: { readonly id: number },
): Promise<{ readonly findings: Finding[]; readonly exceptions?: CheckException[] }> {
  const findings = (await findingsOf(db, collection, [id])).get(id) ?? [];
  const exceptions = await exceptionsOf(db, collection, id);
  return { findings, ...(exceptions.length > 0 && { exceptions }) };
}

/** The exceptions of a record from checks that the user can see, in the order of the definition. */
async function exceptionsOf(
  db: Transaction,
  { kind, id, checks, fields }: Collection,
  record: number,
): Promise<CheckException[]> {
  const rows = await readExceptions(db, { kind, id }, record);
  return checks.flatMap(({ name, label }): CheckException[] => {
    const own = rows.filter((row) => row.name === name);
    const [first] = own;
    if (!first) return [];
    const { reason, made_by: by, made_at: at } = first;
    const others = own.flatMap(({ with_id }) => (with_id === 0 ? [] : [with_id]));
    return [
      {
        check: name,
        label,
        fields: fields.flatMap((field) =>
          first.fields.includes(`,${field.number},`) ? field.name : [],
        ),
        reason,
        by,
        at: new Date(at).toISOString(),
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
