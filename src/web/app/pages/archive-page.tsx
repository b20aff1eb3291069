import * as texts from '#messages/workspaces.ts';
import { useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { useArchive } from '#web/api/collections.queries.ts';
import type { ListView } from '#web/api/list-view.ts';
import { usePatterns } from '#web/api/patterns.ts';
import type { ListHandle } from '#web/features/archive-list/revision-grid.tsx';
import { listFields } from '#web/features/archive-list/list-columns.ts';
import { ViewsStrip } from '#web/features/views/views-strip.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';
import { valuesInUse } from '#web/fields/values-in-use.queries.ts';
import { ListFilter } from '#web/list-tools/list-filter.tsx';
import { useFilterStrip } from '#web/list-tools/use-filter-strip.ts';
import { Page } from '#web/ui/page.tsx';
import { useUndo, useUndoHistory, useUndoShortcuts } from '#web/undo/use-undo.ts';
import { SplitPane } from '#web/ui/split-pane.tsx';
import { ArchiveActions } from './archive-actions.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './archive-page.module.css';
import { type JobTask, useTaskOverList } from '../bulk-edit-in-address.ts';
import { BulkActions, type BulkTask } from './bulk-actions.tsx';
import { RestoreLastView } from './restore-last-view.tsx';
import { RevisionList } from './revision-list.tsx';
import { useArchiveWorkspace } from './use-archive-workspace.ts';
import { useCorrections } from './use-corrections.ts';
import { useRevisionDocument } from './use-revision-document.ts';

const ROUTE = '/archives/$archive';

const FormWithHistory = lazyComponent(
  async () => (await import('./form-with-history.tsx')).FormWithHistory,
);
const DocumentPane = lazyComponent(
  async () => (await import('#web/features/document-preview/document-pane.tsx')).DocumentPane,
);
const ArchiveKeySheet = lazyDialog(
  async () => (await import('./archive-key-sheet.tsx')).ArchiveKeySheet,
);

/** An archive: the list of its revisions, the form of the selected one and its document. */
export function ArchivePage() {
  const archive = useArchive(useParams({ from: ROUTE }).archive);
  return (
    <RestoreLastView
      key={archive.guid}
      route={ROUTE}
      collection={{ kind: 'archive', id: archive.table }}
      title={archive.name}
      fields={archive.indexFieldDefinitions}
    >
      {(bulkEdit) => <ArchiveWorkspace archive={archive} bulkEdit={bulkEdit} />}
    </RestoreLastView>
  );
}

interface ArchiveWorkspaceProps {
  readonly archive: ArchiveDetail;
  /** the bulk edit that is shown over the list at first */
  readonly bulkEdit: JobTask | null;
}

function ArchiveWorkspace({ archive, bulkEdit }: ArchiveWorkspaceProps) {
  const collection = { kind: 'archive', id: archive.table } as const;
  const grid = useRef<ListHandle>(null);
  const workspace = useArchiveWorkspace(archive, grid);
  const { view, changeView } = workspace;
  const { selected } = view;
  const filter = useFilterStrip(view);
  const [bulkTask, setBulkTask] = useTaskOverList<BulkTask>(ROUTE, bulkEdit);
  const corrections = useCorrections(archive);
  const patterns = usePatterns(
    archive.indexFieldDefinitions,
    selected !== undefined || bulkTask !== null,
  );
  const openForm = (id: string) => workspace.open(id, true);
  // While no form is open. Without these keys the browser would undo in the search field.
  const undo = useUndo({
    history: useUndoHistory(archive.table),
    shownId: undefined,
    onOpen: openForm,
  });
  useUndoShortcuts(undo, { inFields: false, enabled: selected === undefined });
  const { read, preview, pane } = useRevisionDocument({
    archive: archive.table,
    revisionId: selected,
    nextId: workspace.nextId,
  });
  const showView = (next: ListView) => {
    changeView(next);
    filter.showView(next);
  };
  return (
    <Page
      title={archive.name}
      aside={corrections ? undefined : texts.readOnly}
      actions={
        <ArchiveActions
          archive={archive}
          workspace={workspace}
          filter={filter}
          corrections={corrections}
          onBulkTask={setBulkTask}
        />
      }
    >
      <div className={`${shared.column} ${classes.workspace}`}>
        <ViewsStrip
          collection={collection}
          name={archive.name}
          total={archive.documents}
          view={view}
          mayShare={archive.rights === 'manage'}
          onViewChange={showView}
        />
        <ListFilter
          filter={filter}
          suggest={({ name }) => valuesInUse(archive.table, name)}
          collection={collection}
          fields={listFields(archive)}
          view={view}
          onViewChange={changeView}
        />
        <div className={`${shared.rest} ${classes.panes}`}>
          <SplitPane
            name="archive-document"
            label={texts.documentWidth}
            initial={480}
            start={
              <SplitPane
                name="archive-form"
                label={texts.formWidth}
                initial={390}
                min={300}
                start={
                  <RevisionList
                    archive={archive}
                    workspace={workspace}
                    corrections={corrections}
                    onShowView={showView}
                    onFilter={filter.openFor}
                    onBulkTask={setBulkTask}
                    ref={grid}
                  />
                }
                end={
                  selected === undefined ? null : (
                    <section className={classes.form} aria-label={texts.formOf(selected)}>
                      {patterns && (
                        <FormWithHistory
                          archive={archive}
                          revisionId={selected}
                          {...workspace.form}
                          onOpen={openForm}
                          onClose={workspace.close}
                          preview={preview}
                          version={read.data?.etag ?? null}
                        />
                      )}
                    </section>
                  )
                }
              />
            }
            end={pane && <DocumentPane {...pane} />}
          />
        </div>
      </div>
      <KeySheet Dialog={ArchiveKeySheet} />
      {bulkTask && patterns && (
        <BulkActions archive={archive} task={bulkTask} onTask={setBulkTask} />
      )}
    </Page>
  );
}
