import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { readHistory } from '#web/api/history.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { datasetCalls } from './edit-store/datasets.calls.ts';
import { patchPages } from './datasets.queries.ts';
import type { EditStore } from './edit-store/edit-store.ts';
import type { ServerRecord } from './edit-store/edits.ts';

const recordKey = (guid: string, jrid: string) => [...tableKeys.one(guid), 'record', jrid] as const;

/** One record by its id, in the list or not. The lists show the loaded values too. */
export const recordQuery = (guid: string, jrid: string, editStore: EditStore) =>
  queryOptions({
    queryKey: recordKey(guid, jrid),
    queryFn: async ({ client }): Promise<ServerRecord> => {
      const requestedAt = performance.now();
      const found = await datasetCalls(guid).get(jrid);
      const newest = editStore.newerThan(jrid, requestedAt) ?? found;
      patchPages(client, guid, newest);
      return newest;
    },
    retry: false,
  });

/** Updates the open form of a record with an answer. */
export function patchRecord(client: QueryClient, guid: string, stored: ServerRecord): void {
  const key = recordKey(guid, stored.dataset.jrid);
  if (client.getQueryState(key)) client.setQueryData<ServerRecord>(key, stored);
}

/** The record as its form shows it. */
export function cachedRecord(
  client: QueryClient,
  guid: string,
  jrid: string,
): ServerRecord | undefined {
  return client.getQueryData<ServerRecord>(recordKey(guid, jrid));
}

/** Reloads the form's record: it was deleted or restored. */
export function refetchRecords(client: QueryClient, guid: string): Promise<void> {
  return client.invalidateQueries({ queryKey: [...tableKeys.one(guid), 'record'] });
}

/** The history of a record, newest first, also of a deleted one. `version` is its ETag: every change refetches it. */
export const recordHistoryQuery = (guid: string, jrid: string, version: string | null) =>
  queryOptions({
    queryKey: [...tableKeys.one(guid), 'history', jrid, version],
    queryFn: ({ signal }) => readHistory(apiPaths.datasetHistory(guid, jrid), signal),
  });
