import { sql } from 'kysely';
import { chunks } from '#server/database/records/bulk-statements.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Check, LookupColumn } from '#server/database/records/check.ts';
import {
  findLookupColumn,
  lookupsOfChecks,
  ruleSetting,
} from '#server/database/records/check-conditions.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  comparedColumn,
  tableName,
  valueColumn,
  type ColumnValue,
} from '#server/database/records/columns.ts';
import { sortKey } from '#server/database/records/sort-key.ts';
import { textAt } from '#server/database/row-values.ts';
import { compileRule, evaluateRule } from '#shared/checks/compile-rule.ts';
import type { RuleContext } from '#shared/checks/compiled-nodes.ts';
import type { RuleNode } from '#shared/checks/rule-tree.ts';
import { indexOfName } from '#shared/rules/names.ts';
import '#shared/values/pattern-engine.ts';
import { isText, valueType } from '#shared/values/registry.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** Whether a rule is false for a record. @param values of all fields, in their order */
export type IsBroken = (rule: RuleNode, values: readonly Scalar[]) => boolean;

/** Whether a value that is looked up is about to be stored. */
export type IsWritten = (column: LookupColumn, value: Scalar) => boolean;

/**
 * Evaluates rules of checks for given values, such as those that are about to be stored, or were just read.
 * @param fields of the values, in their order
 * @param evaluate called again once the values that its rules look up are known
 */
export async function evaluateChecks<Result>(
  db: Transaction,
  collection: Collection,
  { fields, checks }: Pick<Collection, 'fields' | 'checks'>,
  evaluate: (isBroken: IsBroken) => Result,
  isWritten: IsWritten = () => false,
): Promise<Result> {
  const lookups = new Lookups(checks, isWritten);
  const { today, now } = ruleSetting(collection, checks);
  const context: RuleContext = { today, now, isListed: lookups.isListed };
  for (;;) {
    const result = evaluate((rule, values) => {
      const valueOf = (name: string) => values[indexOfName(fields, name)] ?? null;
      return evaluateRule(programOf(rule), valueOf, context) === false;
    });
    // Values that were looked up for the first time are read, and the rules evaluated again.
    if (!(await lookups.read(db))) return result;
  }
}

const programs = new WeakMap<RuleNode, ReturnType<typeof compileRule>>();

function programOf(rule: RuleNode): ReturnType<typeof compileRule> {
  let program = programs.get(rule);
  if (!program) programs.set(rule, (program = compileRule(rule)));
  return program;
}

/** Values that are looked up by one statement; few sizes, so that few statements are prepared. */
const BATCH_SIZES = [50, 5, 1];

interface Lookup {
  readonly key: string;
  readonly column: LookupColumn;
  readonly value: Scalar;
}

/** The values in the columns of look-ups. */
class Lookups {
  readonly #columns: readonly LookupColumn[];
  readonly #isWritten: IsWritten;
  readonly #known = new Map<string, boolean>();
  readonly #pending = new Map<string, Lookup>();

  constructor(checks: readonly Check[], isWritten: IsWritten) {
    this.#columns = lookupsOfChecks(checks);
    this.#isWritten = isWritten;
  }

  readonly isListed: RuleContext['isListed'] = (reference, value) => {
    const column = findLookupColumn(this.#columns, reference);
    if (!column) return null;
    // A column of whole numbers does not take others, not even to be compared.
    if (typeof value === 'number' && !Number.isInteger(value) && isWhole(column.field))
      return false;
    if (this.#isWritten(column, value)) return true;
    const key = JSON.stringify([column.table, column.field.number, value]);
    const known = this.#known.get(key);
    if (known === undefined) this.#pending.set(key, { key, column, value });
    return known ?? null;
  };

  /** Reads the requested, unknown values. @returns whether there were any */
  async read(db: Transaction): Promise<boolean> {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const some of chunks(pending, BATCH_SIZES)) {
      const statement = {
        owner: Lookups,
        name: some.map(({ column }) => nameOf(column)).join(),
        build: () => {
          const tests = some.map(
            (one) => sql`cast(case when exists (${lookupSql(db, one)}) then 1 else 0 end as text)`,
          );
          return sql`select ${sql.join(tests, sql` || `)}`;
        },
      };
      const parameters = some.flatMap((one) => parametersOf(db, one));
      const [row] = await db.run(statement, parameters);
      const found = row ? textAt(row, 0) : '';
      for (const [i, { key }] of some.entries()) this.#known.set(key, found[i] === '1');
    }
    return pending.length > 0;
  }
}

function isWhole({ type }: LookupColumn['field']): boolean {
  return valueType(type).column === 'integer';
}

/** Identifies the column in the texts of statements. */
function nameOf({ table, field }: LookupColumn): string {
  return `${tableName(table)} ${field.number} ${field.type}`;
}

function lookupSql(db: Transaction, lookup: Lookup) {
  const { table, field } = lookup.column;
  const [first, second] = parametersOf(db, lookup);
  const test = isText(field)
    ? sql`${db.adapter.sortKey(field)} = ${first} and ${sql.ref(valueColumn(field))} = ${second}`
    : sql`${sql.ref(comparedColumn(field))} = ${first}`;
  return sql`select 1 from ${sql.table(tableName(table))} where ${test}`;
}

/** The values of the placeholders in `lookupSql`. */
function parametersOf(db: Transaction, { column: { field }, value }: Lookup): ColumnValue[] {
  return isText(field)
    ? [sortKey(String(value)), String(value)]
    : [db.adapter.toStored(equalityKey(field.type, value))];
}
