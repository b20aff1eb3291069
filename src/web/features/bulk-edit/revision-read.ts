import type { Revision } from '#shared/contract/answers.ts';

/** A revision as it was read for the correction, with the version that was read. */
export interface RevisionRead extends Revision {
  readonly etag: string;
  readonly changedBy: string;
  readonly changedAt: string;
  /** the user who holds a lock on it; null: not locked */
  readonly lockedBy: string | null;
}

/** The values of one keyword field, in their order. */
export function keywordsOf(revision: RevisionRead, name: string): readonly string[] {
  return revision.keywordFields.filter((entry) => entry.name === name).map(({ value }) => value);
}
