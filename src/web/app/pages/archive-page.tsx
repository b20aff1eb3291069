import * as texts from '#messages/workspaces.ts';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import type { ListView } from '#web/api/list-view.ts';
import { usePatterns } from '#web/api/patterns.ts';
import { useSession } from '#web/api/session.queries.ts';
import { ArchiveList } from '#web/features/archive-list/archive-list.tsx';
import { LIST_KEYS } from '#web/features/archive-list/list-keys.ts';
import { listFields } from '#web/features/archive-list/list-columns.ts';
import { shownView } from '#web/features/views/view-text.ts';
import { viewsQuery } from '#web/api/views.queries.ts';
import { ViewsStrip } from '#web/features/views/views-strip.tsx';
import type { ListHandle } from '#web/features/archive-list/revision-grid.tsx';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { draftsOf, useUnsaved } from '#web/features/index-form/drafts.ts';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';
import { valuesInUse } from '#web/fields/values-in-use.queries.ts';
import { LazyFilterChips } from '#web/list-tools/lazy-filter-chips.tsx';
import { LazyFilterStrip } from '#web/list-tools/lazy-filter-strip.tsx';
import { useFilterStrip } from '#web/list-tools/use-filter-strip.ts';
import { Page } from '#web/ui/page.tsx';
import { SplitPane } from '#web/ui/split-pane.tsx';
import { ArchiveActions } from './archive-actions.tsx';
import classes from './archive-page.module.css';
import { type JobTask, useAddressWithoutBatch } from '../batch-in-address.ts';
import { BulkActions, type BulkTask } from './bulk-actions.tsx';
import { LastView } from './last-view.tsx';
import { useArchiveWorkspace } from './use-archive-workspace.ts';
import { useCorrections } from './use-corrections.ts';
import { useRevisionDocument } from './use-revision-document.ts';
import { useShowValues } from './use-show-values.ts';
import { useUndoInList } from './use-undo-in-list.ts';

const ROUTE = '/archives/$archive';

const FormWithHistory = lazyComponent(
  async () => (await import('./form-with-history.tsx')).FormWithHistory,
  {
    layout: 'pane',
  },
);
const DocumentPane = lazyComponent(
  async () => (await import('#web/features/document-preview/document-pane.tsx')).DocumentPane,
  { layout: 'pane' },
);
const ListDone = lazyComponent(
  async () => (await import('#web/features/views/list-done.tsx')).ListDone,
  {
    layout: 'pane',
  },
);

const ArchiveKeySheet = lazyDialog(
  async () => (await import('./archive-key-sheet.tsx')).ArchiveKeySheet,
);

/** An archive: the list of its revisions, the form of the selected one and its document. */
export function ArchivePage() {
  const { archive: name } = useParams({ from: ROUTE });
  const session = useSession();
  const { data: archive } = useSuspenseQuery(archiveQuery(session.username, name));
  return (
    <LastView
      key={archive.guid}
      route={ROUTE}
      collection={{ kind: 'archive', id: archive.table }}
      title={archive.name}
      fields={archive.indexFieldDefinitions}
    >
      {(batch) => <ArchiveWorkspace archive={archive} batch={batch} />}
    </LastView>
  );
}

interface ArchiveWorkspaceProps {
  readonly archive: ArchiveDetail;
  /** the bulk edit that is shown over the list at first */
  readonly batch: JobTask | null;
}

function ArchiveWorkspace({ archive, batch }: ArchiveWorkspaceProps) {
  const client = useQueryClient();
  const session = useSession();
  const grid = useRef<ListHandle>(null);
  const workspace = useArchiveWorkspace(archive, grid);
  const { view, rows, changeView } = workspace;
  const { selected } = view;
  const drafts = draftsOf(client, session.username, archive.table);
  const unsaved = useUnsaved(drafts);
  const filter = useFilterStrip((view.where?.length ?? 0) > 0);
  const [bulkTask, setBulkTask] = useState<BulkTask | null>(batch);
  useAddressWithoutBatch(ROUTE, bulkTask === null);
  const showValues = useShowValues(bulkTargetOfArchive(archive).collection, view);
  const patterns = usePatterns(
    archive.indexFieldDefinitions,
    selected !== undefined || bulkTask !== null,
  );

  useUndoInList({
    archive: archive.table,
    username: session.username,
    onOpen: (id) => workspace.open(id, true),
    enabled: selected === undefined,
  });

  const { read, preview, pane } = useRevisionDocument({
    archive: archive.table,
    revisionId: selected,
    nextId: workspace.nextId,
  });

  const collection = { kind: 'archive', id: archive.table } as const;
  const fields = listFields(archive);
  const { data: views = [] } = useQuery(viewsQuery(collection));
  const currentView = shownView(views, view);
  const corrections = useCorrections(archive, views);
  const showView = (next: ListView) => {
    changeView(next);
    filter.setOpen((next.where?.length ?? 0) > 0);
  };
  const openNextUnsaved = () => {
    const ids = [...unsaved];
    const next = ids[(ids.indexOf(selected ?? '') + 1) % ids.length];
    if (next !== undefined) workspace.open(next, true);
  };

  const list = (
    <ArchiveList
      archive={archive}
      rows={rows}
      view={view}
      onViewChange={changeView}
      onOpen={workspace.open}
      onClose={workspace.close}
      onFilter={filter.openFor}
      onCleanUp={showValues}
      unsaved={unsaved}
      onNextUnsaved={openNextUnsaved}
      done={
        currentView && (
          <ListDone
            collection={collection}
            done={currentView}
            view={view}
            keys={LIST_KEYS.correct}
            onViewChange={(next) => {
              showView(next);
              workspace.enterList();
            }}
          />
        )
      }
      onCorrectOneByOne={corrections?.startQueueOfChosen}
      onCorrectTogether={
        corrections ? (chosen) => setBulkTask({ kind: 'together', chosen }) : undefined
      }
      onReview={corrections?.reviewChosen}
      onCorrectByRules={
        corrections ? (selection) => setBulkTask({ kind: 'rules', archive, selection }) : undefined
      }
      ref={grid}
    />
  );
  const form = selected !== undefined && (
    <section className={classes.form} aria-label={texts.formOf(selected)}>
      {patterns && (
        <FormWithHistory
          archive={archive}
          revisionId={selected}
          {...workspace.form}
          onOpen={(id) => workspace.open(id, true)}
          onClose={workspace.close}
          preview={preview}
          version={read.data?.etag ?? null}
        />
      )}
    </section>
  );
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
      <div className={classes.workspace}>
        <ViewsStrip
          list={{
            collection,
            name: archive.name,
            total: archive.documents,
          }}
          view={view}
          mayShare={archive.rights === 'manage'}
          onViewChange={showView}
        />
        {filter.isOpen ? (
          <LazyFilterStrip
            key={filter.request}
            collection={collection}
            fields={fields}
            begin={filter.begin}
            suggest={({ name }) => valuesInUse(archive.table, name)}
            where={view.where ?? []}
            onFilter={(where) => changeView({ ...view, where })}
          />
        ) : (
          <LazyFilterChips
            collection={collection}
            fields={fields}
            view={view}
            onViewChange={changeView}
            onEdit={() => filter.setOpen(true)}
          />
        )}
        <div className={classes.panes}>
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
                start={list}
                end={form || null}
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
