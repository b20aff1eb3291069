import { useQuery } from '@tanstack/react-query';
import { archiveQuery } from '#web/api/archives.queries.ts';
import { type BulkTarget, bulkTargetOfArchive, bulkTargetOfTable } from '#web/api/bulk-target.ts';
import type { ListPlace } from '#web/api/api-paths.ts';
import { tableQuery } from '#web/api/tables.queries.ts';

/** An archive or table with its fields; undefined until they are loaded. */
export function useBulkTarget(username: string, place: ListPlace | null) {
  const archive = useQuery({
    ...archiveQuery(username, place?.id ?? ''),
    enabled: place?.kind === 'archive',
  });
  const table = useQuery({ ...tableQuery(place?.id ?? ''), enabled: place?.kind === 'table' });
  const target: BulkTarget | undefined =
    place?.kind === 'archive'
      ? archive.data && bulkTargetOfArchive(archive.data)
      : table.data && bulkTargetOfTable(table.data);
  return { target, error: place?.kind === 'archive' ? archive.error : table.error };
}
