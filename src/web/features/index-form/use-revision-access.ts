import { useIsSeenAs } from '#web/api/session.queries.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import type { FormContext } from './form-context.ts';

interface RevisionAccessOptions extends Pick<
  FormContext,
  'archive' | 'username' | 'administrator'
> {
  readonly read: RevisionRead;
  /** whether it was deleted since it was loaded */
  readonly isDeleted: boolean;
}

/** Why the user cannot change a revision, the first reason that applies; and whether the user may lock it. */
export function useRevisionAccess(options: RevisionAccessOptions) {
  const { archive, username, administrator, read, isDeleted } = options;
  const isSeenAs = useIsSeenAs();
  const { locked } = read.revision;
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
