import * as texts from '#messages/bulk-correction.ts';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import classes from './bulk-edit.module.css';
import { ChooseFields } from './choose-fields.tsx';
import { BulkEditPreview, type ScrollTarget } from './preview.tsx';
import type { ShownPart } from './preview-rows.ts';
import { SelectionLoading } from './selection-state.tsx';
import { RejectionPanel } from './rejection-panel.tsx';
import { RequestView } from './request-view.tsx';
import { SendingState, SubmitOptions } from './submit-options.tsx';
import type { BulkEditState } from './use-bulk-edit.ts';

interface BulkEditPanesProps {
  readonly state: BulkEditState;
  readonly onLeave: () => void;
}

/** Fields and values on the left, the preview on the right, and the buttons below. */
export function BulkEditPanes({ state, onLeave }: BulkEditPanesProps) {
  const { form, correction, toSend, isReady } = state;
  const [shown, setShown] = useState<ShownPart>('all');
  const [current, setCurrent] = useState<ScrollTarget | null>(null);
  const [showsRequest, setShowsRequest] = useState(false);
  const isSending = correction.isPending;

  /** Scrolls to a revision and focuses it. */
  const goTo = (id: string) => {
    setShown('all');
    setShowsRequest(false);
    setCurrent({ id });
  };

  return (
    <Form
      form={form}
      mutation={correction}
      toBody={state.toCorrection}
      onDone={state.corrected}
      errorTitle={texts.nothingChanged}
      // The panel over the preview shows them, with what can be done about each.
      showsOtherErrors={false}
      isPane
      note={
        isSending ? (
          <SendingState count={toSend.length} />
        ) : (
          <SubmitOptions
            state={state}
            showsRequest={showsRequest}
            onToggleRequest={() => setShowsRequest(!showsRequest)}
          />
        )
      }
      {...(isSending
        ? {
            secondary: (
              <Button variant="default" onClick={state.stopWaiting}>
                {texts.stopWaiting}
              </Button>
            ),
          }
        : { onCancel: onLeave })}
      submit={{
        label:
          toSend.length === 0 || !isReady ? texts.correct : texts.correctRevisions(toSend.length),
        // Enter in an input completes its value.
        keys: 'mod+Enter',
        disabled: !isReady,
        keysDecide: true,
      }}
    >
      <div className={classes.panes} inert={isSending}>
        <section className={classes.fields} aria-label={texts.fieldsAndValues}>
          <VisuallyHidden as="h3">{texts.fieldsAndValues}</VisuallyHidden>
          <ChooseFields state={state} />
        </section>
        <section className={classes.preview} aria-label={texts.preview}>
          <VisuallyHidden as="h3">{texts.preview}</VisuallyHidden>
          <RejectionPanel state={state} onGoTo={goTo} />
          {!state.found ? (
            <SelectionLoading progress={state.progress} />
          ) : showsRequest ? (
            <RequestView state={state} />
          ) : (
            <BulkEditPreview state={state} shown={shown} onShow={setShown} goTo={current} />
          )}
        </section>
      </div>
    </Form>
  );
}
