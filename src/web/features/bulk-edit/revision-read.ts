import type { Revision } from '#shared/contract/answers.ts';

/** A revision as loaded for the correction, with its version. */
export interface LoadedRevision extends Revision {
  readonly etag: string;
  readonly changedBy: string;
  readonly changedAt: string;
  /** the user who holds a lock on it; null: not locked */
  readonly lockedBy: string | null;
}
