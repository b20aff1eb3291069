import type { MessagesByPath } from '#shared/messages/message.ts';
import type { CHANGE_KINDS } from '#shared/contract/configuration-definitions.ts';
import type { FieldCheck } from './field-differences.ts';

/** One change of a definition, before its effect on stored values is known. */
export interface PlannedChange {
  readonly kind: (typeof CHANGE_KINDS)[number];
  /** the new name of the field, or its last one if it is retired; null: the archive or table itself */
  readonly field: string | null;
  readonly properties: readonly string[];
  /** the number of the field before the change; null: it is new, or the change concerns the archive or table itself */
  readonly number: number | null;
  /** whether the change touches all values of the field */
  readonly touchesValues: boolean;
  /** the condition on stored values; null: all are valid */
  readonly check: FieldCheck | null;
}

/** Why a definition cannot be changed as requested, whatever is stored. */
export interface PlanProblems {
  readonly invalid: MessagesByPath;
  readonly taken: MessagesByPath;
}
