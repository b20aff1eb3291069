import * as texts from '#messages/document-upload.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { DocumentUpload } from '#web/features/document-upload/document-upload.tsx';
import type { GivenIndexFile } from '#web/features/document-upload/index-file.ts';
import { QueryPending } from '#web/ui/query-state.tsx';

interface DocumentsIntoArchiveProps {
  readonly table: string;
  /** a spreadsheet with index data that is known already; null: none */
  readonly given: GivenIndexFile | null;
}

/** Stores files as documents of an archive, and links to the list of the new ones. */
export function DocumentsIntoArchive({ table, given }: DocumentsIntoArchiveProps) {
  const { username } = useSession();
  const query = useQuery(archiveQuery(username, table));
  const archive = query.data;
  if (!archive) return <QueryPending query={query} title={texts.archiveNotRead} />;
  return (
    <DocumentUpload
      username={username}
      archive={archive}
      given={given}
      renderLink={(revisionIds) => (
        <Link
          to="/archives/$archive"
          params={{ archive: archive.table }}
          search={between(revisionIds)}
        >
          {texts.correct}
        </Link>
      )}
    />
  );
}

/** The filter of the list that shows the created revisions, from the first to the last. */
function between(revisionIds: readonly string[]): Record<string, string> {
  const ids = revisionIds.map(Number);
  return {
    'where[revisionId][gte]': String(ids.reduce((a, b) => Math.min(a, b))),
    'where[revisionId][lte]': String(ids.reduce((a, b) => Math.max(a, b))),
  };
}
