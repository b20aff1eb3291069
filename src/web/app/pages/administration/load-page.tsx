import * as texts from '#messages/load-data.ts';
import { useNavigate } from '@tanstack/react-router';
import { LoadData } from '#web/features/load-data/load-data.tsx';
import { Page } from '#web/ui/page.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';

const LoadJob = lazyComponent(async () => (await import('./load-job.tsx')).LoadJob);

const LoadDocumentsOfFile = lazyComponent(
  async () => (await import('./load-documents-of-file.tsx')).LoadDocumentsOfFile,
);

/** Loads archives and tables from files, for administrators. */
export function LoadPage() {
  const navigate = useNavigate();
  return (
    <Page title={texts.title} body="prose">
      <LoadData
        onCreated={() => void navigate({ to: '/' })}
        renderDocuments={(created) => <LoadDocumentsOfFile {...created} />}
        renderJob={(rows, on) => <LoadJob key={rows.bulkEditId} rows={rows} {...on} />}
      />
    </Page>
  );
}
