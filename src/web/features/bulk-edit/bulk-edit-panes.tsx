import * as texts from '#messages/bulk-correction.ts';
import { useRef, useState } from 'react';
import { useShortcut } from '#web/ui/shortcuts.ts';
import classes from './bulk-edit.module.css';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { ChooseFields } from './choose-fields.tsx';
import { BulkEditPreview, type ScrollTarget } from './preview.tsx';
import type { ShownPart } from './preview-rows.ts';
import { SelectionLoading } from './selection-state.tsx';
import { RejectionPanel } from './rejection-panel.tsx';
import { RequestView } from './request-view.tsx';
import { SubmitBar } from './submit-bar.tsx';
import type { BulkEditState } from './use-bulk-edit.ts';

interface BulkEditPanesProps {
  readonly state: BulkEditState;
  readonly onLeave: () => void;
}

/** Fields and values on the left, the preview on the right, and the submit bar below. */
export function BulkEditPanes({ state, onLeave }: BulkEditPanesProps) {
  const [shown, setShown] = useState<ShownPart>('all');
  const [current, setCurrent] = useState<ScrollTarget | null>(null);
  const [showsRequest, setShowsRequest] = useState(false);
  const isSending = state.correction.isPending;
  const panes = useRef<HTMLDivElement>(null);
  useShortcut('mod+Enter', state.send, { within: panes });

  /** Scrolls to a revision and focuses it. */
  const goTo = (id: string) => {
    setShown('all');
    setShowsRequest(false);
    setCurrent({ id });
  };

  return (
    // Enter in an input completes its value; Ctrl+Enter sends.
    <form
      noValidate
      className={classes.form}
      onSubmit={(event) => {
        event.stopPropagation();
        event.preventDefault();
      }}
    >
      <div ref={panes} className={classes.panes} inert={isSending}>
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
      <SubmitBar
        state={state}
        showsRequest={showsRequest}
        onToggleRequest={() => setShowsRequest(!showsRequest)}
        onLeave={onLeave}
      />
    </form>
  );
}
