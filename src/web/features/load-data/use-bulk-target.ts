import { useQuery } from '@tanstack/react-query';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { type BulkTarget, bulkTargetOfArchive, bulkTargetOfTable } from '#web/api/bulk-target.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { combineQueries } from '#web/ui/combine-queries.ts';
import { tableQuery } from '#web/api/tables.queries.ts';

/** An archive or table with its fields; undefined until they are loaded. */
export function useBulkTarget(username: string, collection: CollectionRef | null) {
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
