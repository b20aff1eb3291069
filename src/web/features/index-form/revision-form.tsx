import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { usePresence } from '#web/presence/use-presence.ts';
import { CarriedOverBar } from './carried-over-bar.tsx';
import { CopyEditsButton } from './copy-edits-button.tsx';
import { RevisionExceptionDialog } from './findings/revision-exception-dialog.tsx';
import { FormBody } from './form-body.tsx';
import { fieldPathOf } from './form-focus.ts';
import { FormFooter, ReadOnlyFooter } from './form-footer.tsx';
import { FormHeader, LockButton } from './form-header.tsx';
import { useFormKeys } from './form-keys.ts';
import shared from '#web/ui/shared.module.css';
import { MeaningChoice } from './meaning-choice.tsx';
import { type RevisionFormProps, useFormModel } from './use-form-model.ts';

const RequestPanel = lazyComponent(async () => (await import('./request-panel.tsx')).RequestPanel);

/** The form of one revision. Use the revision's id as key. */
export function RevisionForm(props: RevisionFormProps) {
  const { archive, latest, username, requestShown } = props;
  const { revisionId, locked } = latest.revision;
  const model = useFormModel(props);
  const { state, readOnlyReason, assist, focus, commands } = model;
  const { form, fields, base, edited, isEditable } = state;
  const isReadOnly = readOnlyReason !== undefined;
  const viewers = usePresence('archive', archive.table, revisionId, edited.size > 0 && !isReadOnly);
  const onKeyDownCapture = useFormKeys(
    (key) => commands[key](),
    state.conflict === null,
    (target) => model.typedIn.current.has(fieldPathOf(target) ?? ''),
  );
  const editsCopy = edited.size > 0 && <CopyEditsButton archive={archive} edits={state.edits} />;
  return (
    <>
      <form
        noValidate
        className={shared.column}
        onKeyDownCapture={onKeyDownCapture}
        onSubmit={(event) => {
          event.preventDefault();
          // Enter belongs to the editors: it never saves the form.
          if (!(document.activeElement instanceof HTMLInputElement)) commands.save();
        }}
      >
        <FormHeader
          revisionId={revisionId}
          queue={props.queue}
          listPosition={props.listPosition}
          onMove={commands.move}
          onClose={props.onClose}
          lock={
            model.mayLock && (
              <LockButton
                isLocked={locked !== null}
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
        <FormBody {...props} model={model} editsCopy={editsCopy} />
        {!isReadOnly && (
          <CarriedOverBar
            archive={archive}
            carriedOver={assist.carriedOver}
            onStop={(path) => assist.actions.current.toggleCarryOver(path)}
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
        {requestShown && isEditable && (
          <RequestPanel archive={archive} base={base} fields={fields} control={form.control} />
        )}
        {isEditable && <FormFooter model={model} requestShown={requestShown} />}
        {readOnlyReason && (
          <ReadOnlyFooter why={readOnlyReason}>{!state.failure && editsCopy}</ReadOnlyFooter>
        )}
      </form>
      <RevisionExceptionDialog findings={state.findings} goTo={focus.goTo} />
    </>
  );
}
