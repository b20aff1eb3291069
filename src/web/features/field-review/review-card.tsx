import * as texts from '#messages/field-review.ts';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { findByName } from '#shared/rules/names.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import { type RevisionRead, revisionQuery } from '#web/api/revisions.queries.ts';
import { fieldValueText, formatFieldValue, toFieldValue } from '#web/fields/field-model.ts';
import { type ArchiveField, storedIn } from '#web/fields/index-data.ts';
import type { LookUpAutofill } from '#web/fields/look-up-autofill.ts';
import { isList } from '#web/fields/value-checks.ts';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { OldValue } from '#web/ui/field.tsx';
import { CheckIcon, ContinueIcon, LockIcon } from '#web/ui/icons.tsx';
import classes from './field-review.module.css';
import { REVIEW_KEYS } from './review-keys.ts';
import { keyLabel, matches, typesCharacter } from '#web/ui/shortcuts.ts';
import { type ReviewAnswer, problemIn, type Review, reviewedValue } from './use-review.ts';

/** The actions of the page for its cards. */
export interface CardActions extends Pick<
  Review,
  'type' | 'fill' | 'typed' | 'setRight' | 'restore' | 'settle'
> {
  readonly choicesOf: (read: RevisionRead) => LookUpAutofill;
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
  const { data: read, error } = useQuery(revisionQuery(archive, id));
  useEffect(() => {
    if (read) actions.current.settle(read);
  }, [read, actions]);
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
      if (!read) return;
      actions.current.setRight(read, true);
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
        {read && renderClipping(read.revision)}
      </div>
      <div role="gridcell" className={classes.value}>
        <div className={classes.head}>
          <span className={classes.id}>{id}</span>
          {read?.revision.locked && (
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
            disabled={!read || answer.edits.size > 0}
            onClick={() => read && actions.current.setRight(read, !answer.isRight)}
          >
            <CheckIcon size={13} />
          </IconButton>
        </div>
        {read && field && (
          <Editor {...props} read={read} field={field} problem={problem} card={card} />
        )}
        {!read && error && (
          <p className={classes.problem} role="alert">
            {notRead(error)}
          </p>
        )}
        {problem !== null && (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        )}
        {read && field && problem === null && answer.edits.has(field.path) && (
          <p className={classes.was}>
            {texts.was}{' '}
            <OldValue
              value={formatFieldValue(
                field.definition,
                toFieldValue(field.definition, storedIn(read.revision, field)),
                { grouped: true },
              )}
            />
          </p>
        )}
      </div>
    </div>
  );
});

interface EditorProps extends Pick<ReviewCardProps, 'id' | 'fields' | 'answer' | 'actions'> {
  readonly read: RevisionRead;
  readonly field: ArchiveField;
  readonly problem: string | null;
  readonly card: { readonly current: HTMLElement | null };
}

function Editor({ id, fields, answer, actions, read, field, problem, card }: EditorProps) {
  const entered = useRef<ReviewAnswer>(answer);
  const { definition, name, path } = field;
  const value = reviewedValue(answer, read, field);
  if (!definition || isList(value)) return null;
  const choices = () => actions.current.choicesOf(read);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const isLines = event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Escape') {
      choices().chosen(name);
      actions.current.restore(read, entered.current);
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
        actions.current.typed(read, entered.current);
        void choices().settle();
      }}
    >
      <ValueEditor
        key={read.etag}
        rules={definition}
        value={value}
        emptyAs={storedIn(read.revision, field) === '' ? '' : null}
        control={{
          'aria-label': texts.valueOf({ label: field.label, id }),
          'aria-invalid': problem !== null,
        }}
        onChange={(text) => {
          choices().typed(name);
          actions.current.type(read, new Map([[path, text]]));
        }}
        lookUp={{
          onFill: (fills) => {
            choices().chosen(name);
            actions.current.fill(read, fills);
          },
          textAt: (other) => {
            const of = findByName(fields, other);
            return of ? fieldValueText(reviewedValue(answer, read, of)) : null;
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
