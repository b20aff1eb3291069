import * as texts from '#messages/document-upload.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { namedCollections } from '#web/api/named-collections.ts';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Field } from '#web/ui/field.tsx';
import { useConfirmDiscard } from '#web/ui/form/unsaved-changes-guard.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import { Page } from '#web/ui/page.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { DocumentsIntoArchive } from './documents-into-archive.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './load-documents-page.module.css';

/** Stores files as documents of an archive, for administrators. */
export function LoadDocumentsPage() {
  const { username } = useSession();
  const archives = useQuery(archivesQuery(username));
  const [table, setTable] = useState<string | null>(null);
  const { confirmDiscard, question } = useConfirmDiscard(texts.leaveText);
  return (
    <Page title={texts.title} body="prose">
      <div className={classes.parts}>
        {archives.data ? (
          <div className={shared.input}>
            <Field label={texts.archive}>
              {(controlProps) => (
                <Select
                  {...controlProps}
                  options={namedCollections(archives.data, []).map(({ collection, name }) => ({
                    value: collection.id,
                    label: name,
                  }))}
                  placeholder={texts.chooseArchive}
                  value={table}
                  onChange={(next) => confirmDiscard(() => setTable(next))}
                />
              )}
            </Field>
          </div>
        ) : (
          <QueryPending query={archives} title={texts.archivesNotRead} />
        )}
        {question}
        {table !== null && <DocumentsIntoArchive key={table} table={table} given={null} />}
      </div>
    </Page>
  );
}
