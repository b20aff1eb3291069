import type { StoredRecord } from '#server/database/records/record.ts';
import type { ErrorPaths } from './entry.ts';

/** A record about to be written. */
export interface Candidate {
  /** null: a new record */
  readonly before: Pick<StoredRecord, 'values'> | null;
  readonly after: Pick<StoredRecord, 'id' | 'values'>;
  readonly paths: ErrorPaths;
}
