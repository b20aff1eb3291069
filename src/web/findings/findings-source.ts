import type { CheckException, Finding } from '#shared/contract/answers.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { Stored } from '#web/fields/value-checks.ts';
import type { CheckEvaluator } from './evaluate-checks.ts';

/** What the checks of one archive or table are, for the browser. */
export interface ListChecks {
  /** null: the checks are not loaded, or none can be evaluated */
  readonly evaluator: CheckEvaluator | null;
  /** the fields that checks on duplicates compare, by the names of the checks */
  readonly compared: ReadonlyMap<string, readonly string[]>;
}

/** What is known of a record whose findings are computed. */
export interface FindingsSource extends ListChecks {
  readonly fields: readonly ArchiveField[];
  /** what the service has found */
  readonly findings?: readonly Finding[] | undefined;
  readonly exceptions?: readonly CheckException[] | undefined;
  /** what the service has in a field */
  readonly storedOf: (field: ArchiveField) => Stored;
  /** whether values can be changed, so that some are suggested */
  readonly isEditable: boolean;
}
