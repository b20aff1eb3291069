import type { CHANGE_KINDS } from '#shared/contract/configuration-definitions.ts';
import type { MessagesByPath } from '#shared/contract/errors.ts';
import type { FieldCheck } from './field-differences.ts';

/** One change of a definition, before what it means for stored values is known. */
export interface PlannedChange {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /** the name that the field gets, or has where it is retired; null: the archive or table itself */
  readonly field: string | null;
  readonly properties: readonly string[];
  /** the number of the field before the change; null: it is new, or the change is of the archive or table itself */
  readonly number: number | null;
  /** whether the change touches all values of the field */
  readonly touchesValues: boolean;
  /** what stored values have to meet; null: all do */
  readonly check: FieldCheck | null;
}

/** Why a definition cannot become what is wanted, whatever is stored. */
export interface PlanProblems {
  readonly invalid: MessagesByPath;
  readonly taken: MessagesByPath;
}
