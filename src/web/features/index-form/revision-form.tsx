import * as texts from '#messages/index-form.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { RevisionRead } from '#web/api/revisions.queries.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { usePresence } from '#web/presence/use-presence.ts';
import { undoHistoryOf } from '#web/undo/undo-history.ts';
import { useUndo } from '#web/undo/use-undo.ts';
import { ConflictPanel } from './conflict-panel.tsx';
import { CopyEditsButton } from './copy-edits-button.tsx';
import { FileList } from './file-list.tsx';
import { RevisionFields } from './revision-fields.tsx';
import { RevisionExceptionDialog } from './findings/revision-exception-dialog.tsx';
import { fieldPathOf } from './form-focus.ts';
import { FormFoot, ReadOnlyFoot } from './form-foot.tsx';
import { FormHead, LockButton } from './form-head.tsx';
import { useFormKeys } from './form-keys.ts';
import type { FormContext } from './form-context.ts';
import classes from './index-form.module.css';
import { inputAssistOf } from './input-assist.ts';
import { RevisionNotices } from './form-notices.tsx';
import { MeaningChoice } from './meaning-choice.tsx';
import { stepOfSave } from './revert-save.ts';
import { carriedOverInto, type CarriedOverValues } from './carried-over-values.ts';
import { CarriedOverBar } from './carried-over-bar.tsx';
import { useTypedChoices } from './use-typed-choices.ts';
import { useFormCommands } from './use-form-commands.ts';
import { useFormFocus } from './use-form-focus.ts';
import { useInputAssist } from './use-input-assist.ts';
import { useNewerVersion } from './use-newer-version.ts';
import { useRevisionAccess } from './use-revision-access.ts';
import { useRevisionForm } from './use-revision-form.ts';
import { useSave } from './use-save.ts';
import { useHighlightedValue } from './use-highlighted-value.ts';

const RequestPanel = lazyComponent(async () => (await import('./request-panel.tsx')).RequestPanel, {
  layout: 'pane',
});

interface RevisionFormProps extends FormContext {
  readonly read: RevisionRead;
  /** whether it was deleted since it was loaded */
  readonly isDeleted: boolean;
  readonly requestShown: boolean;
  readonly onRequestShown: (shown: boolean) => void;
}

/** The form of one revision. Use the revision's id as key. */
export function RevisionForm(props: RevisionFormProps) {
  const { archive, read, isDeleted, username, queue = null } = props;
  const { revisionId } = read.revision;
  const { readOnlyReason, mayLock } = useRevisionAccess(props);
  const isReadOnly = readOnlyReason !== undefined;
  const client = useQueryClient();
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
  const { form, fields, base, edited, conflict, isEditable } = state;
  const undo = useUndo({
    history,
    shownId: revisionId,
    onOpen: props.onOpen,
    onReverted: props.onSaveStateChange,
  });
  const focus = useFormFocus({ ...props, inputAssist });
  const { body, current, goTo } = focus;
  const content = useRef<HTMLDivElement>(null);
  const viewers = usePresence('archive', archive.table, revisionId, edited.size > 0 && !isReadOnly);
  useHighlightedValue(archive, form, fields, current, inputAssist);
  const choices = useTypedChoices(archive, form);
  const assist = useInputAssist({ archive, state, inputAssist, queue, carriedOverValues, focus });
  const { save, saveAgain } = useSave({
    ...props,
    state,
    isReadOnly,
    choices,
    history,
    body,
    onSubmitted: assist.saved,
  });
  const open = useNewerVersion({ archive, read, state, current });

  const commands = useFormCommands({
    ...props,
    state,
    isReadOnly,
    focus,
    assist,
    undo,
    save,
    onToggleRequest: () => props.onRequestShown(!props.requestShown),
  });
  const leaveConflict = () => {
    state.setConflict(null);
    requestAnimationFrame(() => goTo(current));
  };
  const onKeyDownCapture = useFormKeys(
    (key) => commands[key](),
    conflict === null,
    (target) => typedIn.current.has(fieldPathOf(target) ?? ''),
  );

  const editsCopy = edited.size > 0 && <CopyEditsButton archive={archive} edits={state.edits} />;
  return (
    <>
      <form
        noValidate
        className={classes.form}
        onKeyDownCapture={onKeyDownCapture}
        onSubmit={(event) => {
          event.preventDefault();
          // Enter belongs to the editors: it never saves the form.
          if (!(document.activeElement instanceof HTMLInputElement)) commands.save();
        }}
      >
        <FormHead
          revisionId={revisionId}
          listPosition={props.listPosition}
          onMove={commands.move}
          onClose={props.onClose}
          lock={
            mayLock && (
              <LockButton
                isLocked={read.revision.locked !== null}
                disabled={state.sending !== null}
                onChange={(locks) =>
                  void state.setLock(locks ? { by: username, at: new Date().toISOString() } : null)
                }
              />
            )
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
          onFocusCapture={focus.onFocusCapture}
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
              <RevisionNotices
                archive={archive}
                read={read}
                isDeleted={isDeleted}
                username={username}
                state={state}
                open={open}
                editsCopy={editsCopy}
                scroller={body}
                content={content}
              />
              <div ref={content} className={classes.content}>
                <RevisionFields
                  archive={archive}
                  state={state}
                  readOnly={isReadOnly}
                  read={read}
                  open={open}
                  assist={assist}
                  choices={choices}
                  inputAssist={inputAssist}
                  current={current}
                />
                <FileList archive={archive.table} revision={base.revision} />
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
            archive={archive}
            state={state}
            assist={assist}
            undo={undo}
            current={current}
            requestShown={props.requestShown}
            commands={commands}
          />
        )}
        {readOnlyReason && (
          <ReadOnlyFoot why={readOnlyReason}>{!state.failure && editsCopy}</ReadOnlyFoot>
        )}
      </form>
      <RevisionExceptionDialog findings={state.findings} goTo={goTo} />
    </>
  );
}
