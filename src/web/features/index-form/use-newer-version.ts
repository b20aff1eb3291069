import { useEffect, useEffectEvent } from 'react';
import { useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { VersionedRevision } from '#web/api/revisions.queries.ts';
import { compareVersions, type ConflictComparison } from './conflict.ts';
import type { RevisionFormState } from './use-revision-form.ts';

interface NewerVersionOptions {
  readonly archive: ArchiveDetail;
  /** the revision as last read */
  readonly latest: VersionedRevision;
  readonly state: RevisionFormState;
  /** the path of the field that has or last had the focus */
  readonly current: string | null;
}

/**
 * The fields that both the user and someone else have changed since the form was opened. Once none is left, because the
 * user has restored them, the form adopts the newer version; but not for the focused field.
 */
export function useNewerVersion({
  archive,
  latest,
  state,
  current,
}: NewerVersionOptions): ConflictComparison['conflicts'] {
  const { form, base, conflict, sending, adoptNewest } = state;
  const isOutdated = conflict === null && latest.etag !== base.etag && sending === null;
  // Whether a conflict is left depends on the typed text.
  useWatch({ control: form.control, disabled: !isOutdated });
  const newer = isOutdated
    ? compareVersions(archive, base.revision, latest.revision, state.edits())
    : null;
  const isSettled =
    newer !== null &&
    newer.conflicts.length === 0 &&
    newer.changedByOther.every(({ path }) => path !== current);
  const adoptVersion = useEffectEvent(adoptNewest);
  useEffect(() => {
    if (isSettled) adoptVersion();
  }, [isSettled]);
  return newer?.conflicts ?? [];
}
