import * as texts from '#messages/bulk-correction.ts';
import { useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { Button } from '#web/ui/button.tsx';
import { SideWindow } from '#web/ui/side-window.tsx';
import classes from './bulk-edit.module.css';
import { BulkEditPanes } from './bulk-edit-panes.tsx';
import { Corrected } from './corrected.tsx';
import { focusFirst } from '#web/ui/focus-first.ts';
import { ReadingFailed, TooMany } from './reading-selection.tsx';
import { type ListSelection, selectionSize } from '#web/api/list-selection.ts';
import { MAX_REVISIONS } from './read-revisions.ts';
import { type BulkEditState, useBulkEdit } from './use-bulk-edit.ts';
import { useEscape } from './use-escape.ts';

interface BulkEditProps {
  readonly archive: ArchiveDetail;
  readonly selection: ListSelection;
  /** closed without a correction */
  readonly onClose: () => void;
  /** closed after a correction; the ids of the sent revisions */
  readonly onDone: (revisionIds: readonly string[]) => void;
}

/**
 * Corrects many revisions together: the user chooses fields and values, sees old → new for each revision, and sends one
 * call that changes all of them or none. Covers the page until it is closed.
 */
export function BulkEdit({ archive, selection, onClose, onDone }: BulkEditProps) {
  const state = useBulkEdit(archive, selection);
  const { correction, drafts } = state;
  // The question refers to the choice at that time; a change of the choice cancels it.
  const [draftsToConfirm, setDraftsToConfirm] = useState<typeof drafts | null>(null);
  const asksToLeave = draftsToConfirm === drafts && drafts.length > 0;
  const corrected = correction.data;
  const title = texts.title(state.found?.revisions.length ?? selectionSize(selection));

  const leaveNow = () => (state.done.length > 0 ? onDone(state.done) : onClose());
  const leave = () => {
    if (correction.isPending) return;
    if (!corrected && drafts.length > 0 && !asksToLeave) setDraftsToConfirm(drafts);
    else leaveNow();
  };
  const frame = useRef<HTMLDivElement>(null);
  useEscape(frame, () => (asksToLeave ? setDraftsToConfirm(null) : leave()));

  return (
    <SideWindow
      title={title}
      subject={archive.name}
      width={1280}
      bodyRef={frame}
      closesOnEscape={false}
      canClose={!correction.isPending}
      exitDuration={0}
      onClose={leave}
    >
      {asksToLeave && !corrected && (
        <div className={classes.leaving} role="alertdialog" aria-labelledby="bulk-edit-leaving">
          <p id="bulk-edit-leaving">{texts.lossWarning}</p>
          <Button color="red" variant="light" onClick={leaveNow}>
            {texts.leave}
          </Button>
          <Button ref={focusFirst} variant="default" onClick={() => setDraftsToConfirm(null)}>
            {texts.stay}
          </Button>
        </div>
      )}
      <Body state={state} onLeave={leave} />
    </SideWindow>
  );
}

function Body({ state, onLeave }: { readonly state: BulkEditState; readonly onLeave: () => void }) {
  const { reading, correction, selection } = state;
  if (correction.data) return <Corrected state={state} data={correction.data} onBack={onLeave} />;
  if (reading.data?.kind === 'too-many') {
    return <TooMany count={reading.data.count} onLeave={onLeave} />;
  }
  if (selectionSize(selection) > MAX_REVISIONS) {
    return <TooMany count={selectionSize(selection)} onLeave={onLeave} />;
  }
  if (reading.error && !reading.data) return <ReadingFailed state={state} />;
  return <BulkEditPanes state={state} onLeave={onLeave} />;
}
