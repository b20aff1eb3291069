import type { StoredRecord } from '#server/database/records/record.ts';
import type { ErrorPaths } from './sent-record.ts';

/** A record about to be written, whose values have to be unique. */
export interface UniqueCandidate {
  /** null: a new record */
  readonly before: Pick<StoredRecord, 'values'> | null;
  readonly after: Pick<StoredRecord, 'id' | 'values'>;
  readonly paths: ErrorPaths;
}
