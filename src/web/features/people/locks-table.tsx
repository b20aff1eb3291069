import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import * as texts from '#messages/people.ts';
import { writeListView } from '#web/api/list-view.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { combineQueries } from '#web/api/combine-queries.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { useCollections } from '#web/api/collections.queries.ts';
import { useReleaseLock } from './people.mutations.ts';
import { locksQuery } from './people.queries.ts';
import shared from '#web/ui/shared.module.css';

/** The locks of documents, with user and time; each can be released. */
export function LocksTable() {
  const locks = useQuery(locksQuery);
  const collections = useCollections();
  const { mutate, isPending, variables } = useReleaseLock();
  if (!locks.data || !collections.data) {
    return <QueryPending query={combineQueries(locks, collections)} title={texts.locksNotRead} />;
  }
  const named = collections.data;
  if (locks.data.length === 0) return <p className={shared.muted}>{texts.noLocks}</p>;
  const nameOf = (archive: string) =>
    named.find(({ collection: { kind, id } }) => kind === 'archive' && id === archive)?.name ??
    archive;
  return (
    <PlainTable
      isStacked
      headings={[texts.lockedDocument, texts.lockedBy, texts.lockedSince, texts.release]}
    >
      {locks.data.map(({ archive, revisionId, by, at }) => {
        const document = texts.documentOf({ archive: nameOf(archive), id: revisionId });
        return (
          <tr key={`${archive} ${revisionId}`}>
            <th data-label={texts.lockedDocument} scope="row">
              <Link
                to="/archives/$archive"
                params={{ archive }}
                search={writeListView({ selected: revisionId })}
              >
                {document}
              </Link>
            </th>
            <td data-label={texts.lockedBy}>{by}</td>
            <td data-label={texts.lockedSince}>{localInstant(at)}</td>
            <td data-label={texts.release}>
              <Button
                writes
                variant="default"
                size="compact-sm"
                aria-label={texts.releaseOf({ document, by })}
                loading={isPending && variables.revisionId === revisionId}
                onClick={() => mutate({ archive, revisionId })}
              >
                {texts.release}
              </Button>
            </td>
          </tr>
        );
      })}
    </PlainTable>
  );
}
