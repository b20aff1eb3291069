import * as texts from '#messages/bulk-correction.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { UnsavedChangesGuard, useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { QueryError } from '#web/ui/query-state.tsx';
import { SideWindow } from '#web/ui/side-window.tsx';
import classes from './bulk-edit.module.css';
import { BulkEditPanes } from './bulk-edit-panes.tsx';
import { BulkEditResult } from './bulk-edit-result.tsx';
import { TooManyRevisions } from './selection-state.tsx';
import type { ListSelection } from '#web/api/list-selection.ts';
import { MAX_REVISIONS } from './read-revisions.ts';
import { type BulkEditState, useBulkEdit } from './use-bulk-edit.ts';

interface BulkEditProps {
  readonly archive: ArchiveDetail;
  readonly selection: ListSelection;
  /** closed without a correction */
  readonly onClose: () => void;
  /** closed after a correction */
  readonly onDone: () => void;
}

/**
 * Corrects many revisions together: the user chooses fields and values, sees old → new for each revision, and sends one
 * call that changes all of them or none. Covers the page until it is closed.
 */
export function BulkEditPage({ archive, selection, onClose, onDone }: BulkEditProps) {
  const state = useBulkEdit(archive, selection);
  const { correction, form } = state;
  const { confirmDiscard, question } = useConfirmDiscard(texts.lossWarning);
  const corrected = correction.data;
  const title = texts.title(state.found?.revisions.length ?? state.selected);

  const isUnsaved = !corrected && form.formState.dirtyFields.changes !== undefined;

  const leave = () => confirmDiscard(state.hasCorrected ? onDone : onClose, isUnsaved);

  return (
    <SideWindow
      title={title}
      subject={archive.name}
      width={1280}
      canClose={!correction.isPending}
      onClose={leave}
    >
      {question}
      <UnsavedChangesGuard isUnsaved={isUnsaved} text={texts.lossWarning} allowsSamePage />
      <Body state={state} onLeave={leave} />
    </SideWindow>
  );
}

function Body({ state, onLeave }: { readonly state: BulkEditState; readonly onLeave: () => void }) {
  const { reading, correction, selected } = state;
  if (correction.data)
    return <BulkEditResult state={state} data={correction.data} onBack={onLeave} />;
  if (selected > MAX_REVISIONS) return <TooManyRevisions count={selected} onLeave={onLeave} />;
  if (reading.error && !reading.data) {
    return (
      <div className={classes.message}>
        <QueryError query={reading} title={texts.notRead} />
      </div>
    );
  }
  return <BulkEditPanes state={state} onLeave={onLeave} />;
}
