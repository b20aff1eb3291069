import * as texts from '#messages/workspaces.ts';
import * as queuePageTexts from '#messages/queue-page.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { Queue } from '#shared/contract/workspace-answers.ts';
import { useArchive } from '#web/api/collections.queries.ts';
import { type CallError, hasStatus } from '#web/api/failure.ts';
import { listLink } from '#web/api/list-link.ts';
import { type ListView, writeListView } from '#web/api/list-view.ts';
import { usePatterns } from '#web/api/patterns.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useStore } from '#web/api/use-store.ts';
import { FlagButton } from '#web/features/correction-queue/flag-button.tsx';
import { queueQuery } from '#web/features/correction-queue/queue.queries.ts';
import { QueueBar } from '#web/features/correction-queue/queue-bar.tsx';
import { QUEUE_KEY_LIST } from '#web/features/correction-queue/queue-keys.ts';
import { DocumentPane } from '#web/features/document-preview/document-pane.tsx';
import { VIEWER_KEY_LIST } from '#web/features/document-preview/viewer-keys.ts';
import { draftsOf } from '#web/features/index-form/drafts.ts';
import { FORM_KEY_LIST } from '#web/features/index-form/form-keys.ts';
import { labelOf } from '#web/features/index-form/form-values.ts';
import { invalidateDependents } from '#web/api/revisions.queries.ts';
import { inputAssistOf } from '#web/features/index-form/input-assist.ts';
import { Button } from '#web/ui/button.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { discardFormKeys, bufferFormKeys, mayTakeKeys } from '#web/ui/form-key-buffer.ts';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { notify } from '#web/ui/notify.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Page } from '#web/ui/page.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { SplitPane } from '#web/ui/split-pane.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './correction-page.module.css';
import { FormWithHistory } from './form-with-history.tsx';
import { useQueueWorkspace } from './use-queue-workspace.ts';
import { useRevisionDocument } from './use-revision-document.ts';
import { useStartQueue } from '../use-start-queue.ts';

const QueueComplete = lazyComponent(
  async () => (await import('./queue-complete.tsx')).QueueComplete,
);

const SECTIONS = [
  { title: texts.keySections.queue, keys: QUEUE_KEY_LIST },
  { title: texts.keySections.form, keys: FORM_KEY_LIST },
  { title: texts.keySections.document, keys: VIEWER_KEY_LIST },
];

/** A queue: one revision after the other, its form beside its document. */
export function CorrectionPage() {
  const params = useParams({ from: '/archives/$archive/queue/$queueId' });
  const archive = useArchive(params.archive);
  const { data: queue } = useSuspenseQuery(queueQuery(archive.table, params.queueId));
  return (
    <LibraryProvider>
      <Correction key={queue.queueId} archive={archive} queue={queue} />
    </LibraryProvider>
  );
}

interface CorrectionProps {
  readonly archive: ArchiveDetail;
  readonly queue: Queue;
}

function Correction({ archive, queue }: CorrectionProps) {
  const client = useQueryClient();
  const { username } = useSession();
  const navigate = useNavigate();
  const { table } = archive;
  const unsaved = useStore(draftsOf(client, username, table).ids);
  const workspace = useQueueWorkspace(archive, queue, unsaved);
  const { queueNavigator, revisionId, list } = workspace;
  const patterns = usePatterns(archive.indexFieldDefinitions, true);
  const document = useRevisionDocument({
    archive: table,
    revisionId,
    nextId: workspace.nextId,
  });
  useSkipDeleted(table, workspace, document.read.error);
  useEndOfQueue(table, queue.queueId, queueNavigator.atEnd);

  const openList = (view: ListView) =>
    void navigate(listLink({ kind: 'archive', id: table }, writeListView(view)));
  const leave = () => openList(list);
  const { start } = useStartQueue(table);
  const open = (id: string) => {
    if (!queueNavigator.goToRevision(id)) openList({ selected: id });
  };
  return (
    <Page
      title={archive.name}
      aside={
        <span className={classes.more}>
          {queue.name === '' ? queuePageTexts.oneByOne : queue.name}
        </span>
      }
      actions={
        <Button variant="subtle" color="gray" onClick={leave}>
          {queuePageTexts.exitQueue}
        </Button>
      }
    >
      <div className={shared.column}>
        <CorrectionBar archive={archive} workspace={workspace} unsaved={unsaved} />
        <div className={shared.rest}>
          {queueNavigator.error && (
            <ErrorPanel
              error={queueNavigator.error}
              title={queuePageTexts.queueNotRead}
              onRetry={queueNavigator.retry}
            />
          )}
          {queueNavigator.atEnd ? (
            <QueueComplete
              archive={archive}
              queueNavigator={queueNavigator}
              filter={list}
              onLeave={leave}
              onStart={start}
              onOpen={open}
            />
          ) : (
            <SplitPane
              name="queue-document"
              label={texts.documentWidth}
              initial={initialDocumentWidth()}
              max={1600}
              start={
                revisionId === undefined ? (
                  !queueNavigator.error && <QueueLoading />
                ) : (
                  <QueueForm
                    archive={archive}
                    queue={queue}
                    revisionId={revisionId}
                    workspace={workspace}
                    document={document}
                    hasPatterns={patterns}
                    onOpen={open}
                    onLeave={leave}
                  />
                )
              }
              end={document.pane && <DocumentPane {...document.pane} />}
            />
          )}
        </div>
      </div>
      <KeySheet sections={SECTIONS} />
    </Page>
  );
}

type Workspace = ReturnType<typeof useQueueWorkspace>;

interface CorrectionBarProps {
  readonly archive: ArchiveDetail;
  readonly workspace: Workspace;
  /** the revisions with unsaved changes */
  readonly unsaved: ReadonlySet<string>;
}

/** The position in the queue with its commands, and the flag of the present revision. */
function CorrectionBar({ archive, workspace, unsaved }: CorrectionBarProps) {
  const { queueNavigator, revisionId, listField } = workspace;
  return (
    <QueueBar
      queueNavigator={queueNavigator}
      unsaved={[...unsaved].filter((id) => id !== revisionId && queueNavigator.contains(id))}
      onUnsaved={(id) => void queueNavigator.goToRevision(id)}
      onSkip={workspace.next}
      onBack={workspace.back}
      listField={
        listField === null || queueNavigator.atEnd ? undefined : labelOf(archive, listField)
      }
      onListField={workspace.enterListField}
    >
      {revisionId !== undefined && (
        <FlagButton
          key={revisionId}
          archive={archive.table}
          revisionId={revisionId}
          onGoOn={workspace.next}
          onBack={workspace.enter}
        />
      )}
    </QueueBar>
  );
}

/** If the revision was deleted, the user is informed and the queue continues, unless the user has typed something. */
function useSkipDeleted(
  archive: string,
  { revisionId, hasDraft, queueNavigator }: Workspace,
  error: CallError | null,
): void {
  const client = useQueryClient();
  const isDeleted = hasStatus(error, 404) && !hasDraft;
  const deletedId = isDeleted ? revisionId : undefined;
  const skipDeleted = useEffectEvent(() => {
    // Text that was typed for this revision must not reach the next one.
    discardFormKeys();
    if (mayTakeKeys(null)) bufferFormKeys();
    queueNavigator.skipDeleted();
    invalidateDependents(client, archive);
  });
  useEffect(() => {
    if (deletedId !== undefined) skipDeleted();
  }, [deletedId]);
}

/** Buffered keys and carried over values end with the queue. */
function useEndOfQueue(archive: string, queueId: string, atEnd: boolean): void {
  const client = useQueryClient();
  const { username } = useSession();
  useEffect(() => {
    if (!atEnd) return;
    discardFormKeys();
    inputAssistOf(client, username, archive).changeCarriedOver(queueId, () => new Map());
  }, [atEnd, client, username, archive, queueId]);
}

interface QueueFormProps extends CorrectionProps {
  readonly revisionId: string;
  readonly workspace: Workspace;
  readonly document: ReturnType<typeof useRevisionDocument>;
  readonly hasPatterns: boolean;
  /** opens a revision, in the queue if it belongs to it */
  readonly onOpen: (revisionId: string) => void;
  readonly onLeave: () => void;
}

/** The form of the present revision. */
function QueueForm(props: QueueFormProps) {
  const { archive, queue, revisionId, workspace, document, hasPatterns, onOpen, onLeave } = props;
  const { queueNavigator } = workspace;
  const onNotSaved = (id: string, outcome: string) => {
    queueNavigator.markNotSaved(id);
    if (outcome === 'conflict') notify(queuePageTexts.valueConflict(id));
  };
  return (
    <section className={classes.form} aria-label={texts.formOf(revisionId)}>
      {hasPatterns && (
        <FormWithHistory
          archive={archive}
          revisionId={revisionId}
          queue={{
            id: queue.queueId,
            onNotSaved,
            onSaveStateChange: queueNavigator.markSaveState,
            onFinished: workspace.done,
          }}
          listPosition={{ index: queueNavigator.position, count: queueNavigator.total }}
          onMove={(by) => (by === 1 ? workspace.next() : workspace.back())}
          onBack={onLeave}
          onClose={onLeave}
          onOpen={onOpen}
          preview={document.preview}
          focusOn={workspace.focusOn}
          focusSelects={workspace.focusSelects}
          onFocused={workspace.focused}
          onFieldFocus={queueNavigator.rememberField}
          // In a queue Enter always moves on to the next form.
          onEnterNext={() => undefined}
          version={document.read.data?.etag ?? null}
        />
      )}
    </section>
  );
}

/** Half of a narrow window, so that the labels of the form keep to their lines. */
function initialDocumentWidth(): number {
  return Math.min(720, Math.round(window.innerWidth / 2));
}

/** Placeholder while the next revisions of the queue are loading. */
function QueueLoading() {
  return (
    <div className={classes.loading}>
      <Spinner size={22} label={queuePageTexts.loadingQueue} />
    </div>
  );
}
