import * as texts from '#messages/field-review.ts';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { findByName } from '#shared/rules/names.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import { type VersionedRevision, revisionQuery } from '#web/api/revisions.queries.ts';
import { fieldValueText, formatFieldValue, toFieldValue } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import type { LookUpAutofill } from '#web/fields/look-up-autofill.ts';
import { isList } from '#web/fields/value-checks.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { OldValue } from '#web/ui/field.tsx';
import { CheckIcon, ContinueIcon, LockIcon } from '#web/ui/icons.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './field-review.module.css';
import { REVIEW_KEYS } from './review-keys.ts';
import { keyLabel, matches, typesCharacter } from '#web/ui/shortcuts.ts';
import { type ReviewAnswer, problemIn, type Review, reviewedValue } from './use-review.ts';

/** The actions of the page for its cards. */
export interface CardActions extends Pick<
  Review,
  'type' | 'fill' | 'typed' | 'setRight' | 'restore' | 'settle'
> {
  readonly choicesOf: (loaded: VersionedRevision) => LookUpAutofill;
  /** the card has received the focus */
  readonly entered: (id: string) => void;
  readonly step: (id: string, by: 1 | -1) => void;
  readonly openRecord: (id: string) => void;
}

interface ReviewCardProps {
  /** the archive's table name */
  readonly archive: string;
  readonly id: string;
  /** the field, then those that a choice in its editor fills */
  readonly fields: readonly ArchiveField[];
  readonly answer: ReviewAnswer;
  /** whether it is the Tab stop */
  readonly isCurrent: boolean;
  /** the present ones; the same object in each render */
  readonly actions: RefObject<CardActions>;
  readonly renderClipping: (revision: RevisionDetail) => ReactNode;
}

/** One record: the part of its document that contains the field, and the value next to it. */
export const ReviewCard = memo(function ReviewCard(props: ReviewCardProps) {
  const { archive, id, fields, answer, isCurrent, actions, renderClipping } = props;
  const { data: loaded, error } = useQuery(revisionQuery(archive, id));
  useEffect(() => {
    if (loaded) actions.current.settle(loaded);
  }, [loaded, actions]);
  const card = useRef<HTMLDivElement>(null);
  const [field] = fields;
  const problem = problemIn(fields, answer);
  const state = answer.edits.size > 0 ? 'corrected' : answer.isRight ? 'right' : undefined;
  const editor = () =>
    card.current?.querySelector<HTMLInputElement>('[data-editor] :is(input, textarea)');
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.defaultPrevented || event.target !== event.currentTarget) return;
    if (matches(REVIEW_KEYS.right, event)) {
      event.preventDefault();
      // A record that is not loaded cannot be marked: the key must not pass it.
      if (!loaded) return;
      actions.current.setRight(loaded, true);
      actions.current.step(id, 1);
    } else if (matches(REVIEW_KEYS.edit, event)) {
      event.preventDefault();
      const element = editor();
      element?.focus();
      element?.setSelectionRange(element.value.length, element.value.length);
    } else if (typesCharacter(event) || event.key === 'Backspace' || event.key === 'Delete') {
      // The key itself goes into the editor and replaces its content.
      editor()?.focus();
      editor()?.select();
    }
  };
  const label = field?.label ?? '';
  return (
    <div
      ref={card}
      role="row"
      className={classes.card}
      data-card={id}
      data-state={state}
      data-current={isCurrent || undefined}
      aria-label={texts.card({ id, label, state })}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => actions.current.entered(id)}
      onKeyDown={onKeyDown}
    >
      <div role="gridcell" className={classes.clipping}>
        {loaded && renderClipping(loaded.revision)}
      </div>
      <div role="gridcell" className={classes.value}>
        <Head {...props} loaded={loaded} />
        {loaded && field && (
          <Editor {...props} loaded={loaded} field={field} problem={problem} card={card} />
        )}
        {!loaded && error && (
          <p className={`${shared.wrong} ${classes.problem}`} role="alert">
            {notRead(error)}
          </p>
        )}
        {problem !== null && (
          <p className={`${shared.wrong} ${classes.problem}`} role="alert">
            {problem}
          </p>
        )}
        {loaded && field && problem === null && answer.edits.has(field.path) && (
          <p className={`${shared.muted} ${shared.truncated} ${classes.was}`}>
            {texts.was}{' '}
            <OldValue
              value={formatFieldValue(
                field.definition,
                toFieldValue(field.definition, storedIn(loaded.revision, field)),
                { grouped: true },
              )}
            />
          </p>
        )}
      </div>
    </div>
  );
});

interface HeadProps extends Pick<ReviewCardProps, 'id' | 'answer' | 'actions'> {
  /** undefined: not loaded yet */
  readonly loaded: VersionedRevision | undefined;
}

/** The id of the record, and the buttons to open it and to mark it as right. */
function Head({ id, answer, actions, loaded }: HeadProps) {
  return (
    <div className={classes.head}>
      <span className={`${shared.note} ${classes.id}`}>{id}</span>
      {loaded?.revision.locked && (
        <span className={classes.lock} title={texts.locked}>
          <LockIcon size={12} />
        </span>
      )}
      <IconButton
        size={20}
        tabIndex={-1}
        aria-label={texts.openRecord(id)}
        title={keyLabel(REVIEW_KEYS.open)}
        onClick={() => actions.current.openRecord(id)}
      >
        <ContinueIcon size={13} />
      </IconButton>
      <IconButton
        size={20}
        tabIndex={-1}
        aria-label={texts.markRight(id)}
        aria-pressed={answer.isRight}
        title={keyLabel(REVIEW_KEYS.right)}
        className={classes.right}
        disabled={!loaded || answer.edits.size > 0}
        onClick={() => loaded && actions.current.setRight(loaded, !answer.isRight)}
      >
        <CheckIcon size={13} />
      </IconButton>
    </div>
  );
}

interface EditorProps extends Pick<ReviewCardProps, 'id' | 'fields' | 'answer' | 'actions'> {
  readonly loaded: VersionedRevision;
  readonly field: ArchiveField;
  readonly problem: string | null;
  readonly card: { readonly current: HTMLElement | null };
}

function Editor({ id, fields, answer, actions, loaded, field, problem, card }: EditorProps) {
  const entered = useRef<ReviewAnswer>(answer);
  const { definition, name, path } = field;
  const value = reviewedValue(answer, loaded, field);
  if (!definition || isList(value)) return null;
  const choices = () => actions.current.choicesOf(loaded);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const isLines = event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Escape') {
      choices().chosen(name);
      actions.current.restore(loaded, entered.current);
      card.current?.focus();
    } else if (matches(REVIEW_KEYS.next, event) && !isLines) {
      actions.current.step(id, 1);
    } else if (matches(REVIEW_KEYS.previous, event)) {
      actions.current.step(id, -1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      data-editor
      role="presentation"
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) entered.current = answer;
      }}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return;
        actions.current.typed(loaded, entered.current);
        void choices().settle();
      }}
    >
      <ValueEditor
        key={loaded.etag}
        rules={definition}
        value={value}
        emptyAs={storedIn(loaded.revision, field) === '' ? '' : null}
        control={{
          'aria-label': texts.valueOf({ label: field.label, id }),
          'aria-invalid': problem !== null,
        }}
        onChange={(text) => {
          choices().typed(name);
          actions.current.type(loaded, new Map([[path, text]]));
        }}
        lookUp={{
          onFill: (fills) => {
            choices().chosen(name);
            actions.current.fill(loaded, fills);
          },
          textAt: (other) => {
            const of = findByName(fields, other);
            return of ? fieldValueText(reviewedValue(answer, loaded, of)) : null;
          },
          onEnter: () => actions.current.step(id, 1),
        }}
      />
    </div>
  );
}

function notRead(error: unknown): string {
  return hasStatus(error, 404) ? texts.gone : texts.notRead(summary(toFailure(error)));
}
