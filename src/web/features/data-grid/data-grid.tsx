import { useQueryClient } from '@tanstack/react-query';
import { useStore } from '#web/api/use-store.ts';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { allows } from '#shared/rules/rights.ts';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import { userLocale } from '#shared/messages/format.ts';
import type { GridHandle } from '#web/grid/virtual-grid.tsx';
import { useIsSeenAs, useSession } from '#web/api/session.queries.ts';
import { Announcer } from './announcer.tsx';
import { rowHeightFor } from '#web/grid/grid-parts.ts';
import { cellCount, type Rect } from '#web/grid/rects.ts';
import shared from '#web/ui/shared.module.css';
import { editStoreOf } from './edit-store/edit-store-of-table.ts';
import { fillWrites } from './fill-writes.ts';
import { LazyGridChecks } from './findings/lazy-grid-checks.tsx';
import { useGridFindings } from './findings/use-grid-findings.ts';
import { GridFoot } from './grid-foot.tsx';
import { GridMessage } from './grid-message.tsx';
import { DeleteDialog, SelectionStatistics } from './lazy-parts.ts';
import { DatasetGrid } from './dataset-grid.tsx';
import { changedWhileEditingText } from './live/changed-while-editing.ts';
import { useLiveRows } from './live/use-live-rows.ts';
import { gridFields, type TableField } from './columns/table-fields.ts';
import { useColumnMenu } from './columns/use-column-menu.tsx';
import { useShownFields } from './columns/use-shown-fields.ts';
import { PasteDialogs } from './paste/paste-dialogs.tsx';
import { usePaste } from './paste/use-paste.ts';
import { useBlockActions } from './ranges/use-block-actions.ts';
import { UndoConflicts } from './undo/undo-conflicts.tsx';
import { useTableUndo } from './undo/use-table-undo.ts';
import { useOtherWrites } from './rows/use-other-writes.ts';
import { useViewport } from './rows/use-viewport.ts';
import { GoToRow } from './rows/go-to-row.tsx';
import { useRevealCell } from './rows/use-reveal-cell.ts';
import { useKeepFocus } from './rows/use-keep-focus.ts';
import { RecordPortal } from './record/record-portal.tsx';
import { useOpenRecord } from './record/use-open-record.ts';
import { useDeleteConfirmation } from './deleted/use-delete-confirmation.ts';
import { useResumeNotice } from './edit-store/use-resume-notice.ts';
import { LastingProblemTray } from './problems/lasting-problem-tray.tsx';
import { useProblems } from './problems/use-problems.ts';
import { useGrid } from './use-grid.ts';
import { useGridActions } from './use-grid-actions.ts';
import { useRecheckPatterns } from './use-recheck-patterns.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useHeldInput } from './use-held-input.ts';
import { useRows } from './rows/use-rows.ts';
import { useDatasetSelection } from './use-dataset-selection.ts';
import { useGridEntry } from '#web/grid/use-grid-entry.ts';
import { PendingEditsBanner } from './pending-edits-banner.tsx';
import * as undoTexts from '#messages/table-undo.ts';
import * as texts from '#messages/tables.ts';

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
  const { table, view, onViewChange, externalWrites, onFilter, onSummarise, recordContainer } =
    props;
  const { onCleanUp, onPastePlanned, onRevertBulkEdit, formRequests } = props;
  const client = useQueryClient();
  const { username } = useSession();
  const [{ editStore, storage }] = useState(() => editStoreOf(client, username, table.guid));
  const saved = useStore(editStore.saved);
  const isSeenAs = useIsSeenAs();
  const canWrite = allows(table.rights, 'write') && !isSeenAs;
  const canDelete = allows(table.rights, 'manage') && !isSeenAs;
  const fields = useMemo(() => gridFields(table), [table]);
  const columns = useShownFields(fields, view.columns);
  const scroller = useRef<HTMLDivElement>(null);
  const viewport = useViewport();
  const [focusedRow, setFocusedRow] = useState(0);

  const rows = useRows({
    guid: table.guid,
    view,
    editStore,
    canWrite,
    requiredRows: [viewport.requested.from, viewport.requested.to, focusedRow],
  });
  const grid = useGrid({ columns, allColumns: table.columns, rows, editStore, canWrite });
  const { focus } = grid.state;
  if (focus.row >= 0 && focus.row !== focusedRow) setFocusedRow(focus.row);
  const selection = useDatasetSelection({ guid: table.guid, rows, editStore });
  const deletion = useDeleteConfirmation({ guid: table.guid, grid, rows, selection, canDelete });

  const blockActions = useBlockActions({
    grid,
    columns,
    rows,
    editStore,
    canWrite,
    locale: userLocale(),
  });
  const paste = usePaste({
    guid: table.guid,
    username,
    columns,
    allColumns: table.columns,
    rows,
    grid,
    editStore,
    blockActions,
    canWrite,
    onPlanned: onPastePlanned,
  });
  const columnMenu = useColumnMenu({ fields, view, onViewChange, onSummarise, onCleanUp });
  const lines = view.lines ?? 1;
  const handle = useRef<GridHandle>(null);
  const focusedRecord = useKeepFocus({
    guid: table.guid,
    grid,
    rows,
    onShow: (row) => handle.current?.scrollToMiddle(row),
  });
  const held = useHeldInput({ grid, rows, focusedRecord, scroller, paste });
  const [isGoToRowOpen, setGoToRowOpen] = useState(false);
  const undo = useTableUndo({
    editStore,
    columns: table.columns,
    onRecords: (back) => void selection.afterChange(back),
    onShow: useRevealCell({ guid: table.guid, columns, grid, rows }),
    revertBulkEdit: onRevertBulkEdit,
  });
  const opened = useOpenRecord({
    guid: table.guid,
    view,
    onViewChange,
    grid,
    rows,
    scroller,
    formRequests,
    onShow: (row) => handle.current?.scrollToMiddle(row),
  });
  const live = useLiveRows({
    guid: table.guid,
    editStore,
    rows,
    opened: opened.jrid,
  });
  const problems = useProblems({ table, view, onViewChange, rows, grid, columns });
  const keys = useGridKeys({
    blockActions,
    grid,
    rows,
    editStore,
    held,
    canWrite,
    pageRows: () =>
      Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightFor(lines)) - 2),
    hasSelectedRows: selection.ids.length > 0,
    onSelect: (index, how) => canDelete && selection.select(index, how),
    onDeleteRows: deletion.openForRows,
    onGoToRow: () => setGoToRowOpen(true),
    onProblem: problems.step,
    onPaste: paste.onPaste,
    onUndoOrRedo: undo.undoOrRedo,
    onOpenRecord: () => opened.open(),
  });
  const actions = useGridActions({
    grid,
    keys,
    editStore,
    onOpenRecord: opened.open,
    onSuggest: (key, fills) => {
      const listed = grid.row?.key === key ? grid.row.stored : null;
      const row = { editStore, columns: table.columns, key, listed };
      editStore.write(fillWrites(row, fills), undoTexts.suggestion);
    },
    scroller,
  });
  const { findings: found = [] } = grid.row?.stored ?? {};
  const checks = useGridFindings(grid.state.editing !== null || found.length > 0);

  useGridEntry(
    () => grid.focusOn(grid.state.focus),
    () => grid.focusOn({ row: 0, col: 1 }),
  );
  useResumeNotice(editStore);
  useRecheckPatterns(editStore, table.columns, grid.state.editing !== null);
  useOtherWrites({ guid: table.guid, rows, selection, externalWrites });
  useScrollToTop(scroller, JSON.stringify([view.q, view.where, view.sort]));

  const isFiltered = Boolean(view.q) || (view.where?.length ?? 0) > 0;
  const focusNewRow = () => grid.focusOn({ row: grid.extent().rows - 1, col: 1 });
  return (
    <div className={shared.column}>
      <DatasetGrid
        key={table.guid}
        table={table}
        fields={fields}
        columns={columns}
        view={view}
        onViewChange={onViewChange}
        grid={grid}
        rows={rows}
        selection={selection}
        keys={keys}
        actions={actions}
        findings={checks.findings}
        blockActions={blockActions}
        remoteChanges={live.changes}
        scroller={scroller}
        handle={handle}
        canWrite={canWrite}
        canSelect={canDelete}
        onFilter={onFilter}
        menuEntries={columnMenu.entries}
        viewport={viewport.current}
        onVisible={(first, last) => viewport.onVisible(first, last, rows.total)}
      >
        <GridMessage
          rows={rows}
          filtered={isFiltered}
          canWrite={canWrite}
          onShowAll={() => onViewChange(withoutFilter(view))}
          onPlainList={() => onViewChange(withoutSort(withoutFilter(view)))}
        />
      </DatasetGrid>
      {checks.isNeeded && (
        <LazyGridChecks table={table} canWrite={canWrite} onChecks={checks.onChecks} />
      )}
      <PendingEditsBanner edits={rows.edits} storage={storage} />
      <LastingProblemTray
        problems={problems}
        columns={table.columns}
        editStore={editStore}
        expandRequests={paste.failedPastes}
      />
      <Announcer
        selected={blockActions.hasSeveralCells() ? selectionText(blockActions.blocks()) : null}
        edits={rows.edits}
        saved={saved}
        problems={problems.problems}
        labelOf={(name) => table.columns.find((column) => column.name === name)?.label ?? name}
        changedWhileEditing={changedWhileEditingText(grid.state.editing, columns, rows)}
        deleted={selection.ids.length > 0 ? 0 : selection.deleted.length}
        outdated={live.outdated}
        count={rows.total === null ? null : texts.shown(rows.total)}
      />
      <GridFoot
        goTo={
          isGoToRowOpen && (
            <GoToRow
              count={rows.count ?? 0}
              onGo={(row) => {
                handle.current?.scrollToMiddle(row);
                grid.focusOn({ row, col: Math.max(1, grid.state.focus.col) });
                setGoToRowOpen(false);
              }}
              onClose={() => {
                setGoToRowOpen(false);
                actions.refocus();
              }}
            />
          )
        }
        onGoTo={() => setGoToRowOpen(true)}
        undo={canWrite ? undo : null}
        onOpenRecord={() => opened.open()}
        facts={
          blockActions.hasSeveralCells() && (
            <SelectionStatistics
              guid={table.guid}
              columns={columns}
              rows={rows}
              saved={saved}
              blocks={blockActions.blocks()}
            />
          )
        }
        total={rows.total}
        of={isFiltered ? table.datasets : null}
        edits={rows.edits}
        saved={saved}
        onNewRow={canWrite ? focusNewRow : null}
        onRefresh={rows.refresh}
        outdated={live.outdated}
        selection={selection}
        onDelete={() => deletion.open(selection.ids)}
        onProblem={() => problems.step(1)}
      />
      {columnMenu.dialog}
      <div data-grid-layer data-grid-part />
      <PasteDialogs
        paste={paste}
        tableLabel={table.label}
        onClosed={() => {
          grid.dispatch({ do: 'active' });
          actions.refocus();
        }}
      />
      <UndoConflicts undo={undo} onClosed={actions.refocus} />
      <DeleteDialog
        opened={deletion.opened}
        onClose={deletion.close}
        table={table}
        confirmation={deletion}
        deletion={selection.deletion}
      />
      <RecordPortal
        container={recordContainer}
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

function withoutFilter({ where: _where, q: _q, ...others }: ListView): ListView {
  return others;
}

function withoutSort({ sort: _sort, ...others }: ListView): ListView {
  return others;
}

/**
 * Scrolls to the first row when another list is shown.
 * @param listed identifies the list: its search, filter and order
 */
function useScrollToTop(scroller: RefObject<HTMLElement | null>, listed: string): void {
  const shown = useRef(listed);
  useEffect(() => {
    if (shown.current === listed) return;
    shown.current = listed;
    scroller.current?.scrollTo({ top: 0 });
  }, [scroller, listed]);
}

/** What screen readers announce about the selection: `12 rows by 3 columns selected.` */
function selectionText(blocks: readonly Rect[]): string {
  const [block, another] = blocks;
  return !block || another
    ? texts.selectedBlocks({ cells: cellCount(blocks), blocks: blocks.length })
    : texts.selectedBlock({
        rows: block.bottom - block.top + 1,
        columns: block.right - block.left + 1,
      });
}
