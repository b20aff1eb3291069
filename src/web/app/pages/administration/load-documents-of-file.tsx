import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/load-data.ts';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import type { CreatedForDocuments } from '#web/features/load-data/load-sheet.tsx';
import { DocumentsIntoArchive } from './documents-into-archive.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './load-job.module.css';

/** Stores files as documents of the archive that was created from a spreadsheet, which has their index data. */
export function LoadDocumentsOfFile({ table, ...given }: CreatedForDocuments) {
  const { username } = useSession();
  const { data: archive } = useQuery(archiveQuery(username, table));
  return (
    <section aria-label={texts.documents} className={shared.stack}>
      <h2 className={classes.heading}>{archive?.name ?? table}</h2>
      <DocumentsIntoArchive table={table} given={given} />
    </section>
  );
}
