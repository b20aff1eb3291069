import type { RecordCheck } from '#shared/checks/record-checks.ts';
import type { CheckException, Finding } from '#shared/contract/answers.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import type { StoredContent } from '#web/fields/value-checks.ts';

/** The checks of one archive or table, for the browser. */
export interface ListChecks {
  /** those that are evaluated in the browser; empty: not loaded, or none can be evaluated */
  readonly localChecks: readonly RecordCheck[];
  /** the fields that duplicate checks compare, by the names of the checks */
  readonly compared: ReadonlyMap<string, readonly string[]>;
}

/** The data about a record whose findings are computed. */
export interface FindingsSource extends ListChecks {
  readonly fields: readonly ArchiveField[];
  /** the service's findings */
  readonly findings?: readonly Finding[] | undefined;
  readonly exceptions?: readonly CheckException[] | undefined;
  /** the stored value of a field */
  readonly storedOf: (field: ArchiveField) => StoredContent;
  /** whether values can be changed, so that suggestions are useful */
  readonly isEditable: boolean;
}
