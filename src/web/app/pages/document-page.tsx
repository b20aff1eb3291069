import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useFollowing } from '#web/features/document-preview/detached.ts';
import { DocumentPane } from '#web/features/document-preview/document-pane.tsx';
import { revisionQuery } from '#web/features/index-form/revision.queries.ts';
import { Empty } from '#web/ui/empty.tsx';
import { useTitle } from '#web/ui/page.tsx';

const route = getRouteApi('/frame/archives/$archive/document');

/** The documents in a window of their own, following the list or queue of another. */
export function DocumentPage() {
  const params = route.useParams();
  const session = useSession();
  const { data: archive } = useSuspenseQuery(archiveQuery(session.username, params.archive));
  const { revisionId, aheadId, take } = useFollowing(archive.table);
  useTitle(revisionId === null ? archive.name : `Revision ${revisionId} · ${archive.name}`);
  const read = useQuery({
    ...revisionQuery(archive.table, revisionId ?? ''),
    enabled: revisionId !== null,
  });
  const ahead = useQuery({
    ...revisionQuery(archive.table, aheadId ?? ''),
    enabled: aheadId !== null,
  });
  if (revisionId === null) {
    return <Empty title="Open a revision in the other window; its document is shown here." />;
  }
  return (
    <DocumentPane
      archive={archive.table}
      revision={read.data?.revision}
      ahead={ahead.data?.revision}
      onTake={take}
    />
  );
}
