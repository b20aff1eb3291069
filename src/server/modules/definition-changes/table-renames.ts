import type { RuleRenames } from '#shared/checks/rule-names.ts';
import { isSameName, nameKey } from '#shared/rules/names.ts';
import {
  formerOf,
  type DefinitionState,
  type FieldState,
} from '../definitions/definition-state.ts';

/** The present names of renamed fields, by their former ones in lower case. */
export function renamesOf<Field extends { readonly name: string }>(
  before: readonly FieldState<Field>[],
  after: readonly FieldState<Field>[],
): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const one of after) {
    const old = formerOf(before, one);
    if (!old || old.field.name === one.field.name) continue;
    // Its name belongs to the field into which its values are converted.
    const isConverted = after.some(
      (other) => other.number !== one.number && formerOf(before, other) === old,
    );
    if (one.retiredAt !== null && isConverted) continue;
    renamed.set(nameKey(old.field.name), one.field.name);
  }
  return renamed;
}

/** How the names in rules of other definitions change with a table. */
export function tableRenames(before: DefinitionState, after: DefinitionState): RuleRenames {
  const columns = renamesOf(before.fields, after.fields);
  const isTable = (name: string) => isSameName(name, before.name);
  return {
    table: (name) => (isTable(name) ? after.name : undefined),
    column: (table, column) => (isTable(table) ? columns.get(nameKey(column)) : undefined),
  };
}
