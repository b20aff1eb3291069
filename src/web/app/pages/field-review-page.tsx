import * as texts from '#messages/field-review.ts';
import * as workspaceTexts from '#messages/workspaces.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { useArchive } from '#web/api/collections.queries.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { bulkTargetOfArchive } from '#web/api/bulk-target.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { listLink } from '#web/api/list-link.ts';
import { readListView, writeListView } from '#web/api/list-view.ts';
import { usePatterns } from '#web/api/patterns.ts';
import { FIRST_FIELD, reviewLink } from '#web/api/review-link.ts';
import { refetchRevision } from '#web/api/revisions.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useStore } from '#web/api/use-store.ts';
import { Clipping } from '#web/features/document-preview/clipping.tsx';
import type { CorrectionsFile } from '#web/features/field-review/corrections-file.ts';
import { FieldReview } from '#web/features/field-review/field-review.tsx';
import { reviewableFields } from '#web/features/field-review/review-bar.tsx';
import { REVIEW_KEY_LIST } from '#web/features/field-review/review-keys.ts';
import { draftsOf } from '#web/features/index-form/drafts.ts';
import { usePlanImport } from '#web/api/file-imports.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';
import { notifyFailure } from '#web/ui/notify.ts';
import { Page } from '#web/ui/page.tsx';
import { type ImportTask, ImportsAndJobs } from './imports-and-jobs.tsx';
import { ListLinkButton } from './list-link-button.tsx';

const ROUTE = '/archives/$archive/fields/$field';
const SECTIONS = [{ title: texts.keySection, keys: REVIEW_KEY_LIST }];

/** One field of the records of a list, each next to the part of its document that contains the field. */
export function FieldReviewPage() {
  const params = useParams({ from: ROUTE });
  const archive = useArchive(params.archive);
  return <Review key={`${archive.guid} ${params.field}`} archive={archive} name={params.field} />;
}

/** A plan and its revisions. */
interface Planned {
  readonly task: ImportTask;
  readonly ids: readonly string[];
}

function Review({ archive, name }: { readonly archive: ArchiveDetail; readonly name: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { username } = useSession();
  const search = useSearch({ from: ROUTE });
  const view = useMemo(() => readListView(search), [search]);
  const drafts = draftsOf(client, username, archive.table);
  const isReady = useStore(drafts.ready);
  const hasPatterns = usePatterns(archive.indexFieldDefinitions, true);
  const fields = reviewableFields(archive);
  const field =
    name === FIRST_FIELD
      ? (fields.find(({ definition }) => definition?.onPage) ?? fields[0])
      : fields.find((candidate) => candidate.name === name);
  const [planned, setPlanned] = useState<Planned | null>(null);
  const collection = { kind: 'archive', id: archive.table } as const;
  const planImport = usePlanImport();
  const plan = ({ file, columns, separator }: CorrectionsFile, ids: readonly string[]) =>
    planImport.mutate(
      { collection, file, columns, format: { separator }, mode: null, key: null },
      {
        onSuccess: ({ bulkEditId }) => setPlanned({ task: { kind: 'job', bulkEditId }, ids }),
        onError: (error) => notifyFailure(texts.notPlanned(summary(toFailure(error)))),
      },
    );
  const definition = field?.definition;
  const renderClipping = useCallback(
    (revision: RevisionDetail) =>
      definition && (
        <Clipping
          key={revision.revisionId}
          archive={archive}
          revision={revision}
          field={definition}
        />
      ),
    [archive, definition],
  );
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: archiveKeys.one(archive.table) });
    // Also for revisions that are not on the screen: stored values are no longer drafts.
    for (const id of planned?.ids ?? [])
      void refetchRevision(client, archive.table, id).catch(() => undefined);
  };
  return (
    <LibraryProvider>
      <Page
        title={texts.title({ field: field?.label ?? name, of: archive.name })}
        aside={archive.rights === 'read' ? workspaceTexts.readOnly : undefined}
        actions={
          <ListLinkButton collection={collection} search={writeListView(view)}>
            {texts.toList}
          </ListLinkButton>
        }
      >
        {!field || archive.rights === 'read' ? (
          <EmptyState title={texts.unknownField} />
        ) : (
          isReady &&
          hasPatterns && (
            <FieldReview
              key={JSON.stringify(view)}
              archive={archive}
              field={field}
              view={view}
              drafts={drafts}
              onPlan={plan}
              isPlanning={planImport.isPending}
              onField={(other) => void navigate(reviewLink(archive.table, other, view))}
              onOpen={(id) =>
                void navigate(listLink(collection, writeListView({ ...view, selected: id })))
              }
              renderClipping={renderClipping}
            />
          )
        )}
      </Page>
      <KeySheet sections={SECTIONS} />
      {planned && (
        <ImportsAndJobs
          target={bulkTargetOfArchive(archive)}
          task={planned.task}
          onTask={(task) => setPlanned(task && { ...planned, task })}
          onDone={readAgain}
        />
      )}
    </LibraryProvider>
  );
}
