import type { ReactNode } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import {
  CheckIcon,
  PlusIcon,
  RedoIcon,
  RefreshIcon,
  UndoIcon,
  WarningIcon,
} from '#web/ui/icons.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { countEdits, type Edits } from './edit-store/edits.ts';
import shared from '#web/ui/shared.module.css';
import classes from './grid-foot.module.css';
import type { TableUndo } from './undo/use-table-undo.ts';
import { PANEL_KEYS } from './dataset-keys.ts';
import type { DatasetSelection } from './use-dataset-selection.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

interface GridFootProps {
  /** the input for a row number */
  readonly goTo: ReactNode;
  readonly onGoTo: () => void;
  /** null: the user may not write here */
  readonly undo: TableUndo | null;
  /** opens the focused row as a form */
  readonly onOpenRecord: () => void;
  /** the statistics of the selected cells */
  readonly facts: ReactNode;
  readonly total: number | null;
  /** datasets of the table, without filter and search; null if these show all */
  readonly of: number | null;
  readonly edits: Edits;
  readonly saved: number;
  readonly selection: DatasetSelection;
  /** moves to the empty row; null if the user may not create records */
  readonly onNewRow: (() => void) | null;
  readonly onRefresh: () => void;
  /** whether others have added or deleted datasets since the list was loaded */
  readonly outdated: boolean;
  readonly onDelete: () => void;
  /** moves to the next cell that cannot be saved */
  readonly onProblem: () => void;
}

/** The last line of the grid: the number of datasets, the selection, the state of saving. */
export function GridFoot(props: GridFootProps) {
  const { total, of, edits, saved, selection, onNewRow, onRefresh, onDelete, onProblem } = props;
  const { goTo, onGoTo, undo, onOpenRecord, facts, outdated } = props;
  const selected = selection.ids.length;
  return (
    <footer className={classes.foot}>
      <span className={classes.total}>
        {total !== null &&
          (of === null ? texts.records(total) : texts.recordsOf({ count: total, of }))}
      </span>
      <span className={classes.tools}>
        <IconButton size={24} aria-label={texts.refresh} title={texts.refresh} onClick={onRefresh}>
          <RefreshIcon size={14} />
        </IconButton>
        {outdated && (
          <Button size="compact-xs" variant="light" onClick={onRefresh}>
            {texts.showOthersChanges}
          </Button>
        )}
        {undo && <UndoButtons undo={undo} />}
        {goTo || (
          <Button
            size="compact-xs"
            variant="subtle"
            title={texts.goToRowHint(keyLabel('mod+G'))}
            onClick={onGoTo}
          >
            {texts.goToRow}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          title={texts.openAsForm(keyLabel(PANEL_KEYS.open))}
          onClick={onOpenRecord}
        >
          {texts.form}
        </Button>
        {onNewRow && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<PlusIcon size={13} />}
            onClick={onNewRow}
          >
            {texts.newRecord}
          </Button>
        )}
      </span>
      {facts}
      {selected > 0 && (
        <span className={classes.group}>
          <span>{texts.selectedRecords(selected)}</span>
          <Button size="compact-xs" color="red" variant="light" onClick={onDelete}>
            {texts.deleteSelected}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
            {texts.clearSelection}
          </Button>
        </span>
      )}
      {selected === 0 && selection.deleted.length > 0 && <Deleted selection={selection} />}
      <Saving edits={edits} saved={saved} onProblem={onProblem} />
    </footer>
  );
}

function UndoButtons({ undo }: { readonly undo: TableUndo }) {
  const undoText =
    undo.undo === null
      ? undoTexts.undo
      : undoTexts.undoStep({ step: undo.undo, key: keyLabel('mod+Z') });
  const redoText =
    undo.redo === null
      ? undoTexts.redo
      : undoTexts.redoStep({ step: undo.redo, key: keyLabel('mod+Y') });
  return (
    <>
      <IconButton
        size={24}
        aria-label={undoText}
        title={undoText}
        disabled={undo.undo === null}
        loading={undo.isReverting}
        onClick={() => undo.undoOrRedo('undo')}
      >
        <UndoIcon size={15} />
      </IconButton>
      <IconButton
        size={24}
        aria-label={redoText}
        title={redoText}
        disabled={undo.redo === null || undo.isReverting}
        onClick={() => undo.undoOrRedo('redo')}
      >
        <RedoIcon size={15} />
      </IconButton>
    </>
  );
}

function Deleted({ selection }: { readonly selection: DatasetSelection }) {
  const { deleted, restoring } = selection;
  return (
    <span className={classes.group}>
      <span>{texts.recordsDeleted(deleted.length)}</span>
      <Button
        size="compact-xs"
        variant="light"
        aria-label={texts.undoDeletion}
        loading={restoring.isPending}
        onClick={() => restoring.mutate(deleted)}
      >
        {undoTexts.undo}
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.forgetDeleted}>
        {texts.dismiss}
      </Button>
      {restoring.error && (
        <span className={shared.wrong} role="alert">
          {summary(toFailure(restoring.error))}
        </span>
      )}
    </span>
  );
}

function Saving({ edits, saved, onProblem }: Pick<GridFootProps, 'edits' | 'saved' | 'onProblem'>) {
  const { waiting, problems } = countEdits(edits);
  return (
    <span className={classes.saving}>
      {problems > 0 && (
        <button type="button" className={classes.problems} onClick={onProblem}>
          <WarningIcon size={14} />
          {texts.notSaved(problems)}
        </button>
      )}
      <span className={classes.state}>
        {waiting > 0 && (
          <>
            <Spinner size={13} />
            {texts.saving(waiting)}
          </>
        )}
        {waiting === 0 && problems === 0 && saved > 0 && (
          <>
            <CheckIcon size={14} />
            {texts.saved}
          </>
        )}
      </span>
    </span>
  );
}
