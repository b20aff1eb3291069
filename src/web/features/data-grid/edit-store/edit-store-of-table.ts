import type { QueryClient } from '@tanstack/react-query';
import { datasetCalls } from './datasets.calls.ts';
import { patchPages } from '../rows/datasets.queries.ts';
import type { StorageMonitor } from '#web/ui/storage-monitor.ts';
import { createEditStore, type EditStore } from './edit-store.ts';
import { type EditStorage, editStorage } from './edit-storage.ts';
import { persistEdits } from './persist-edits.ts';
import { patchRecord } from '../record/record.queries.ts';
import { jobsOf } from '../undo/steps.ts';

/** This tab's; made when the first table is opened. */
let disk: EditStorage | undefined;
const desks = new WeakMap<QueryClient, Map<string, EditStore>>();
const storages = new WeakMap<EditStore, StorageMonitor>();

/** Whether what is unsaved at a desk would be lost with the tab; undefined: it is kept nowhere on purpose. */
export const storageOf = (editStore: EditStore) => storages.get(editStore);

/** The pastes that steps of undo lead to, in this tab and in others. */
export async function jobsInSteps(
  client: QueryClient,
  username: string,
  guid: string,
): Promise<ReadonlySet<string>> {
  const own = editStoreOf(client, username, guid).steps.get();
  const kept = await disk?.jobs(username, guid.toLowerCase());
  return new Set([...jobsOf(own), ...(kept ?? [])]);
}

/** The desk of a user for one table; the same one for as long as the web admin is open. */
export function editStoreOf(client: QueryClient, username: string, guid: string): EditStore {
  let own = desks.get(client);
  if (!own) desks.set(client, (own = new Map()));
  const key = JSON.stringify([username, guid.toLowerCase()]);
  let editStore = own.get(key);
  if (!editStore) {
    editStore = createEditStore(datasetCalls(guid), (stored) => {
      patchPages(client, guid, stored);
      patchRecord(client, guid, stored);
    });
    own.set(key, editStore);
    disk ??= editStorage(crypto.getRandomValues(new Uint32Array(2)).join('-'));
    storages.set(editStore, persistEdits(editStore, disk, username, guid.toLowerCase()));
  }
  return editStore;
}
