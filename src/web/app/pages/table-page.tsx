import * as texts from '#messages/workspaces.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { useTable } from '#web/api/collections.queries.ts';
import { type BulkTarget, bulkTargetOfTable } from '#web/api/bulk-target.ts';
import type { ListView, ViewChange } from '#web/api/list-view.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { DataGrid } from '#web/features/data-grid/data-grid.tsx';
import { filterFields } from '#web/features/data-grid/columns/table-fields.ts';
import { GridToolbar } from '#web/features/data-grid/grid-toolbar.tsx';
import { suggestValues } from '#web/features/data-grid/summary/summary.queries.ts';
import { SplitPane } from '#web/ui/split-pane.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';
import { ListFilter } from '#web/list-tools/list-filter.tsx';
import { type FilterStripState, useFilterStrip } from '#web/list-tools/use-filter-strip.ts';
import { SpreadsheetMenu } from '#web/features/spreadsheets/spreadsheet-menu.tsx';
import { ViewsStrip } from '#web/features/views/views-strip.tsx';
import { LazyChecksMenu } from '#web/features/checks/lazy-checks-menu.tsx';
import { Page } from '#web/ui/page.tsx';
import { type JobTask, useTaskOverList } from '../bulk-edit-in-address.ts';
import { type ImportTask, ImportsAndJobs } from './imports-and-jobs.tsx';
import { RestoreLastView } from './restore-last-view.tsx';
import { useBulkEditSteps } from './use-bulk-edit-steps.ts';
import shared from '#web/ui/shared.module.css';
import classes from './table-page.module.css';
import { useListView } from './use-list-view.ts';
import { useShowValues } from './use-show-values.ts';

const ROUTE = '/tables/$guid';

const DeletedPanel = lazyComponent(
  async () => (await import('#web/features/data-grid/deleted/deleted-panel.tsx')).DeletedPanel,
);
const GridKeySheet = lazyDialog(
  async () => (await import('#web/features/data-grid/grid-key-sheet.tsx')).GridKeySheet,
);
const SummaryPanel = lazyComponent(
  async () => (await import('#web/features/data-grid/summary/summary-panel.tsx')).SummaryPanel,
);

/** A table: the grid of its datasets. */
export function TablePage() {
  const table = useTable(useParams({ from: ROUTE }).guid);
  return (
    <RestoreLastView
      key={table.guid}
      route={ROUTE}
      collection={{ kind: 'table', id: table.guid }}
      title={table.label}
      fields={table.columns}
    >
      {(bulkEdit) => <TableWorkspace table={table} bulkEdit={bulkEdit} />}
    </RestoreLastView>
  );
}

interface TableWorkspaceProps {
  readonly table: TableDetail;
  /** the bulk edit that is shown over the grid at first */
  readonly bulkEdit: JobTask | null;
}

function TableWorkspace({ table, bulkEdit }: TableWorkspaceProps) {
  const { guid } = table;
  const { view, onViewChange, panel, setPanel, showPanel } = useViewAndPanel();
  const list = { table, view, onViewChange };
  const filter = useFilterStrip(view);
  const client = useQueryClient();
  const target = useMemo(() => bulkTargetOfTable(table), [table]);
  const [importing, setImporting] = useTaskOverList<ImportTask>(ROUTE, bulkEdit);
  const showValues = useShowValues(target.collection, view);
  const [written, setWritten] = useState(0);
  const [recordContainer, setRecordContainer] = useState<HTMLElement | null>(null);
  const [formRequests, setFormRequests] = useState(0);
  const showAnew = () => setWritten((count) => count + 1);
  const showJob = (bulkEditId: string) => setImporting({ kind: 'job', bulkEditId });
  const bulkEdits = useBulkEditSteps(guid, showJob);
  return (
    <Page
      title={table.label}
      aside={table.rights === 'read' ? texts.readOnly : undefined}
      actions={
        <TableActions
          {...list}
          target={target}
          filter={filter}
          onDeleted={() => showPanel(panel?.kind === 'deleted' ? null : { kind: 'deleted' })}
          onTask={setImporting}
        />
      }
    >
      <div className={shared.column}>
        <ViewsStrip
          collection={target.collection}
          name={table.label}
          total={table.datasets}
          view={view}
          mayShare={table.rights === 'manage'}
          onViewChange={(next) => {
            onViewChange(next);
            filter.showView(next);
          }}
        />
        <ListFilter
          filter={filter}
          suggest={({ name }) => suggestValues(guid, name)}
          collection={target.collection}
          fields={filterFields(table)}
          view={view}
          onViewChange={onViewChange}
        />
        <div className={shared.rest}>
          <SplitPane
            name="table-panel"
            label={texts.panelWidth}
            initial={420}
            min={300}
            start={
              <DataGrid
                {...list}
                externalWrites={written}
                onPastePlanned={showJob}
                onRevertBulkEdit={bulkEdits.revert}
                onFilter={({ name }) => filter.openFor(name)}
                onSummarise={({ name }) => showPanel({ kind: 'summary', column: name })}
                onCleanUp={({ name }) => showValues(name)}
                recordContainer={recordContainer}
                formRequests={formRequests}
              />
            }
            end={
              panel ? (
                <TablePanel
                  {...list}
                  panel={panel}
                  onPanel={setPanel}
                  onOpenDeleted={(jrid) => {
                    setFormRequests((count) => count + 1);
                    onViewChange({ ...view, selected: jrid });
                  }}
                  onRestored={showAnew}
                />
              ) : view.selected === undefined ? null : (
                <div ref={setRecordContainer} className={classes.record} tabIndex={-1} />
              )
            }
          />
        </div>
      </div>
      {importing && (
        <ImportsAndJobs
          target={target}
          task={importing}
          onTask={setImporting}
          onApplied={bulkEdits.remember}
          onDone={() => {
            showAnew();
            void client.invalidateQueries({ queryKey: tablesQuery.queryKey });
            void client.invalidateQueries({ queryKey: tableQuery(guid).queryKey });
          }}
        />
      )}
      <KeySheet Dialog={GridKeySheet} />
    </Page>
  );
}

/** What is shown beside the grid instead of a record: the summary of a column, or the deleted records. */
type Panel = { readonly kind: 'summary'; readonly column: string } | { readonly kind: 'deleted' };

/** The view in the address, with the open record, and the panel that is shown instead of it: only one of them fits. */
function useViewAndPanel() {
  const { view, changeView } = useListView(ROUTE);
  const [panel, setPanel] = useState<Panel | null>(null);
  const onViewChange = (change: ViewChange) => {
    const after = typeof change === 'function' ? change : () => change;
    const next = after(view);
    if (next.selected !== undefined && next.selected !== view.selected) setPanel(null);
    changeView(after, { replace: true });
  };
  /** shows a panel instead of the open record */
  const showPanel = (next: Panel | null) => {
    const { selected: _closed, ...others } = view;
    onViewChange(others);
    setPanel(next);
  };
  return { view, onViewChange, panel, setPanel, showPanel };
}

interface ViewProps {
  readonly table: TableDetail;
  readonly view: ListView;
  readonly onViewChange: (change: ViewChange) => void;
}

interface TableActionsProps extends ViewProps {
  readonly target: BulkTarget;
  readonly filter: FilterStripState;
  /** shows or hides the deleted records */
  readonly onDeleted: () => void;
  readonly onTask: (task: ImportTask) => void;
}

/** The tools of the grid: search, sort and filter, checks, import and export. */
function TableActions({ target, filter, onDeleted, onTask, ...list }: TableActionsProps) {
  const { table, view, onViewChange } = list;
  const mayWrite = table.rights !== 'read';
  return (
    <>
      <GridToolbar
        {...list}
        filtering={filter.isOpen}
        onFiltering={filter.setOpen}
        onDeleted={onDeleted}
      />
      <LazyChecksMenu
        collection={target.collection}
        fields={table.columns}
        view={view}
        onViewChange={onViewChange}
      />
      <SpreadsheetMenu
        target={target}
        view={view}
        onImport={mayWrite ? () => onTask({ kind: 'import' }) : undefined}
        onBulkEdits={mayWrite ? () => onTask({ kind: 'list' }) : undefined}
      />
    </>
  );
}

interface TablePanelProps extends ViewProps {
  readonly panel: Panel;
  readonly onPanel: (panel: Panel | null) => void;
  readonly onOpenDeleted: (jrid: string) => void;
  readonly onRestored: () => void;
}

function TablePanel(props: TablePanelProps) {
  const { table, panel, onPanel, view, onViewChange, onOpenDeleted, onRestored } = props;
  const close = () => onPanel(null);
  return panel.kind === 'summary' ? (
    <SummaryPanel
      guid={table.guid}
      columns={table.columns}
      name={panel.column}
      onName={(column) => onPanel({ kind: 'summary', column })}
      view={view}
      onViewChange={onViewChange}
      onClose={close}
    />
  ) : (
    <DeletedPanel table={table} onOpen={onOpenDeleted} onRestored={onRestored} onClose={close} />
  );
}
