import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import * as texts from '#messages/value-cleanup.ts';
import { useArchive, useTable } from '#web/api/collections.queries.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import { listLink } from '#web/api/list-link.ts';
import { readListView, writeListView } from '#web/api/list-view.ts';
import {
  type CleanedField,
  cleanedFieldOfArchive,
  cleanedFieldOfTable,
} from '#web/features/value-cleanup/cleaned-field.ts';
import {
  hasChosen,
  NO_CHOICES,
  type Replacement,
  withoutCorrected,
} from '#web/features/value-cleanup/cluster-choices.ts';
import { CLEANUP_KEY_LIST } from '#web/features/value-cleanup/cleanup-keys.ts';
import { ValueCleanup } from '#web/features/value-cleanup/value-cleanup.tsx';
import { cleanupKey } from '#web/features/value-cleanup/value-cleanup.queries.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { UnsavedChangesGuard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';
import { Page } from '#web/ui/page.tsx';
import { type ImportTask, ImportsAndJobs } from './imports-and-jobs.tsx';
import { ListLinkButton } from './list-link-button.tsx';

const SECTIONS = [{ title: texts.keySection, keys: CLEANUP_KEY_LIST }];

/** The values of an index field. */
export function ArchiveValuesPage() {
  const params = useParams({ from: '/archives/$archive/values/$field' });
  const archive = useArchive(params.archive);
  const field = useMemo(
    () => cleanedFieldOfArchive(archive, params.field),
    [archive, params.field],
  );
  return <ValuesPage field={field} />;
}

/** The values of a column. */
export function TableValuesPage() {
  const params = useParams({ from: '/tables/$guid/values/$field' });
  const table = useTable(params.guid);
  const field = useMemo(() => cleanedFieldOfTable(table, params.field), [table, params.field]);
  return <ValuesPage field={field} />;
}

function ValuesPage({ field }: { readonly field: CleanedField | null }) {
  if (!field) {
    return (
      <Page title={texts.noField}>
        <EmptyState title={texts.noField} />
      </Page>
    );
  }
  const { collection } = field.target;
  return <FieldPage key={`${collection.kind} ${collection.id} ${field.name}`} field={field} />;
}

function FieldPage({ field }: { readonly field: CleanedField }) {
  const { target, name, label } = field;
  const navigate = useNavigate();
  const client = useQueryClient();
  const view = readListView(useSearch({ strict: false }));
  const [task, setTask] = useState<ImportTask | null>(null);
  const [chosen, setChosen] = useState(NO_CHOICES);
  /** of the plan */
  const [replacements, setReplacements] = useState<readonly Replacement[]>([]);
  const [isApplied, setIsApplied] = useState(false);
  const where = view.where ?? [];
  const readAgain = () => {
    void client.invalidateQueries({ queryKey: cleanupKey(target.collection) });
    void client.invalidateQueries({ queryKey: collectionKey(target.collection) });
  };
  return (
    <LibraryProvider>
      <Page
        title={texts.title(label)}
        aside={target.name}
        actions={
          <ListLinkButton collection={target.collection} search={writeListView(view)}>
            {texts.toList}
          </ListLinkButton>
        }
      >
        <ValueCleanup
          field={field}
          filter={view}
          chosen={chosen}
          onChoose={setChosen}
          onShowAll={() => {
            const { where: _where, q: _q, ...others } = view;
            void navigate({ to: '.', search: writeListView(others), replace: true });
          }}
          onPlanned={(bulkEditId, planned) => {
            setReplacements(planned);
            setTask({ kind: 'job', bulkEditId });
          }}
          onShow={(value) => {
            const shown = { ...view, where: [...where, { field: name, op: 'eq' as const, value }] };
            void navigate(listLink(target.collection, writeListView(shown)));
          }}
        />
      </Page>
      <KeySheet sections={SECTIONS} />
      <UnsavedChangesGuard isUnsaved={hasChosen(chosen)} text={texts.lossWarning} allowsSamePage />
      {task && (
        <ImportsAndJobs
          target={target}
          task={task}
          onTask={setTask}
          onApplied={() => {
            setChosen(withoutCorrected(chosen, replacements));
            setIsApplied(true);
          }}
          onDone={() => {
            // A plan that was discarded has changed nothing.
            if (isApplied) readAgain();
            setIsApplied(false);
          }}
        />
      )}
    </LibraryProvider>
  );
}
