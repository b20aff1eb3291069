import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Page } from '#web/ui/page.tsx';

const route = getRouteApi('/frame/archives/$archive');

/** An archive: the list of its revisions and the form of the selected one. */
export function ArchivePage() {
  const params = route.useParams();
  const session = useSession();
  const { data: archive } = useSuspenseQuery(archiveQuery(session.username, params.archive));
  return (
    <Page title={archive.name} aside={`${archive.documents.toLocaleString('en')} revisions`}>
      {null}
    </Page>
  );
}
