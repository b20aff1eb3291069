import type { CheckException } from '#shared/contract/answers.ts';
import type { Severity } from '#shared/rules/check-words.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { FieldValue } from '#web/fields/field-model.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { OptionsFrom } from '#web/fields/look-up.ts';
import type { Shortcut } from '#web/ui/shortcuts.ts';

/** Values that a person can put into a record by one key. */
export interface FieldSuggestion {
  readonly label: string;
  /** by the fields' places */
  readonly values: readonly (readonly [place: string, value: FieldValue])[];
}

/** Puts the first suggestion of a check into the record. */
export const SUGGESTION_KEY = 'mod+.' satisfies Shortcut;

/** Another field, whose choice from a table fills this one. */
export interface FillFrom {
  readonly from: OptionsFrom;
  readonly label: string;
  /** what it holds, which is not empty */
  readonly value: string;
  /** what the field holds that is filled */
  readonly present: string;
}

/** What a check says at a field of a record. */
export interface FieldFinding {
  readonly check: string;
  readonly label: string;
  readonly severity: Severity;
  /** whether it is about the values as they are stored; else about what was typed */
  readonly isStored: boolean;
  /** whether the record cannot be saved with it */
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

/** The findings of a record by the places of its fields. */
export type FindingsByPlace = ReadonlyMap<string, readonly FieldFinding[]>;

/** A record as it stands in its editors, for checks. */
export interface CheckedRecord {
  readonly fields: readonly ArchiveField[];
  /** the value of a field, by its name; null where it is empty or cannot be read */
  readonly valueOf: (name: string) => Scalar;
  /** the names of the fields that were changed */
  readonly edited: ReadonlySet<string>;
  /** those whose editors hold no value of their type: checks on them say nothing */
  readonly unreadable: ReadonlySet<string>;
}

/** Says that a record is right as it is although a check is not met, or ends that. */
export interface ExceptionChange {
  readonly check: string;
  /** why the record is right; null: the exception ends */
  readonly exception: { readonly reason: string } | null;
}
