import { summary, toFailure } from '#web/api/failure.ts';
import { isFiltered } from '#web/api/list-view.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import {
  CheckIcon,
  PlusIcon,
  RefreshIcon,
  UndoIcon,
  WarningIcon,
  drawIcon,
} from '#web/ui/icons.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { countEdits, type Edits } from './edit-store/edits.ts';
import shared from '#web/ui/shared.module.css';
import classes from './grid-footer.module.css';
import { SelectionStatistics } from './lazy-components.ts';
import { GoToRow } from './rows/go-to-row.tsx';
import type { TableUndo } from './undo/use-table-undo.ts';
import { PANEL_KEYS } from './dataset-keys.ts';
import type { DatasetSelection } from './use-dataset-selection.ts';
import type { GridCommands } from './use-grid-commands.ts';
import type { GridModel } from './use-grid-model.ts';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

const RedoIcon = drawIcon(<path d="M15 7H9.5a5 5 0 0 0 0 10H17M15 7l-3-3M15 7l-3 3" />);

interface GridFooterProps {
  readonly model: GridModel;
  readonly commands: GridCommands;
  /** changes saved since the grid was opened */
  readonly saved: number;
  /** whether others have added or deleted datasets since the list was loaded */
  readonly outdated: boolean;
}

/** The last line of the grid: the number of datasets, commands, the selection, the state of saving. */
export function GridFooter({ model, commands, saved, outdated }: GridFooterProps) {
  const { table, view, columns, rows, blockActions, selection, canWrite } = model;
  const { total } = rows;
  const selected = selection.ids.length;
  return (
    <footer className={classes.foot}>
      <span className={classes.total}>
        {total !== null &&
          (isFiltered(view)
            ? texts.recordsOf({ count: total, of: table.datasets })
            : texts.records(total))}
      </span>
      <span className={classes.tools}>
        <IconButton
          size={24}
          aria-label={texts.refresh}
          title={texts.refresh}
          onClick={rows.refresh}
        >
          <RefreshIcon size={14} />
        </IconButton>
        {outdated && (
          <Button size="compact-xs" variant="light" onClick={rows.refresh}>
            {texts.showOthersChanges}
          </Button>
        )}
        {canWrite && <UndoButtons undo={commands.undo} />}
        <Moves model={model} commands={commands} />
      </span>
      {blockActions.hasSeveralCells() && (
        <SelectionStatistics
          guid={table.guid}
          columns={columns}
          rows={rows}
          saved={saved}
          blocks={blockActions.blocks()}
        />
      )}
      {selected > 0 && (
        <span className={classes.group}>
          <span>{texts.selectedRecords(selected)}</span>
          <Button
            size="compact-xs"
            color="red"
            variant="light"
            onClick={() => commands.deletion.open(selection.ids)}
          >
            {texts.deleteSelected}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={selection.clear}>
            {texts.clearSelection}
          </Button>
        </span>
      )}
      {selected === 0 && selection.deleted.length > 0 && <Deleted selection={selection} />}
      <Saving edits={rows.edits} saved={saved} onProblem={() => commands.problems.step(1)} />
    </footer>
  );
}

/** The commands that move to another row, or to the form of the focused one. */
function Moves({ model, commands }: Pick<GridFooterProps, 'model' | 'commands'>) {
  const { rows, grid, canWrite } = model;
  const { goToRow, opened } = commands;
  return (
    <>
      {goToRow.isOpen ? (
        <GoToRow count={rows.count ?? 0} onGo={goToRow.go} onClose={goToRow.close} />
      ) : (
        <Button
          size="compact-xs"
          variant="subtle"
          title={texts.goToRowHint(keyLabel('mod+G'))}
          onClick={goToRow.open}
        >
          {texts.goToRow}
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        title={texts.openAsForm(keyLabel(PANEL_KEYS.open))}
        onClick={() => opened.open()}
      >
        {texts.form}
      </Button>
      {canWrite && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<PlusIcon size={13} />}
          onClick={() => grid.focusOn({ row: grid.extent().rows - 1, col: 1 })}
        >
          {texts.newRecord}
        </Button>
      )}
    </>
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

interface SavingProps {
  readonly edits: Edits;
  readonly saved: number;
  /** moves to the next cell that cannot be saved */
  readonly onProblem: () => void;
}

function Saving({ edits, saved, onProblem }: SavingProps) {
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
