import { useEffect, useEffectEvent } from 'react';
import { useWatch } from 'react-hook-form';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { compare, type Comparison } from './conflict.ts';
import type { RevisionFormState } from './use-revision-form.ts';

interface NewerVersionOptions {
  readonly archive: ArchiveDetail;
  /** the revision as it was last read */
  readonly read: RevisionRead;
  readonly state: RevisionFormState;
  /** the place of the field that has the cursor, or had it last */
  readonly current: string | null;
}

/**
 * The fields that both the clerk and somebody else have changed since the form was opened. Once none is left, as the
 * clerk has restored them, the form takes the newer version over; not under the cursor.
 */
export function useNewerVersion({
  archive,
  read,
  state,
  current,
}: NewerVersionOptions): Comparison['conflicts'] {
  const { form, base, conflict, sending, catchUp } = state;
  const isBehind = conflict === null && read.etag !== base.etag && sending === null;
  // Whether a conflict is left depends on what is typed.
  useWatch({ control: form.control, disabled: !isBehind });
  const newer = isBehind ? compare(archive, base.revision, read.revision, state.edits()) : null;
  const isSettled =
    newer !== null &&
    newer.conflicts.length === 0 &&
    newer.taken.every(({ place }) => place !== current);
  const takeOver = useEffectEvent(catchUp);
  useEffect(() => {
    if (isSettled) takeOver();
  }, [isSettled]);
  return newer?.conflicts ?? [];
}
