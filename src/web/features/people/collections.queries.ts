import { keywordFieldName } from '#shared/rules/names.ts';
import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/people.ts';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { archiveQuery, archivesQuery } from '#web/api/archives.queries.ts';
import { namedCollections } from '#web/api/named-collections.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tableQuery, tablesQuery } from '#web/api/tables.queries.ts';
import { combineQueries } from '#web/ui/combine-queries.ts';

/** All archives and tables, as visible to administrators. */
export function useCollections() {
  const { username } = useSession();
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  const data = archives.data && tables.data && namedCollections(archives.data, tables.data);
  return { data, ...combineQueries(archives, tables) };
}

interface NamedField {
  /** its name in rights */
  readonly name: string;
  readonly label: string;
}

/** The fields of an archive or the columns of a table for which rights can differ. */
export function useFieldsOf({ kind, id }: CollectionRef) {
  const { username } = useSession();
  const archive = useQuery({ ...archiveQuery(username, id), enabled: kind === 'archive' });
  const table = useQuery({ ...tableQuery(id), enabled: kind === 'table' });
  const data = kind === 'table' ? table.data?.columns : archive.data && namedFields(archive.data);
  return { data, ...combineQueries(archive, table) };
}

function namedFields(archive: ArchiveDetail): readonly NamedField[] {
  return [
    ...archive.indexFieldDefinitions,
    ...archive.keywordFieldDefinitions.map(({ name, label }) => ({
      name: keywordFieldName(name),
      label: texts.keyword(label),
    })),
  ];
}
