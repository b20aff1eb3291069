import type { ReactNode } from 'react';
import { summary, toFailure } from '#web/api/failure.ts';
import { formatCount } from '#shared/messages/format.ts';
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
import classes from './grid-foot.module.css';
import type { Undo } from './undo/use-undo.ts';
import { PANEL_KEYS } from './dataset-keys.ts';
import type { DatasetSelection } from './use-dataset-selection.ts';

interface GridFootProps {
  /** where a row's number is asked for */
  readonly goTo: ReactNode;
  readonly onGoTo: () => void;
  /** null: nothing can be written here */
  readonly undo: Undo | null;
  /** opens the focused row as a form */
  readonly onOpenRecord: () => void;
  /** what is said about the selected cells */
  readonly facts: ReactNode;
  readonly total: number | null;
  /** datasets of the table, without filter and search; null where these show all */
  readonly of: number | null;
  readonly edits: Edits;
  readonly saved: number;
  readonly selection: DatasetSelection;
  /** goes to the empty row; null where nothing can be created */
  readonly onNewRow: (() => void) | null;
  readonly onReadAnew: () => void;
  /** whether others have added or deleted datasets since the list was read */
  readonly outdated: boolean;
  readonly onDelete: () => void;
  /** goes to the next cell that cannot be saved */
  readonly onProblem: () => void;
}

/** The last line of the grid: how many datasets there are, what is selected, what is saved. */
export function GridFoot(props: GridFootProps) {
  const { total, of, edits, saved, selection, onNewRow, onReadAnew, onDelete, onProblem } = props;
  const { goTo, onGoTo, undo, onOpenRecord, facts, outdated } = props;
  const selected = selection.ids.length;
  return (
    <footer className={classes.foot}>
      <span className={classes.total}>
        {total !== null &&
          (of === null ? counted(total) : `${formatCount(total)} of ${counted(of)}, filtered`)}
      </span>
      <span className={classes.tools}>
        <IconButton size={24} aria-label="Refresh" title="Refresh" onClick={onReadAnew}>
          <RefreshIcon size={14} />
        </IconButton>
        {outdated && (
          <Button size="compact-xs" variant="light" onClick={onReadAnew}>
            Others added or deleted records: show
          </Button>
        )}
        {undo && <UndoButtons undo={undo} />}
        {goTo || (
          <Button
            size="compact-xs"
            variant="subtle"
            title={`Go to a row by its number (${keyLabel('mod+G')})`}
            onClick={onGoTo}
          >
            Go to row
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          title={`Open the row as a form (${keyLabel(PANEL_KEYS.open)})`}
          onClick={onOpenRecord}
        >
          Form
        </Button>
        {onNewRow && (
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<PlusIcon size={13} />}
            onClick={onNewRow}
          >
            New record
          </Button>
        )}
      </span>
      {facts}
      {selected > 0 && (
        <span className={classes.group}>
          <span>{counted(selected)} selected</span>
          <Button size="compact-xs" color="red" variant="light" onClick={onDelete}>
            Delete…
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
            Clear
          </Button>
        </span>
      )}
      {selected === 0 && selection.deleted.length > 0 && <Deleted selection={selection} />}
      <Saving edits={edits} saved={saved} onProblem={onProblem} />
    </footer>
  );
}

function UndoButtons({ undo }: { readonly undo: Undo }) {
  const words = (does: string, label: string | null, keys: string) =>
    label === null ? does : `${does}: ${label} (${keyLabel(keys)})`;
  return (
    <>
      <IconButton
        size={24}
        aria-label={words('Undo', undo.undo, 'mod+Z')}
        title={words('Undo', undo.undo, 'mod+Z')}
        disabled={undo.undo === null}
        loading={undo.turning}
        onClick={() => undo.turn('undo')}
      >
        <UndoIcon size={15} />
      </IconButton>
      <IconButton
        size={24}
        aria-label={words('Redo', undo.redo, 'mod+Y')}
        title={words('Redo', undo.redo, 'mod+Y')}
        disabled={undo.redo === null || undo.turning}
        onClick={() => undo.turn('redo')}
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
      <span>{counted(deleted.length)} deleted.</span>
      <Button
        size="compact-xs"
        variant="light"
        aria-label="Undo the deletion"
        loading={restoring.isPending}
        onClick={() => restoring.mutate(deleted)}
      >
        Undo
      </Button>
      <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.forgetDeleted}>
        Dismiss
      </Button>
      {restoring.error && (
        <span className={classes.wrong} role="alert">
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
          {problems === 1 ? '1 entry is' : `${formatCount(problems)} entries are`} not saved
        </button>
      )}
      <span className={classes.state}>
        {waiting > 0 && (
          <>
            <Spinner size={13} />
            Saving{waiting > 1 && ` ${formatCount(waiting)} changes`}…
          </>
        )}
        {waiting === 0 && problems === 0 && saved > 0 && (
          <>
            <CheckIcon size={14} />
            Saved
          </>
        )}
      </span>
    </span>
  );
}

/** `1 dataset`, `1,200 datasets`. */
export function counted(datasets: number): string {
  return datasets === 1 ? '1 record' : `${formatCount(datasets)} records`;
}
