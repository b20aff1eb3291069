import * as texts from '#messages/index-form.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { revisionHistoryQuery } from '#web/api/revisions.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { LockIcon } from '#web/ui/icons.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import classes from './index-form.module.css';
import { labelOf } from './form-values.ts';
import { NoticeStack } from './notice-stack.tsx';
import type { FormModel, RevisionFormProps } from './use-form-model.ts';
import type { FieldMerges } from './use-revision-form.ts';

export interface RevisionNoticesProps extends Pick<
  RevisionFormProps,
  'latest' | 'isDeleted' | 'username'
> {
  readonly model: FormModel;
  /** an alternative way to save the edits */
  readonly editsCopy: ReactNode;
  /** the element with the fields, in that of the model that scrolls them */
  readonly content: RefObject<HTMLElement | null>;
}

/** Notices about the revision, above or below its fields. */
export function RevisionNotices(props: RevisionNoticesProps) {
  const { model, latest, username } = props;
  const { archive, state, openConflicts } = model;
  const { revisionId, locked } = latest.revision;
  const { merged, failure, setConflict } = state;
  return (
    <NoticeStack scroller={model.focus.body} content={props.content}>
      <LockNotice locked={locked} mine={locked?.by === username} />
      {props.isDeleted && <DeletedNotice archive={archive.table} revisionId={revisionId} />}
      {merged.size > 0 && <MergedNotice merged={merged} editing={state.edited.size > 0} />}
      {openConflicts.length > 0 && (
        <ChangedNotice
          theirs={latest.revision}
          labels={openConflicts.map(({ label }) => label)}
          onCompare={() => setConflict({ theirs: latest, method: null })}
        />
      )}
      {failure && (
        <FailureNotice
          failure={failure}
          locked={locked}
          editsCopy={props.editsCopy}
          archive={archive}
        />
      )}
    </NoticeStack>
  );
}

/** Who has locked the revision. */
function LockNotice({
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
          ? texts.lockedByYou(localInstant(locked.at))
          : texts.lockedBy({ by: nameOf(locked.by), at: localInstant(locked.at) })}
      </span>
    </p>
  );
}

/** Another user has changed fields that this user has not; the form contains their values. */
function MergedNotice({
  merged,
  editing,
}: {
  readonly merged: FieldMerges;
  readonly editing: boolean;
}) {
  const byUser = new Map<string, { readonly labels: string[]; at: string }>();
  for (const { label, by, at } of merged.values()) {
    const one = byUser.get(by) ?? { labels: [], at };
    one.labels.push(label);
    if (at > one.at) one.at = at;
    byUser.set(by, one);
  }
  const changes = [...byUser].map(([by, { labels, at }]) =>
    texts.mergedChange({ by, labels: labels.join(', '), at: localInstant(at) }),
  );
  return (
    <p className={classes.notice} data-kind="quiet" role="status">
      {texts.merged({ changes: changes.join('; '), isEditing: editing })}
    </p>
  );
}

/** The revision was deleted while its form was open. */
function DeletedNotice({
  archive,
  revisionId,
}: {
  readonly archive: string;
  readonly revisionId: string;
}) {
  const { data: history } = useQuery(revisionHistoryQuery(archive, revisionId, 'deletion'));
  const [deletion] = history ?? [];
  const nameOf = useNameOf();
  return (
    <p className={classes.notice} data-kind="wrong" role="alert">
      {deletion
        ? texts.deletedBy({ by: nameOf(deletion.user), at: localInstant(deletion.at) })
        : texts.deleted}
    </p>
  );
}

/**
 * Another user has saved other values of fields that this user is editing. Saving will show the conflict; the user can
 * compare the values at once.
 */
function ChangedNotice({
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
        <RichText
          text={texts.changedToo(<PersonName key="by" username={theirs.changedBy} />, {
            labels: labels.join(', '),
            at: localInstant(theirs.changedAt),
          })}
        />
      </span>
      <Button variant="default" size="compact-xs" onClick={onCompare}>
        {texts.compare}
      </Button>
    </div>
  );
}

interface FailureNoticeProps {
  readonly failure: ApiFailure;
  readonly locked: RevisionDetail['locked'];
  /** an alternative way to save the edits */
  readonly editsCopy: ReactNode;
  readonly archive: ArchiveDetail;
}

/** Why the last write failed; messages for a field are shown at the field. */
function FailureNotice({ failure, locked, editsCopy, archive }: FailureNoticeProps) {
  const nameOf = useNameOf();
  const pathLabel = (path: string) => labelOf(archive, path);
  const panel = (title: string) => (
    <div className={classes.refused}>
      <ErrorPanel error={failure} title={title} pathLabel={pathLabel} />
      {editsCopy}
    </div>
  );
  const status = failure.kind === 'api' ? failure.status : null;
  if (status === 423) {
    return panel(
      locked
        ? texts.isLockedBy({ by: nameOf(locked.by), at: localInstant(locked.at) })
        : texts.isLocked,
    );
  }
  if (failure.kind === 'api' && status === 422) {
    return Object.keys(failure.errors).every((path) => pathLabel(path) !== undefined) ? (
      <p className={classes.notice} role="alert" data-kind="wrong">
        {texts.seeFields}
      </p>
    ) : (
      panel(texts.notSaved)
    );
  }
  return panel((status === null ? undefined : TITLES.get(status)) ?? texts.notSavedKept);
}

/** The title of the error panel, by the status of the response. */
const TITLES: ReadonlyMap<number, string> = new Map([
  [403, texts.notAllowed],
  [404, texts.notFound],
  [409, texts.cannotBeSaved],
]);
