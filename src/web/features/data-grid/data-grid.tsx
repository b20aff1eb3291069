import { useRef } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import { useStore } from '#web/api/use-store.ts';
import { useGridEntry } from '#web/grid/use-grid-entry.ts';
import type { GridHandle } from '#web/grid/virtual-grid.tsx';
import shared from '#web/ui/shared.module.css';
import { useOnChange } from '#web/ui/use-on-change.ts';
import { Announcer } from './announcer.tsx';
import type { TableField } from './columns/table-fields.ts';
import { useColumnMenu } from './columns/use-column-menu.tsx';
import { DatasetGrid } from './dataset-grid.tsx';
import { useResumeNotice } from './edit-store/use-resume-notice.ts';
import { LazyGridChecks } from './findings/lazy-grid-checks.tsx';
import { useGridFindings } from './findings/use-grid-findings.ts';
import { GridFooter } from './grid-footer.tsx';
import { GridMessage } from './grid-message.tsx';
import { DeleteDialog } from './lazy-components.ts';
import { useLiveRows } from './live/use-live-rows.ts';
import { PasteDialogs } from './paste/paste-dialogs.tsx';
import { PendingEditsBanner } from './pending-edits-banner.tsx';
import { StickyProblemTray } from './problems/sticky-problem-tray.tsx';
import { RecordPortal } from './record/record-portal.tsx';
import { useExternalWrites } from './rows/use-external-writes.ts';
import { useGridCommands } from './use-grid-commands.ts';
import { useGridModel } from './use-grid-model.ts';
import { useRecheckPatterns } from './use-recheck-patterns.ts';

interface DataGridProps {
  readonly table: TableDetail;
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
  /** changes whenever records were written by other means: the list is then reloaded */
  readonly externalWrites: number;
  /** a column's menu requests a condition on it */
  readonly onFilter: (column: TableField) => void;
  /** a column's menu requests its values and sums */
  readonly onSummarise: (column: TableField) => void;
  /** shows the values of a text column */
  readonly onCleanUp: (column: TableField) => void;
  /** the service has planned a large paste */
  readonly onPastePlanned: (bulkEditId: string) => void;
  /** starts the service's revert of a bulk edit of the table. @throws {CallError} */
  readonly onRevertBulkEdit: (bulkEditId: string) => Promise<void>;
  /** where the form of the open record is rendered; null: nowhere */
  readonly recordContainer: HTMLElement | null;
  /** how often the form was requested from outside the grid; each time it takes the focus */
  readonly formRequests: number;
}

/** A table as a grid with in-place creation and editing. */
export function DataGrid(props: DataGridProps) {
  const { table, view, onViewChange, onFilter, onSummarise, onCleanUp } = props;
  const model = useGridModel(props);
  const { editStore, rows, grid, selection, canWrite, canDelete } = model;
  const scroller = useRef<HTMLDivElement>(null);
  const handle = useRef<GridHandle>(null);
  const commands = useGridCommands({ ...props, model, scroller, handle });
  const { opened, problems, deletion } = commands;
  const columnMenu = useColumnMenu({ ...model, onViewChange, onSummarise, onCleanUp });
  const live = useLiveRows({ ...model, opened: opened.jrid });
  const saved = useStore(editStore.saved);
  const isEditing = grid.state.editing !== null;
  const { findings: found = [] } = grid.row?.stored ?? {};
  const checks = useGridFindings(isEditing || found.length > 0);

  useGridEntry(
    () => grid.focusOn(grid.state.focus),
    () => grid.focusOn({ row: 0, col: 1 }),
  );
  useResumeNotice(editStore);
  useRecheckPatterns(editStore, table.columns, isEditing);
  useExternalWrites({ ...model, externalWrites: props.externalWrites });
  // Another list is shown.
  useOnChange(JSON.stringify([view.q, view.where, view.sort]), () =>
    scroller.current?.scrollTo({ top: 0 }),
  );
  return (
    <div className={shared.column}>
      <DatasetGrid
        model={model}
        commands={commands}
        onViewChange={onViewChange}
        findings={checks.findings}
        remoteChanges={live.changes}
        scroller={scroller}
        handle={handle}
        onFilter={onFilter}
        menuEntries={columnMenu.entries}
      >
        <GridMessage model={model} onViewChange={onViewChange} />
      </DatasetGrid>
      {checks.isNeeded && (
        <LazyGridChecks table={table} canWrite={canWrite} onChecks={checks.onChecks} />
      )}
      <PendingEditsBanner edits={rows.edits} storage={model.storage} />
      <StickyProblemTray
        problems={problems}
        columns={table.columns}
        editStore={editStore}
        expandRequests={model.paste.failedPastes}
      />
      <Announcer
        model={model}
        problems={problems.problems}
        saved={saved}
        outdated={live.outdated}
      />
      <GridFooter model={model} commands={commands} saved={saved} outdated={live.outdated} />
      {columnMenu.dialog}
      <div data-grid-layer data-grid-part />
      <PasteDialogs
        paste={model.paste}
        tableLabel={table.label}
        onClosed={() => {
          grid.dispatch({ do: 'active' });
          commands.actions.refocus();
        }}
      />
      <DeleteDialog
        opened={deletion.opened}
        onClose={deletion.close}
        table={table}
        confirmation={deletion}
        deletion={selection.deletion}
      />
      <RecordPortal
        container={props.recordContainer}
        table={table}
        editStore={editStore}
        edits={rows.edits}
        remoteChanges={live.changes}
        opened={opened}
        canWrite={canWrite}
        onDelete={canDelete ? (jrid) => deletion.open([jrid]) : null}
        restoring={canDelete ? selection.restoring : null}
      />
    </div>
  );
}
