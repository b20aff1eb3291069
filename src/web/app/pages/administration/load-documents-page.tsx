import * as texts from '#messages/document-upload.ts';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { DocumentUpload } from '#web/features/document-upload/document-upload.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import { Page } from '#web/ui/page.tsx';
import classes from './load-documents-page.module.css';

/** Stores files as documents of an archive, for administrators. */
export function LoadDocumentsPage() {
  const { username } = useSession();
  const { data: archives = [] } = useQuery(archivesQuery(username));
  const [table, setTable] = useState<string | null>(null);
  const { data: archive, error } = useQuery({
    ...archiveQuery(username, table ?? ''),
    enabled: table !== null,
  });
  return (
    <Page title={texts.title} body="prose">
      <div className={classes.parts}>
        <Field label={texts.archive}>
          {(tied) => (
            <Select
              {...tied}
              options={archives.map((one) => ({ value: one.table, label: one.name }))}
              value={table}
              onChange={setTable}
            />
          )}
        </Field>
        {error && <ErrorPanel error={error} />}
        {archive && (
          <DocumentUpload
            key={archive.table}
            username={username}
            archive={archive}
            renderLink={(revisionIds) => (
              <Link
                className={classes.link}
                to="/archives/$archive"
                params={{ archive: archive.table }}
                search={between(revisionIds)}
              >
                {texts.correct}
              </Link>
            )}
          />
        )}
      </div>
    </Page>
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
