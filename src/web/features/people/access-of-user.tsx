import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/people.ts';
import type { AccessEntry } from '#shared/contract/configuration-people.ts';
import { collectionName } from '#web/api/named-collections.ts';
import { combineQueries } from '#web/api/combine-queries.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import shared from '#web/ui/shared.module.css';
import { useCollections } from '#web/api/collections.queries.ts';
import { useFieldsOf } from './use-fields-of.ts';
import { accessQuery } from './people.queries.ts';

/** A user's access to each archive and table, and its reasons. */
export function AccessOfUser({ username }: { readonly username: string }) {
  const access = useQuery(accessQuery(username));
  const collections = useCollections();
  if (!access.data || !collections.data) {
    return <QueryPending query={combineQueries(access, collections)} title={texts.accessNotRead} />;
  }
  const named = collections.data;
  if (access.data.length === 0) return <p className={shared.muted}>{texts.noAccess}</p>;
  return (
    <PlainTable
      isStacked
      headings={[texts.collection, texts.right, texts.because, texts.restrictedFields]}
    >
      {access.data.map((entry) => (
        <tr key={entry.archive ?? entry.table}>
          <th scope="row" data-label={texts.collection}>
            {collectionName(named, entry.archive ?? entry.table ?? '')}
          </th>
          <td data-label={texts.right}>{texts.rightTexts[entry.right]}</td>
          <td data-label={texts.because}>{entry.because.join(', ')}</td>
          <td data-label={texts.restrictedFields}>
            <RestrictedFields entry={entry} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

/** The fields with less access than the right gives, by their labels. */
function RestrictedFields({ entry }: { readonly entry: AccessEntry }) {
  const { archive, table, right, fields } = entry;
  const { data: labels } = useFieldsOf(
    archive === undefined ? { kind: 'table', id: table ?? '' } : { kind: 'archive', id: archive },
  );
  const usual = right === 'read' ? 'read' : 'write';
  return fields
    .filter(({ access }) => access !== usual)
    .map(({ name, access }) => {
      const label = labels?.find((field) => field.name === name)?.label ?? name;
      return texts.fieldWithAccess({ name: label, access: texts.accessTexts[access] });
    })
    .join(', ');
}
