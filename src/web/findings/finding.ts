import type { CheckException } from '#shared/contract/answers.ts';
import type { Severity } from '#shared/rules/check-words.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { LookUpField } from '#web/fields/look-up.ts';
import type { Shortcut } from '#web/ui/shortcuts.ts';

/** Values that a user can apply to a record with one key. */
export interface FieldSuggestion {
  readonly label: string;
  /** by the fields' paths */
  readonly values: readonly (readonly [path: string, value: FieldValue])[];
}

/** Applies the first suggestion of a check to the record. */
export const SUGGESTION_KEY = 'mod+.' satisfies Shortcut;

/** Another field, whose choice from a table fills this one. */
export interface FillFrom {
  readonly from: LookUpField;
  readonly label: string;
  /** its value, which is not empty */
  readonly value: string;
  /** the value of the field to fill */
  readonly present: string;
}

/** The finding of a check at a field of a record. */
export interface FieldFinding {
  readonly check: string;
  readonly label: string;
  readonly severity: Severity;
  /** whether it concerns the stored values; else the edited ones */
  readonly isStored: boolean;
  /** whether it prevents saving the record */
  readonly isBlocking: boolean;
  /** whether this is the first of its fields, which shows the commands */
  readonly isFirst: boolean;
  /** those for this field */
  readonly suggestions: readonly FieldSuggestion[];
  /** where the right value may be looked up; null: nowhere, or a finding above names it */
  readonly fillFrom: FillFrom | null;
  /** whether an exception can be made for the record alone; for duplicates it is made together with the other records */
  readonly isExceptable: boolean;
  /** the exception that the record is right; null: it is a finding */
  readonly exception: CheckException | null;
}

/** The highest severity of findings; undefined: none, apart from those with an exception. */
export function highestSeverity(all: readonly FieldFinding[]): Severity | undefined {
  const severities = all.filter(({ exception }) => !exception).map(({ severity }) => severity);
  return severities.find((severity) => severity === 'block') ?? severities[0];
}

/** The findings of a record by the paths of its fields. */
export type FindingsByPath = ReadonlyMap<string, readonly FieldFinding[]>;

/** A record in its editors, for checks. */
export interface CheckedRecord {
  readonly fields: readonly ArchiveField[];
  /** the value of a field, by its name; null if it is empty or invalid */
  readonly valueOf: (name: string) => Scalar;
  /** the names of the changed fields */
  readonly edited: ReadonlySet<string>;
  /** fields whose editors contain no valid value: checks of them find nothing */
  readonly unreadable: ReadonlySet<string>;
}

/** Makes an exception that a record is right although it fails a check, or ends it. */
export interface ExceptionChange {
  readonly check: string;
  /** why the record is right; null: end the exception */
  readonly exception: { readonly reason: string } | null;
}
