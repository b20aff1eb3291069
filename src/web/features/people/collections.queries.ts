import { keywordFieldName } from '#shared/rules/names.ts';
import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/people.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import { type NamedCollection, namedCollections } from '#web/api/collections.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';

/** All archives and tables, as visible to administrators; undefined while loading. */
export function useCollections(): readonly NamedCollection[] | undefined {
  const { username } = useSession();
  const archives = useQuery(archivesQuery(username)).data;
  const tables = useQuery(tablesQuery).data;
  return archives && tables && namedCollections(archives, tables);
}

interface NamedField {
  /** its name in rights */
  readonly name: string;
  readonly label: string;
}

/** The fields of an archive or the columns of a table for which rights can differ; undefined while loading. */
export function useFieldsOf({ kind, id }: CollectionRef): readonly NamedField[] | undefined {
  const { username } = useSession();
  const archive = useQuery({ ...archiveQuery(username, id), enabled: kind === 'archive' }).data;
  const table = useQuery({ ...tableQuery(id), enabled: kind === 'table' }).data;
  if (kind === 'table') return table?.columns;
  return (
    archive && [
      ...archive.indexFieldDefinitions,
      ...archive.keywordFieldDefinitions.map(({ name, label }) => ({
        name: keywordFieldName(name),
        label: texts.keyword(label),
      })),
    ]
  );
}
