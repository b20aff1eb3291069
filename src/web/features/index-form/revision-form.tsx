import * as findingTexts from '#messages/findings.ts';
import * as texts from '#messages/index-form.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNameOf } from '#web/api/display-names.queries.ts';
import { fieldAt } from '#web/fields/index-data.ts';
import { useIsSeenAs } from '#web/api/session.queries.ts';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { notify } from '#web/ui/notify.ts';
import { usePresence } from '#web/presence/use-presence.ts';
import { undoHistoryOf } from '#web/undo/undo-history.ts';
import { useUndo } from '#web/undo/use-undo.ts';
import { actOnKey } from './act-on-key.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { CopyEditsButton } from './copy-edits-button.tsx';
import { FileList } from './file-list.tsx';
import { RevisionFields } from './revision-fields.tsx';
import { RevisionExceptionDialog } from './findings/revision-exception-dialog.tsx';
import { focusField, isTypingInDialog, fieldPathOf } from './form-focus.ts';
import { FormFoot, ReadOnlyFoot } from './form-foot.tsx';
import { FormHead } from './form-head.tsx';
import { type FormKey, useFormKeys } from './form-keys.ts';
import type { FormContext } from './form-context.ts';
import { labelOf } from './form-values.ts';
import classes from './index-form.module.css';
import { inputAssistOf } from './input-assist.ts';
import { KeyHints } from './key-hints.tsx';
import { NoticeStack } from './notice-stack.tsx';
import {
  ChangedNotice,
  FailureNotice,
  DeletedNotice,
  LockNotice,
  MergedNotice,
} from './form-notices.tsx';
import type { RemoteChangeMark } from './field-notes.tsx';
import { MeaningChoice } from './meaning-choice.tsx';
import { RequestPanel } from './request-panel.tsx';
import { stepOfSave } from './revert-save.ts';
import { carriedOverInto, type CarriedOverValues } from './carried-over-values.ts';
import { CarriedOverBar } from './carried-over-bar.tsx';
import { useTypedChoices } from './typed-choices.ts';
import { useInputAssist } from './use-input-assist.ts';
import { useNewerVersion } from './use-newer-version.ts';
import { useRevisionForm } from './use-revision-form.ts';
import { useSave } from './use-save.ts';
import { useHighlightedValue } from './use-highlighted-value.ts';

interface RevisionFormProps extends FormContext {
  readonly read: RevisionRead;
  /** whether it was deleted since it was loaded */
  readonly isDeleted: boolean;
  readonly requestShown: boolean;
  readonly onRequestShown: (shown: boolean) => void;
}

/** Why a revision cannot be changed; the first that applies is shown. */
const READ_ONLY_REASONS = ['gone', 'seenAs', 'rights', 'locked'] as const;

/** The form of one revision. Use the revision's id as key. */
export function RevisionForm(props: RevisionFormProps) {
  const { archive, read, isDeleted, listPosition, username, queue = null } = props;
  const { revisionId, locked } = read.revision;
  const isLockedByOther = locked !== null && locked.by !== username && !props.administrator;
  const isSeenAs = useIsSeenAs();
  const mayWrite = archive.rights !== 'read' && !isSeenAs;
  const reasons = {
    gone: isDeleted,
    seenAs: isSeenAs,
    rights: !mayWrite,
    locked: isLockedByOther,
  };
  const readOnlyReason = READ_ONLY_REASONS.find((reason) => reasons[reason]);
  const isReadOnly = readOnlyReason !== undefined;
  const client = useQueryClient();
  const nameOf = useNameOf();
  const inputAssist = inputAssistOf(client, username, archive.table);
  const [carriedOverValues] = useState<CarriedOverValues>(() =>
    isReadOnly
      ? new Map()
      : carriedOverInto(archive, read.revision, inputAssist.carriedOver(queue)),
  );
  const history = undoHistoryOf(client, username, archive.table);
  // The fields in which the browser has its own undo.
  const typedIn = useRef(new Set<string>());
  const state = useRevisionForm({
    archive,
    read,
    drafts: props.drafts,
    isReadOnly,
    onSaved: ({ base: before }, after) => {
      typedIn.current.clear();
      const of = { client, username, archive, revisionId };
      history.push(stepOfSave(of, before.revision, after), revisionId);
    },
    carriedOverValues,
  });
  const undo = useUndo({
    history,
    shownId: revisionId,
    onOpen: props.onOpen,
    onReverted: props.onSaveStateChange,
  });
  const { form, fields, base, edited, failure, conflict, merged } = state;
  const { revision } = base;
  const [current, setCurrent] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const goTo = (to: string | null) => focusField(body.current, to);
  const viewers = usePresence('archive', archive.table, revisionId, edited.size > 0 && !isReadOnly);

  const isEditable = !isReadOnly && conflict === null;
  useEffect(() => () => inputAssist.setCurrentField(null), [inputAssist]);
  useHighlightedValue(archive, form, fields, current, inputAssist);
  const choices = useTypedChoices(archive, form);
  const assist = useInputAssist({
    archive,
    fields,
    inputAssist,
    queue,
    form,
    revision,
    edits: state.edits,
    carriedOverValues,
    current,
    isEditable,
    goTo,
  });

  const focusOnMount = useEffectEvent((to: string | null) => {
    if (!isTypingInDialog()) focusField(body.current, to, props.focusSelects);
    props.onFocused();
  });
  const { focusOn } = props;
  useEffect(() => {
    if (focusOn !== undefined) focusOnMount(focusOn);
  }, [focusOn]);

  const { save, saveAgain } = useSave({
    ...props,
    state,
    isReadOnly,
    choices,
    history,
    isShown: () => body.current !== null,
    onSubmitted: assist.saved,
  });
  const move = (by: 1 | -1) => {
    if (document.activeElement && body.current?.contains(document.activeElement)) {
      props.onEnterNext();
    }
    props.onMove(by);
  };
  const restoreAll = () => {
    state.restoreAll();
    assist.restoredAll();
    // The button is removed with the edits; the focus must not be lost with it.
    goTo(current);
  };
  const undoByButton = async () => {
    await undo.undo();
    if (document.activeElement === document.body) goTo(current);
  };
  const leaveConflict = () => {
    state.setConflict(null);
    requestAnimationFrame(() => goTo(current));
  };
  /** The first one at the focused field, else the first one in the form: only visible suggestions are applied. */
  const applySuggestion = () => {
    const all = body.current?.querySelectorAll<HTMLElement>('[data-suggestion]') ?? [];
    const first = [...all].find((button) => fieldPathOf(button) === current) ?? all[0];
    if (first) first.click();
    else notify(findingTexts.noSuggestion);
  };
  const toggleRequest = () => props.onRequestShown(!props.requestShown);
  const act = (key: FormKey) =>
    actOnKey(key, {
      save,
      move,
      restoreAll,
      suggestion: applySuggestion,
      request: toggleRequest,
      back: props.onBack,
      assist,
      undo,
      readOnly: isReadOnly,
      editable: isEditable,
      sending: state.sending !== null,
    });
  const onKeyDownCapture = useFormKeys(act, conflict === null, (target) =>
    typedIn.current.has(fieldPathOf(target) ?? ''),
  );

  const open = useNewerVersion({ archive, read, state, current });
  const marks = new Map<string, RemoteChangeMark>(merged);
  for (const { path: at, theirs } of open) {
    marks.set(at, { by: nameOf(read.revision.changedBy), at: read.revision.changedAt, theirs });
  }
  const copyTyped = edited.size > 0 && <CopyEditsButton archive={archive} edits={state.edits} />;
  const currentField = current === null ? undefined : fieldAt(archive, current);
  return (
    <>
      <form
        noValidate
        className={classes.form}
        onKeyDownCapture={onKeyDownCapture}
        onSubmit={(event) => {
          event.preventDefault();
          // Enter belongs to the editors: it never saves the form.
          if (!(document.activeElement instanceof HTMLInputElement)) void save('PATCH', false);
        }}
      >
        <FormHead
          revisionId={revisionId}
          listPosition={listPosition}
          onMove={move}
          onClose={props.onClose}
          lock={
            mayWrite && !isLockedByOther
              ? {
                  isLocked: locked !== null,
                  busy: state.sending !== null,
                  set: (held) =>
                    void state.setLock(
                      held ? { by: username, at: new Date().toISOString() } : null,
                    ),
                }
              : undefined
          }
          preview={props.preview}
          viewers={viewers}
        />
        <div
          ref={body}
          role="presentation"
          className={classes.body}
          onInputCapture={({ target }) => {
            const at = fieldPathOf(target) ?? '';
            typedIn.current.add(at);
            choices.typed(at.replace('indexFields.', ''));
          }}
          onBlurCapture={() => {
            if (choices.isPending()) void choices.settle();
          }}
          onFocusCapture={(event) => {
            const at = fieldPathOf(event.target);
            if (at === null) return;
            setCurrent(at);
            inputAssist.setCurrentField(labelOf(archive, at) ?? null);
            props.onFieldFocus(at);
          }}
        >
          {conflict ? (
            <ConflictPanel
              archive={archive}
              base={base}
              theirs={conflict.theirs}
              edits={state.edits()}
              submitLabel={conflict.method === null ? texts.takeValues : texts.saveValues}
              onResolve={(settled) => {
                state.rebaseOn(conflict.theirs, settled);
                leaveConflict();
                if (conflict.method !== null) void saveAgain(conflict.method);
              }}
              onCancel={leaveConflict}
            />
          ) : (
            <>
              <NoticeStack scroller={body} content={content}>
                <LockNotice locked={locked} mine={locked?.by === username} />
                {isDeleted && <DeletedNotice archive={archive.table} revisionId={revisionId} />}
                {merged.size > 0 && <MergedNotice merged={merged} editing={edited.size > 0} />}
                {open.length > 0 && (
                  <ChangedNotice
                    theirs={read.revision}
                    labels={open.map(({ label }) => label)}
                    onCompare={() => state.setConflict({ theirs: read, method: null })}
                  />
                )}
                {failure && (
                  <FailureNotice
                    failure={failure}
                    editsCopy={copyTyped}
                    locked={locked}
                    hasField={(at) => fieldAt(archive, at) !== undefined}
                    pathLabel={(at) => labelOf(archive, at)}
                  />
                )}
              </NoticeStack>
              <div ref={content} className={classes.content}>
                <RevisionFields
                  archive={archive}
                  fields={fields}
                  revision={revision}
                  form={form}
                  readOnly={isReadOnly}
                  marks={marks}
                  assist={assist}
                  findings={state.findings}
                  choices={choices}
                  inputAssist={inputAssist}
                  current={current}
                />
                <FileList archive={archive.table} revision={revision} />
                {props.renderBelow?.(isEditable ? assist.putStored : undefined)}
              </div>
            </>
          )}
        </div>
        {!isReadOnly && (
          <CarriedOverBar
            archive={archive}
            carriedOver={assist.carriedOver}
            onStop={assist.actions.toggleCarryOver}
          />
        )}
        {assist.question && (
          <MeaningChoice
            key={`${assist.question.path} ${assist.question.written}`}
            question={assist.question}
            archive={archive}
            onAnswer={assist.answer}
          />
        )}
        {props.requestShown && isEditable && (
          <RequestPanel archive={archive} base={base} fields={fields} control={form.control} />
        )}
        {isEditable && (
          <FormFoot
            changed={edited.size}
            saved={undo.lastRecord}
            hint={currentField?.definition?.description ?? ''}
            hasHints={archive.indexFieldDefinitions.some(({ description }) => description !== '')}
            sending={state.sending}
            requestShown={props.requestShown}
            onRequest={toggleRequest}
            onSave={(method, next) => void save(method, next)}
            onRestore={restoreAll}
            undoLabel={undo.step?.label}
            onUndo={() => void undoByButton()}
            keyHints={
              <KeyHints
                assist={assist}
                findings={state.findings}
                onSuggestion={applySuggestion}
                control={form.control}
                current={current}
                label={currentField?.label ?? ''}
                isEdited={current !== null && edited.has(current)}
              />
            }
          />
        )}
        {readOnlyReason && (
          <ReadOnlyFoot why={readOnlyReason}>{!failure && copyTyped}</ReadOnlyFoot>
        )}
      </form>
      <RevisionExceptionDialog findings={state.findings} goTo={goTo} />
    </>
  );
}
