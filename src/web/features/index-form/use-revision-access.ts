import { useIsSeenAs } from '#web/api/session.queries.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import type { FormContext } from './form-context.ts';

interface RevisionAccessOptions extends Pick<
  FormContext,
  'archive' | 'username' | 'administrator'
> {
  readonly latest: VersionedRevision;
  /** whether it was deleted since it was loaded */
  readonly isDeleted: boolean;
}

/** Why the user cannot change a revision, the first reason that applies; and whether the user may lock it. */
export function useRevisionAccess(options: RevisionAccessOptions) {
  const { archive, username, administrator, latest, isDeleted } = options;
  const isSeenAs = useIsSeenAs();
  const { locked } = latest.revision;
  const isLockedByOther = locked !== null && locked.by !== username && !administrator;
  const mayWrite = archive.rights !== 'read' && !isSeenAs;
  const reasons = [
    isDeleted && 'gone',
    isSeenAs && 'seenAs',
    !mayWrite && 'rights',
    isLockedByOther && 'locked',
  ] as const;
  return {
    readOnlyReason: reasons.find((reason) => reason !== false),
    mayLock: mayWrite && !isLockedByOther,
  };
}
