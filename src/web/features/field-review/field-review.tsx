import * as texts from '#messages/field-review.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { ListView } from '#web/api/list-view.ts';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { type ArchiveField, fieldsOf, fitsDefinition } from '#web/fields/index-data.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { notify, notifyFailure } from '#web/ui/notify.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { type Correction, type CorrectionsFile, correctionsFile } from './corrections-file.ts';
import shared from '#web/ui/shared.module.css';
import { useLatest } from '#web/ui/use-latest.ts';
import classes from './field-review.module.css';
import { ReviewBar } from './review-bar.tsx';
import { type CardActions, ReviewCard } from './review-card.tsx';
import { REVIEW_KEYS } from './review-keys.ts';
import { reviewedIdsQuery } from './review.queries.ts';
import { useCurrentCard } from './use-current-card.ts';
import { NO_ANSWER, type ReviewDrafts, useReview } from './use-review.ts';
import { useReviewChoices } from './use-review-choices.ts';

interface FieldReviewProps {
  readonly archive: ArchiveDetail;
  readonly field: ArchiveField;
  /** the list that selects the records */
  readonly view: ListView;
  readonly drafts: ReviewDrafts;
  /** plans the corrections as a bulk edit and shows the plan */
  readonly onPlan: (file: CorrectionsFile, ids: readonly string[]) => void;
  readonly isPlanning: boolean;
  readonly onField: (name: string) => void;
  readonly onOpen: (id: string) => void;
  readonly renderClipping: (revision: RevisionDetail) => ReactNode;
}

/** One field of many records, each with the part of its document that contains the field. */
export function FieldReview(props: FieldReviewProps) {
  const { archive, field, view } = props;
  const { data: ids, error, refetch } = useQuery(reviewedIdsQuery(archive.table, view));
  if (!ids) return <QueryPending query={{ error, refetch }} title={texts.recordsNotRead} />;
  if (ids.length === 0) return <EmptyState title={texts.noRecords} />;
  const fields = reviewedFields(archive, field);
  // After a field is renamed, its marks and corrections are discarded: they must not apply to other fields.
  return <Records key={fields.map(({ path }) => path).join()} {...props} ids={ids} />;
}

/** The field, and those that a choice in its editor fills. */
function reviewedFields(archive: ArchiveDetail, field: ArchiveField): readonly ArchiveField[] {
  const filled = Object.keys(field.definition?.optionsFrom?.fills ?? {}).map(nameKey);
  const others = fieldsOf(archive).filter(
    ({ name, definition, isReadOnly, path }) =>
      definition && !isReadOnly && path !== field.path && filled.includes(nameKey(name)),
  );
  return [field, ...others];
}

interface RecordsProps extends FieldReviewProps {
  readonly ids: readonly string[];
}

function Records(props: RecordsProps) {
  const { archive, field, ids, drafts, onPlan, isPlanning, onOpen, renderClipping } = props;
  const fields = useMemo(() => reviewedFields(archive, field), [archive, field]);
  const review = useReview({ archive: archive.table, fields, ids, drafts });
  const choices = useReviewChoices(fields, review);
  const [isLarge, setIsLarge] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const { current, first, shown, goToId, stepGroup, ...cards } = useCurrentCard(list, ids);
  // The same object in each render, so that a key press renders only one card.
  const actions = useLatest<CardActions>({
    ...review,
    choicesOf: choices.choicesOf,
    entered: cards.entered,
    step: cards.step,
    openRecord: onOpen,
  });
  const client = useQueryClient();
  const [isSettling, setIsSettling] = useState(false);
  const isBusy = isPlanning || isSettling;
  /** Plans the corrections, once the values that choices fill in are known. */
  const plan = async () => {
    if (isBusy) return;
    // The user may leave the page meanwhile.
    const isLeft = () => list.current === null;
    setIsSettling(true);
    try {
      if (choices.isPending()) await choices.settle();
      if (isLeft()) return;
      const corrections = review.corrections();
      const wrong = corrections.find(({ problem }) => problem !== null)?.base.revision.revisionId;
      if (wrong !== undefined) {
        notify(texts.mendFirst(wrong));
        goToId(wrong);
      } else if (corrections.length > 0) {
        const complete = await Promise.all(
          corrections.map((correction) => withAllFields(client, archive, correction)),
        );
        const corrected = corrections.map(({ base }) => base.revision.revisionId);
        if (!isLeft()) onPlan(correctionsFile(complete, fields), corrected);
      }
    } catch (error) {
      notifyFailure(texts.notPlanned(summary(toFailure(error))));
    } finally {
      setIsSettling(false);
    }
  };
  useShortcut(REVIEW_KEYS.plan, () => void plan());
  useShortcut(REVIEW_KEYS.undo, () => goToId(review.undo()), { inFields: false });
  useShortcut(REVIEW_KEYS.redo, () => goToId(review.redo()), { inFields: false });
  useShortcut(REVIEW_KEYS.nextGroup, () => stepGroup(1), { inFields: true });
  useShortcut(REVIEW_KEYS.previousGroup, () => stepGroup(-1), { inFields: true });
  useShortcut(REVIEW_KEYS.larger, () => setIsLarge(!isLarge));
  useShortcut(REVIEW_KEYS.open, () => {
    const id = ids[current];
    if (id !== undefined) onOpen(id);
  });
  const answers = [...review.answers.values()];
  const right = answers.filter(({ isRight }) => isRight).length;
  const count = answers.filter(({ edits }) => edits.size > 0).length;
  return (
    <div className={`${shared.column} ${classes.review}`} data-large={isLarge || undefined}>
      <ReviewBar
        archive={archive}
        field={field}
        onField={props.onField}
        first={first + 1}
        last={first + shown.length}
        total={ids.length}
        onStep={stepGroup}
        right={right}
        corrected={count}
        isLarge={isLarge}
        onLarge={setIsLarge}
        onPlan={() => void plan()}
        isPlanning={isBusy}
      />
      <div
        ref={list}
        className={classes.cards}
        role="grid"
        tabIndex={-1}
        aria-label={texts.records(field.label)}
        onKeyDown={cards.onKeyDown}
      >
        {shown.map((id, at) => (
          <ReviewCard
            key={id}
            archive={archive.table}
            id={id}
            fields={fields}
            answer={review.answers.get(id) ?? NO_ANSWER}
            isCurrent={first + at === current}
            actions={actions}
            renderClipping={renderClipping}
          />
        ))}
      </div>
      <Hints />
    </div>
  );
}

/** The same version with the values of renamed fields, which a draft from before does not have. */
async function withAllFields(
  client: QueryClient,
  archive: ArchiveDetail,
  correction: Correction,
): Promise<Correction> {
  const { revision, etag } = correction.base;
  if (fitsDefinition(revision, archive)) return correction;
  const query = revisionQuery(archive.table, revision.revisionId);
  const loaded = await client.query({ ...query, staleTime: 0 });
  return { ...correction, base: { ...loaded, etag } };
}

function Hints() {
  return (
    <p className={`${shared.note} ${classes.hints}`}>
      <Hint keys={REVIEW_KEYS.right} does={texts.hints.right} />
      <span>{texts.hints.type}</span>
      <Hint keys={REVIEW_KEYS.next} does={texts.hints.next} />
      <Hint keys={REVIEW_KEYS.previous} does={texts.hints.previous} />
      <Hint keys={REVIEW_KEYS.undo} does={texts.hints.undo} />
      <Hint keys={REVIEW_KEYS.nextGroup} does={texts.hints.nextGroup} />
      <Hint keys={REVIEW_KEYS.larger} does={texts.hints.larger} />
    </p>
  );
}

function Hint({ keys, does }: { readonly keys: string; readonly does: string }) {
  return (
    <span>
      <Kbd keys={keys} /> {does}
    </span>
  );
}
