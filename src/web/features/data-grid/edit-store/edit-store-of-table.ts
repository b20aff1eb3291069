import type { QueryClient } from '@tanstack/react-query';
import { datasetCalls } from './datasets.calls.ts';
import { patchPages } from '../rows/datasets.queries.ts';
import type { StorageMonitor } from '#web/ui/storage-monitor.ts';
import { createEditStore, type EditStore } from './edit-store.ts';
import { type EditStorage, editStorage } from './edit-storage.ts';
import { persistEdits } from './persist-edits.ts';
import { patchRecord } from '../record/record.queries.ts';

/** This tab's; made when the first table is opened. */
let disk: EditStorage | undefined;
const desks = new WeakMap<QueryClient, Map<string, EditStore>>();
const storages = new WeakMap<EditStore, StorageMonitor>();

/** Whether what is unsaved at a desk would be lost with the tab; undefined: it is kept nowhere on purpose. */
export const storageOf = (editStore: EditStore) => storages.get(editStore);

/** The pending edits of a user in one table; one store for as long as the web admin is open. */
export function editStoreOf(client: QueryClient, username: string, guid: string): EditStore {
  let own = desks.get(client);
  if (!own) desks.set(client, (own = new Map()));
  const key = JSON.stringify([username, guid.toLowerCase()]);
  let editStore = own.get(key);
  if (!editStore) {
    editStore = createEditStore({
      client,
      guid,
      calls: datasetCalls(guid),
      onStored: (stored) => {
        patchPages(client, guid, stored);
        patchRecord(client, guid, stored);
      },
    });
    own.set(key, editStore);
    // Earlier versions stored large pastes in the browser.
    indexedDB.deleteDatabase('indexdesk-pastes');
    indexedDB.deleteDatabase('indexdesk-encrypted-pastes');
    disk ??= editStorage(crypto.getRandomValues(new Uint32Array(2)).join('-'));
    storages.set(editStore, persistEdits(editStore, disk, username, guid.toLowerCase()));
  }
  return editStore;
}
