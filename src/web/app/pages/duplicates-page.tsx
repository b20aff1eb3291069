import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import * as texts from '#messages/duplicates.ts';
import * as workspaceTexts from '#messages/workspaces.ts';
import { useArchive, useTable } from '#web/api/collections.queries.ts';
import { listLink } from '#web/api/list-link.ts';
import { DocumentPane } from '#web/features/document-preview/document-pane.tsx';
import { VIEWER_KEY_LIST } from '#web/features/document-preview/viewer-keys.ts';
import {
  comparedArchive,
  type ComparedCollection,
  comparedTable,
} from '#web/features/duplicates/compare.ts';
import { DUPLICATES_KEY_LIST } from '#web/features/duplicates/duplicates-keys.ts';
import { Duplicates } from '#web/features/duplicates/duplicates.tsx';
import { KeySheet } from '#web/ui/key-sheet.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';
import { Page } from '#web/ui/page.tsx';
import { ListLinkButton } from './list-link-button.tsx';

const SECTIONS = [
  { title: texts.title, keys: DUPLICATES_KEY_LIST },
  { title: workspaceTexts.keySections.document, keys: VIEWER_KEY_LIST },
];

/** The duplicates of an archive that a check finds. */
export function ArchiveDuplicatesPage() {
  const params = useParams({ from: '/archives/$archive/duplicates/$check' });
  const archive = useArchive(params.archive);
  const compared = useMemo(() => comparedArchive(archive), [archive]);
  return <DuplicatesPage compared={compared} check={params.check} />;
}

/** The duplicates of a table that a check finds. */
export function TableDuplicatesPage() {
  const params = useParams({ from: '/tables/$guid/duplicates/$check' });
  const table = useTable(params.guid);
  const compared = useMemo(() => comparedTable(table), [table]);
  return <DuplicatesPage compared={compared} check={params.check} />;
}

interface DuplicatesPageProps {
  readonly compared: ComparedCollection;
  readonly check: string;
}

function DuplicatesPage({ compared, check }: DuplicatesPageProps) {
  const { collection } = compared;
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  return (
    <LibraryProvider>
      <Page
        title={texts.titleIn(compared.name)}
        actions={<ListLinkButton collection={collection}>{texts.toList}</ListLinkButton>}
      >
        <Duplicates
          key={`${check} ${search.record ?? ''}`}
          compared={compared}
          check={check}
          record={search.record ?? null}
          group={search.group ?? null}
          onGroup={(group) =>
            void navigate({ to: '.', search: (before) => ({ ...before, group }), replace: true })
          }
          onEdit={(id) => void navigate(listLink(collection, { selected: id }))}
          renderDocument={(revision) => (
            <DocumentPane archive={collection.id} revision={revision} nextRevision={undefined} />
          )}
        />
      </Page>
      <KeySheet sections={SECTIONS} />
    </LibraryProvider>
  );
}
