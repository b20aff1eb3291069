import * as texts from '#messages/service/definitions.ts';
import { renameInRule, type RuleRenames } from '#shared/checks/rule-names.ts';
import type { Message, MessagesByPath } from '#shared/messages/message.ts';
import type { CheckDefinition } from '#shared/rules/check-definitions.ts';
import type { IndexField } from '#shared/rules/definitions.ts';
import { findByName, isSameName } from '#shared/rules/names.ts';
import { parseRule } from '#shared/checks/type-rule.ts';
import { ruleScope, type LookupTable } from './collection-checks.ts';
import { activeOf, type DefinitionState } from './definition-state.ts';

/**
 * The errors in the checks of a definition: unknown names of fields, and rules with errors of syntax or type, each with
 * line and column.
 * @param tables the active ones, in which rules may look up values
 */
export function checkProblems(
  state: DefinitionState,
  tables: readonly LookupTable[],
): MessagesByPath {
  const problems: MessagesByPath = {};
  const fields = activeOf(state.fields).map(({ field }) => field);
  const own = { guid: state.guid, name: state.name, fields };
  const others = tables.filter(({ guid }) => !isSameName(guid, state.guid));
  const scope = ruleScope(fields, state.kind === 'table' ? [own, ...others] : tables);
  for (const check of state.checks) {
    const addProblem = (message: Message, key: string) => {
      (problems[`checks.${check.name}.${key}`] ??= []).push(message);
    };
    for (const key of ['rule', 'when'] as const) {
      const rule = check[key];
      const read = rule === undefined ? null : parseRule(rule, scope);
      if (read && !read.ok) addProblem(read.problem, key);
    }
    for (const key of ['fields', 'duplicates'] as const) {
      for (const name of check[key]?.flat() ?? []) {
        if (!findByName(fields, name)) addProblem(texts.noFieldOfCheck({ name }), key);
      }
    }
  }
  return problems;
}

/** A check whose names follow those of fields, tables and columns. */
export function renameInCheck(check: CheckDefinition, renames: RuleRenames): CheckDefinition {
  const { rule, when, fields, duplicates } = check;
  const rename = (name: string) => renames.field?.(name) ?? name;
  return {
    ...check,
    ...(rule !== undefined && { rule: renameInRule(rule, renames) }),
    ...(when !== undefined && { when: renameInRule(when, renames) }),
    ...(fields && { fields: fields.map(rename) }),
    ...(duplicates && { duplicates: duplicates.map((list) => list.map(rename)) }),
  };
}

/** A field whose look-up follows the names of fields, tables and columns. */
export function renameInLookup<Field extends IndexField>(
  field: Field,
  renames: RuleRenames,
): Field {
  if (!field.optionsFrom) return field;
  const { table, column, fills } = field.optionsFrom;
  const renamed = (name: string) => renames.column?.(table, name) ?? name;
  const optionsFrom = {
    ...field.optionsFrom,
    table: renames.table?.(table) ?? table,
    column: renamed(column),
    fills: Object.fromEntries(
      Object.entries(fills).map(([own, from]) => [renames.field?.(own) ?? own, renamed(from)]),
    ),
  };
  return { ...field, optionsFrom };
}
