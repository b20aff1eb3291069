import type { CollectionKind } from '#shared/rules/names.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { ColumnReference, RuleNode } from '#shared/checks/rule-tree.ts';
import type { CheckDefinition } from '#shared/rules/check-definitions.ts';
import type { IgnoredInDuplicates, Severity } from '#shared/rules/check-words.ts';

/**
 * What a part of a check compares with besides the record: measures that are computed in the background
 * (`check_measures`), or pages.
 */
export type CheckMeasure =
  /** the field hardly ever has a date after today */
  | { readonly kind: 'future'; readonly field: number }
  /** the value is far from the median of the records with the same value in another field */
  | { readonly kind: 'outlier'; readonly field: number; readonly group: number }
  /** the value does not occur on the pages of the document (`page_misses`) */
  | { readonly kind: 'page'; readonly field: number };

/** A column in which a rule looks up values, and where its values are stored. */
export interface LookupColumn {
  readonly reference: ColumnReference;
  readonly table: { readonly kind: CollectionKind; readonly id: number };
  readonly field: { readonly number: number; readonly type: ValueType };
}

/** One condition of a check: a record is a finding if one of its parts is false. */
export interface CheckPart {
  /** the fields that a finding of this part highlights */
  readonly fields: readonly string[];
  /** all fields that it depends on */
  readonly uses: readonly string[];
  /** what must hold; null: only the measure decides */
  readonly rule: RuleNode | null;
  readonly measure: CheckMeasure | null;
}

/** A check for duplicates: records with equal values in all fields of one of the lists. */
interface DuplicatesCheck {
  readonly lists: readonly (readonly string[])[];
  readonly ignore: readonly IgnoredInDuplicates[];
  /** the records that take part; null: all */
  readonly when: RuleNode | null;
}

/** A check of an archive or table with resolved names and types; plain data, because it is sent to read workers. */
export interface Check {
  readonly name: string;
  readonly label: string;
  readonly severity: Severity;
  /** as in the definition; null: built in */
  readonly definition: CheckDefinition | null;
  /** the fields that a finding may highlight */
  readonly fields: readonly string[];
  /** all fields that it depends on */
  readonly uses: readonly string[];
  /** empty for a check for duplicates */
  readonly parts: readonly CheckPart[];
  readonly duplicates: DuplicatesCheck | null;
  /** the columns of tables that values are looked up in */
  readonly lookups: readonly LookupColumn[];
  /** whether its findings change as time passes */
  readonly isTimed: boolean;
  /** set in a view that hides fields of a built-in check, so that it has fewer findings than are counted */
  readonly hidesParts?: true;
  /** equal while the check finds the same records */
  readonly fingerprint: string;
}
