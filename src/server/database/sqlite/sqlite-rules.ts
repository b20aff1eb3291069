import { sql, type RawBuilder } from 'kysely';
import type { RuleInput } from '#shared/checks/compile-rule.ts';
import {
  lookupsOf,
  type LookupNode,
  type RuleKind,
  type RuleNode,
} from '#shared/checks/rule-tree.ts';
import { isText } from '#shared/values/registry.ts';
import { comparedColumn, foldColumn, tableName, valueColumn } from '../records/columns.ts';
import {
  fieldOf,
  LOOKUP_ALIAS,
  type RuleSetting,
  type RuleSql,
  type RuleSubject,
} from '../records/rule-sql.ts';
import { countEvictedPrograms, registerRule, registerValue } from './rule-functions.ts';
import { SQL_SYNTAX } from './sqlite-syntax.ts';

export const RULE_SQL: RuleSql = {
  ruleTruth(subject, rule, setting) {
    const { id, program } = registerRule(rule, setting);
    const inputs = program.rule.inputs.map((input) => inputColumn(subject, input));
    const lookups = lookupsOf(rule).map((lookup) => lookupSql(subject, lookup, setting));
    return sql`check_rule(${sql.join([sql.lit(id), ...inputs, ...lookups])})`;
  },
  ruleGeneration: countEvictedPrograms,
};

function inputColumn(subject: RuleSubject, { field, form }: RuleInput): RawBuilder<unknown> {
  const stored = fieldOf(subject, field);
  const column = form === 'folded' ? foldColumn(stored) : valueColumn(stored);
  return sql.ref(`${tableName(subject)}.${column}`);
}

/** Looks up one row by an index: that of sort keys, or that of values. */
function lookupSql(
  subject: RuleSubject,
  { by, operand, reference }: LookupNode,
  setting: RuleSetting,
): RawBuilder<unknown> {
  const { table, field } = setting.columnOf(reference);
  const value = comparedValue(subject, operand, by, setting);
  const tests = [sql`${sql.ref(`${LOOKUP_ALIAS}.${comparedColumn(field)}`)} = ${value}`];
  // The column names in the index expression are those of the inner table.
  if (isText(field)) tests.unshift(sql`${SQL_SYNTAX.sortKey(field)} = check_key(${value})`);
  return sql`exists (select 1 from ${sql.table(tableName(table))} as ${sql.ref(LOOKUP_ALIAS)}
    where ${sql.join(tests, sql` and `)})`;
}

/** A value in the form in which columns of its kind are compared. */
function comparedValue(
  subject: RuleSubject,
  node: RuleNode,
  kind: RuleKind,
  setting: RuleSetting,
): RawBuilder<unknown> {
  if (node.op === 'field') {
    return sql.ref(`${tableName(subject)}.${comparedColumn(fieldOf(subject, node.name))}`);
  }
  const { id, program } = registerValue(node, kind, setting);
  const inputs = program.value.inputs.map((input) => inputColumn(subject, input));
  return sql`check_value(${sql.join([sql`${id}`, ...inputs])})`;
}
