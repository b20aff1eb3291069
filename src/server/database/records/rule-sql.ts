import type { RawBuilder } from 'kysely';
import type { RuleContext } from '#shared/checks/compiled-nodes.ts';
import type { ColumnReference, RuleNode } from '#shared/checks/rule-tree.ts';
import { findByName } from '#shared/rules/names.ts';
import { tableName, type CollectionRef, type StoredField } from './columns.ts';

/** The archive or table whose records a rule is about. */
export type RuleSubject = CollectionRef & {
  readonly fields: readonly (StoredField & { readonly name: string })[];
};

/** The values that a rule uses besides the record, for SQL. */
export interface RuleSetting extends Pick<RuleContext, 'today' | 'now'> {
  /** the column of a look-up */
  columnOf(reference: ColumnReference): {
    readonly table: CollectionRef;
    readonly field: StoredField;
  };
}

/** Rules of checks as SQL (docs/interface/checks.md): equivalent to `evaluateRule` for each record. */
export interface RuleSql {
  /**
   * An expression over the columns of the record table: true, false, or null if the rule does not apply. No index
   * supports it: use it for all records, or for those that other conditions find.
   */
  ruleTruth(
    subject: RuleSubject,
    rule: RuleNode,
    setting: RuleSetting,
  ): RawBuilder<boolean | number | null>;
  /** Rises when expressions that were made before may have lost what they call. */
  ruleGeneration(): number;
}

/** The alias of the looked-up table within its subquery, because it may be the table of the records too. */
export const LOOKUP_ALIAS = 'looked_up';

/** A field of the record that is checked. */
export function fieldOf(subject: RuleSubject, name: string): StoredField {
  const field = findByName(subject.fields, name);
  if (!field) throw new Error(`No field ${name} in ${tableName(subject)}`);
  return field;
}
