import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { archivesQuery } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { tablesQuery } from '#web/api/tables.queries.ts';
import type { CollectionNames } from './event-text.ts';

/** The labels of archives and tables, by their table names and GUIDs. */
export function useCollectionNames(): CollectionNames {
  const { username } = useSession();
  const archives = useQuery(archivesQuery(username));
  const tables = useQuery(tablesQuery);
  return useMemo(
    () =>
      new Map([
        ...(archives.data ?? []).map(({ table, name }) => [table, name] as const),
        ...(tables.data ?? []).map(({ guid, label, name }) => [guid, label || name] as const),
      ]),
    [archives.data, tables.data],
  );
}
