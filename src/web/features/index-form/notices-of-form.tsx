import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { readHistory } from '#web/api/history.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/paths.ts';
import { useNameOf } from '#web/api/people.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { LockIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import classes from './index-form.module.css';
import type { Merged } from './use-revision-form.ts';

/** Says who holds the revision. */
export function LockNotice({
  locked,
  mine,
}: {
  readonly locked: RevisionDetail['locked'];
  readonly mine: boolean;
}) {
  const nameOf = useNameOf();
  if (!locked) return null;
  return (
    <p className={classes.notice} data-kind={mine ? 'quiet' : undefined}>
      <LockIcon size={14} />
      <span>
        {mine
          ? `You have locked this revision since ${localInstant(locked.at)}; nobody else can change it.`
          : `${nameOf(locked.by)} has locked this revision since ${localInstant(locked.at)}.`}
      </span>
    </p>
  );
}

/** Somebody changed fields that the clerk has not; theirs stand in the form. */
export function MergedNotice({
  merged,
  editing,
}: {
  readonly merged: Merged;
  readonly editing: boolean;
}) {
  const byUser = new Map<string, { readonly labels: string[]; at: string }>();
  for (const { label, by, at } of merged.values()) {
    const one = byUser.get(by) ?? { labels: [], at };
    one.labels.push(label);
    if (at > one.at) one.at = at;
    byUser.set(by, one);
  }
  const sentences = [...byUser].map(
    ([by, { labels, at }]) => `${by} changed ${labels.join(', ')} at ${localInstant(at)}`,
  );
  return (
    <p className={classes.notice} data-kind="quiet" role="status">
      {sentences.join('; ')}
      {editing ? '; your changes stay on top.' : '.'}
    </p>
  );
}

/** The revision was deleted while it stood in the form. */
export function GoneNotice({
  archive,
  revisionId,
}: {
  readonly archive: string;
  readonly revisionId: string;
}) {
  const { data: history } = useQuery({
    queryKey: [...archiveKeys.history(archive, revisionId), 'deletion'],
    queryFn: ({ signal }) => readHistory(apiPaths.revisionHistory(archive, revisionId), signal),
  });
  const [deletion] = history ?? [];
  const nameOf = useNameOf();
  return (
    <p className={classes.notice} data-kind="wrong" role="alert">
      {deletion
        ? `${nameOf(deletion.user)} has deleted this revision, ${localInstant(deletion.at)}.`
        : 'This revision is deleted.'}
    </p>
  );
}

/** Somebody saved other values where the clerk is editing; saving will ask, comparing can be done at once. */
export function ChangedNotice({
  theirs,
  labels,
  onCompare,
}: {
  readonly theirs: RevisionDetail;
  readonly labels: readonly string[];
  readonly onCompare: () => void;
}) {
  return (
    <div className={classes.notice}>
      <span>
        <PersonName username={theirs.changedBy} /> changed {labels.join(', ')}, too, at{' '}
        {localInstant(theirs.changedAt)}.
      </span>
      <Button variant="default" size="compact-xs" onClick={onCompare}>
        Compare
      </Button>
    </div>
  );
}

interface FailureNoticeProps {
  readonly failure: ApiFailure;
  readonly locked: RevisionDetail['locked'];
  /** saves what was typed in another way */
  readonly typed?: ReactNode;
  /** whether a place has a field in the form, where its messages stand */
  readonly atField: (place: string) => boolean;
  readonly placeLabel: (place: string) => string | undefined;
}

/** Why the last write failed; messages about a field are shown there. */
export function FailureNotice({ failure, locked, typed, atField, placeLabel }: FailureNoticeProps) {
  const nameOf = useNameOf();
  const says = (title: string) => (
    <div className={classes.refused}>
      <ErrorPanel error={failure} title={title} placeLabel={placeLabel} />
      {typed}
    </div>
  );
  if (failure.kind !== 'api') return says('Not saved; your changes are kept');
  switch (failure.status) {
    case 403:
      return says('You may not change this revision');
    case 404:
      return says('This revision was not found');
    case 409:
      return says('This cannot be saved as it stands');
    case 423:
      return says(
        locked
          ? `Locked by ${nameOf(locked.by)} since ${localInstant(locked.at)}`
          : 'Somebody has locked this revision',
      );
    case 422:
      return Object.keys(failure.errors).every(atField) ? (
        <p className={classes.notice} role="alert" data-kind="wrong">
          Not saved: see the fields marked below.
        </p>
      ) : (
        says('Not saved')
      );
    default:
      return says('Not saved; your changes are kept');
  }
}
