import * as texts from '#messages/field-review.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { nameKey } from '#shared/rules/names.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { ListView } from '#web/api/list-view.ts';
import { revisionQuery } from '#web/api/revisions.queries.ts';
import { type ArchiveField, fieldsOf, fitsDefinition } from '#web/fields/index-data.ts';
import { Empty } from '#web/ui/empty.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { Kbd } from '#web/ui/kbd.tsx';
import { notify } from '#web/ui/notify.ts';
import { matches, useShortcut } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { type Correction, type CorrectionsFile, correctionsFile } from './corrections-file.ts';
import area from '#web/ui/work-area.module.css';
import { useLatest } from '#web/ui/use-latest.ts';
import classes from './field-review.module.css';
import { ReviewBar } from './review-bar.tsx';
import { type CardActions, ReviewCard } from './review-card.tsx';
import { REVIEW_KEYS } from './review-keys.ts';
import type { ReviewMarks } from './review-marks.ts';
import { reviewedIdsQuery } from './review.queries.ts';
import { NO_ANSWER, type ReviewDrafts, useReview } from './use-review.ts';
import { useReviewChoices } from './use-review-choices.ts';

/** Records per page. */
const GROUP_SIZE = 24;

interface FieldReviewProps {
  readonly archive: ArchiveDetail;
  readonly field: ArchiveField;
  /** the list that selects the records */
  readonly view: ListView;
  readonly drafts: ReviewDrafts;
  readonly marks: ReviewMarks;
  /** plans the corrections as a bulk edit and shows the plan */
  readonly onPlan: (file: CorrectionsFile, ids: readonly string[]) => void;
  readonly isPlanning: boolean;
  readonly onField: (name: string) => void;
  readonly onOpen: (id: string) => void;
  readonly renderCutOut: (revision: RevisionDetail) => ReactNode;
}

/** One field of many records, each with the part of its document that contains the field. */
export function FieldReview(props: FieldReviewProps) {
  const { archive, field, view } = props;
  const { data: ids, error, refetch } = useQuery(reviewedIdsQuery(archive.table, view));
  if (error) {
    return <QueryError query={{ error, refetch }} title={texts.recordsNotRead} />;
  }
  if (!ids) return <Spinner size={22} />;
  if (ids.length === 0) return <Empty title={texts.noRecords} />;
  const fields = reviewedFields(archive, field);
  // What was typed into fields that are renamed now is no answer about the others.
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

function Records(props: FieldReviewProps & { readonly ids: readonly string[] }) {
  const { archive, field, ids, drafts, marks, onPlan, isPlanning, onOpen, renderCutOut } = props;
  const fields = useMemo(() => reviewedFields(archive, field), [archive, field]);
  const client = useQueryClient();
  const review = useReview({ fields, ids, drafts, marks });
  const choices = useReviewChoices(fields, review);
  const [isSettling, setIsSettling] = useState(false);
  const [current, setCurrent] = useState(0);
  const [isLarge, setIsLarge] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const group = Math.floor(current / GROUP_SIZE);
  const shown = ids.slice(group * GROUP_SIZE, (group + 1) * GROUP_SIZE);
  /** the record to focus once it is rendered */
  const pendingFocusId = useRef<string | null>(ids[0] ?? null);
  useEffect(() => {
    const id = pendingFocusId.current;
    if (id === null) return;
    pendingFocusId.current = null;
    cardOf(list.current, id)?.focus();
  });
  const goTo = (at: number) => {
    const to = Math.max(0, Math.min(ids.length - 1, at));
    const id = ids[to];
    if (id === undefined) return;
    const card = cardOf(list.current, id);
    if (card) card.focus();
    else pendingFocusId.current = id;
    setCurrent(to);
  };
  const goToId = (id: string | null) => {
    if (id !== null) goTo(ids.indexOf(id));
  };
  const goToGroup = (to: number) => {
    if (to >= 0 && to * GROUP_SIZE < ids.length) goTo(to * GROUP_SIZE);
  };
  // The same object in each render, so that a key press renders only one card.
  const actions = useLatest<CardActions>({
    ...review,
    choicesOf: choices.choicesOf,
    entered: (id) => setCurrent(Math.max(0, ids.indexOf(id))),
    step: (id, by) => goTo(ids.indexOf(id) + by),
    openRecord: onOpen,
  });
  /** The same version with the values of renamed fields, which a draft from before does not have. */
  const withAllFields = async (correction: Correction): Promise<Correction> => {
    const { revision, etag } = correction.base;
    if (fitsDefinition(revision, archive)) return correction;
    const read = await client.query({
      ...revisionQuery(archive.table, revision.revisionId),
      staleTime: 0,
    });
    return { ...correction, base: { ...read, etag } };
  };
  const plan = async () => {
    if (isPlanning || isSettling) return;
    if (choices.isPending()) {
      setIsSettling(true);
      await choices.settle();
      setIsSettling(false);
      // The user has left the page meanwhile.
      if (list.current === null) return;
    }
    const corrections = review.corrections();
    const corrected = corrections.map(({ base }) => base.revision.revisionId);
    const wrong = corrections.find(({ problem }) => problem !== null)?.base.revision.revisionId;
    if (wrong !== undefined) {
      notify(texts.mendFirst(wrong));
      goToId(wrong);
    } else if (corrections.length > 0) {
      setIsSettling(true);
      try {
        const complete = await Promise.all(corrections.map(withAllFields));
        if (list.current !== null) onPlan(correctionsFile(complete, fields), corrected);
      } catch (error) {
        notify(texts.notPlanned(summary(toFailure(error))));
      }
      setIsSettling(false);
    }
  };
  useShortcut(REVIEW_KEYS.plan, () => void plan());
  useShortcut(REVIEW_KEYS.undo, () => goToId(review.undo()), { inFields: false });
  useShortcut(REVIEW_KEYS.redo, () => goToId(review.redo()), { inFields: false });
  useShortcut(REVIEW_KEYS.nextGroup, () => goToGroup(group + 1), { inFields: true });
  useShortcut(REVIEW_KEYS.previousGroup, () => goToGroup(group - 1), { inFields: true });
  useShortcut(REVIEW_KEYS.larger, () => setIsLarge(!isLarge));
  useShortcut(REVIEW_KEYS.open, () => {
    const id = ids[current];
    if (id !== undefined) onOpen(id);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
    if (event.target.dataset['card'] === undefined) return;
    const by = stepOf(event, columnsOf(list.current));
    if (by === null) return;
    event.preventDefault();
    goTo(current + by);
  };
  const answers = [...review.answers.values()];
  const right = answers.filter(({ isRight }) => isRight).length;
  const count = answers.filter(({ edits }) => edits.size > 0).length;
  return (
    <div className={`${area.area} ${classes.review}`} data-large={isLarge || undefined}>
      <ReviewBar
        archive={archive}
        field={field}
        onField={props.onField}
        first={group * GROUP_SIZE + 1}
        last={group * GROUP_SIZE + shown.length}
        total={ids.length}
        onStep={(by) => goToGroup(group + by)}
        right={right}
        corrected={count}
        isLarge={isLarge}
        onLarge={setIsLarge}
        onPlan={() => void plan()}
        isPlanning={isPlanning || isSettling}
      />
      <div
        ref={list}
        className={classes.cards}
        role="grid"
        tabIndex={-1}
        aria-label={texts.records(field.label)}
        onKeyDown={onKeyDown}
      >
        {shown.map((id, at) => (
          <ReviewCard
            key={id}
            archive={archive.table}
            id={id}
            fields={fields}
            answer={review.answers.get(id) ?? NO_ANSWER}
            isCurrent={group * GROUP_SIZE + at === current}
            actions={actions}
            renderCutOut={renderCutOut}
          />
        ))}
      </div>
      <p className={classes.hints}>
        <Hint keys={REVIEW_KEYS.right} does={texts.hints.right} />
        <span>{texts.hints.type}</span>
        <Hint keys={REVIEW_KEYS.next} does={texts.hints.next} />
        <Hint keys={REVIEW_KEYS.previous} does={texts.hints.previous} />
        <Hint keys={REVIEW_KEYS.undo} does={texts.hints.undo} />
        <Hint keys={REVIEW_KEYS.nextGroup} does={texts.hints.nextGroup} />
        <Hint keys={REVIEW_KEYS.larger} does={texts.hints.larger} />
      </p>
    </div>
  );
}

function Hint({ keys, does }: { readonly keys: string; readonly does: string }) {
  return (
    <span>
      <Kbd keys={keys} /> {does}
    </span>
  );
}

function cardOf(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return [...(list?.querySelectorAll<HTMLElement>('[data-card]') ?? [])].find(
    ({ dataset }) => dataset['card'] === id,
  );
}

/** The number of cards per row. */
function columnsOf(list: HTMLElement | null): number {
  if (!list) return 1;
  return getComputedStyle(list).gridTemplateColumns.split(' ').length;
}

/** The number of cards by which a key moves; null: it does not move. */
function stepOf(event: KeyboardEvent, columns: number): number | null {
  if (matches(REVIEW_KEYS.next, event) || matches('ArrowRight', event)) return 1;
  if (matches(REVIEW_KEYS.previous, event) || matches('ArrowLeft', event)) return -1;
  if (matches('ArrowDown', event)) return columns;
  return matches('ArrowUp', event) ? -columns : null;
}
