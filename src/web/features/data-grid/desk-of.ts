import type { QueryClient } from '@tanstack/react-query';
import { datasetCalls } from './datasets.calls.ts';
import { patchPages } from './datasets.queries.ts';
import type { StorageMonitor } from '#web/ui/storage-monitor.ts';
import { createDesk, type Desk } from './desk.ts';
import { type DeskDisk, deskDisk } from './desk-disk.ts';
import { keepDesk } from './keep-desk.ts';
import { patchRecord } from './panel/record.queries.ts';
import { jobsOf } from './undo/steps.ts';

/** This tab's; made when the first table is opened. */
let disk: DeskDisk | undefined;
const desks = new WeakMap<QueryClient, Map<string, Desk>>();
const storages = new WeakMap<Desk, StorageMonitor>();

/** Whether what is unsaved at a desk would be lost with the tab; undefined: it is kept nowhere on purpose. */
export const storageOf = (desk: Desk) => storages.get(desk);

/** The pastes that steps of undo lead to, in this tab and in others. */
export async function jobsInSteps(
  client: QueryClient,
  username: string,
  guid: string,
): Promise<ReadonlySet<string>> {
  const own = deskOf(client, username, guid).steps.get();
  const kept = await disk?.jobs(username, guid.toLowerCase());
  return new Set([...jobsOf(own), ...(kept ?? [])]);
}

/** The desk of a user for one table; the same one for as long as the web admin is open. */
export function deskOf(client: QueryClient, username: string, guid: string): Desk {
  let own = desks.get(client);
  if (!own) desks.set(client, (own = new Map()));
  const key = JSON.stringify([username, guid.toLowerCase()]);
  let desk = own.get(key);
  if (!desk) {
    desk = createDesk(datasetCalls(guid), (stored) => {
      patchPages(client, guid, stored);
      patchRecord(client, guid, stored);
    });
    own.set(key, desk);
    disk ??= deskDisk(crypto.getRandomValues(new Uint32Array(2)).join('-'));
    storages.set(desk, keepDesk(desk, disk, username, guid.toLowerCase()));
  }
  return desk;
}
