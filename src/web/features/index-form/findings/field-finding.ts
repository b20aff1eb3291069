import type { CheckException } from '#shared/contract/answers.ts';
import type { Severity } from '#shared/rules/check-words.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import type { OptionsFrom } from '#web/fields/look-up.ts';

/** Values that a clerk can put into the form by one key. */
export interface FieldSuggestion {
  readonly label: string;
  /** by the fields' places */
  readonly values: readonly (readonly [place: string, value: FieldValue])[];
}

/** Another field, whose choice from a table fills this one. */
export interface FillFrom {
  readonly from: OptionsFrom;
  readonly label: string;
  /** what it holds, which is not empty */
  readonly value: string;
  /** what the field holds that is filled */
  readonly present: string;
}

/** What a check says at a field of the form. */
export interface FieldFinding {
  readonly check: string;
  readonly label: string;
  readonly severity: Severity;
  /** whether it is about the values as they are stored; else about what the clerk has typed */
  readonly isStored: boolean;
  /** whether the form cannot be saved with it */
  readonly isBlocking: boolean;
  /** whether this is the first of the fields that it marks, which has its commands */
  readonly isFirst: boolean;
  /** those that are about this field */
  readonly suggestions: readonly FieldSuggestion[];
  /** where the right value may be looked up; null: nowhere, or a finding above says it */
  readonly fillFrom: FillFrom | null;
  /** whether it can be said of the record alone that it is right; of duplicates it is said with the others */
  readonly isExceptable: boolean;
  /** that the record is right as it is; null: it is a finding */
  readonly exception: CheckException | null;
}
