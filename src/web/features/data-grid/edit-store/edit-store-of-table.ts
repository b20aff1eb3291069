import type { QueryClient } from '@tanstack/react-query';
import { cachePerClient } from '#web/api/cache-per-client.ts';
import { patchRecord } from '../record.queries.ts';
import { patchPages } from '../datasets.queries.ts';
import { datasetCalls } from './datasets.calls.ts';
import { createEditStore } from './edit-store.ts';
import { persistEdits } from './persist-edits.ts';

const persistedStoreOf = cachePerClient((client, username: string, guid: string) => {
  const editStore = createEditStore(datasetCalls(guid), (stored) => {
    patchPages(client, guid, stored);
    patchRecord(client, guid, stored);
  });
  // Earlier versions stored large pastes, and unencrypted edits.
  for (const name of EARLIER_DATABASES) indexedDB.deleteDatabase(name);
  return { editStore, ...persistEdits(editStore, username, guid.toLowerCase()) };
});

/**
 * The pending edits of a user in one table: one store per page load. Each time the table is opened it adds the edits of
 * closed tabs.
 */
export function editStoreOf(client: QueryClient, username: string, guid: string) {
  const store = persistedStoreOf(client, username, guid);
  // Without storage there are no edits to take over.
  store.takeOver().catch(() => undefined);
  return store;
}

const EARLIER_DATABASES = [
  'indexdesk-pastes',
  'indexdesk-encrypted-pastes',
  'indexdesk-grid',
  'indexdesk-leases',
];
