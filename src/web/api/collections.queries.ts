import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { CollectionRef } from './api-paths.ts';
import { archiveQuery, archivesQuery } from './archives.queries.ts';
import { type BulkTarget, bulkTargetOfArchive, bulkTargetOfTable } from './bulk-target.ts';
import { combineQueries } from './combine-queries.ts';
import { namedCollections } from './named-collections.ts';
import { useSession } from './session.queries.ts';
import { tableQuery, tablesQuery } from './tables.queries.ts';

/** All archives and tables that the user may see; undefined until they are loaded. */
export function useCollections() {
  const { username } = useSession();
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  const data = archives.data && tables.data && namedCollections(archives.data, tables.data);
  return { data, ...combineQueries(archives, tables) };
}

/** An archive or table with its fields; undefined until they are loaded. */
export function useBulkTarget(collection: CollectionRef | null) {
  const { username } = useSession();
  const archive = useQuery({
    ...archiveQuery(username, collection?.id ?? ''),
    enabled: collection?.kind === 'archive',
  });
  const table = useQuery({
    ...tableQuery(collection?.id ?? ''),
    enabled: collection?.kind === 'table',
  });
  const target: BulkTarget | undefined =
    collection?.kind === 'archive'
      ? archive.data && bulkTargetOfArchive(archive.data)
      : table.data && bulkTargetOfTable(table.data);
  return { target, ...combineQueries(archive, table) };
}

/** The archive of a page, which its route has loaded. @param name its table name, as in the address */
export function useArchive(name: string) {
  const { username } = useSession();
  return useSuspenseQuery(archiveQuery(username, name)).data;
}

/** The table of a page, which its route has loaded. */
export function useTable(guid: string) {
  return useSuspenseQuery(tableQuery(guid)).data;
}
