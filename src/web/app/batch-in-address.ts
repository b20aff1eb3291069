import { useEffect, useEffectEvent } from 'react';
import type { RawSearch } from '#web/api/list-view.ts';
import type { DrawerTask } from '#web/features/bulk-jobs/bulk-drawer.tsx';
import { useListView } from './pages/use-list-view.ts';

/** A bulk edit, shown over the list of its archive or table. */
export type JobTask = Extract<DrawerTask, { kind: 'job' }>;

/** The search of an address that shows a bulk edit over the list. */
export function searchWithBatch(bulkEditId: string): RawSearch {
  return { batch: bulkEditId };
}

/** The bulk edit that an address shows over the list; null: none. */
export function batchIn(search: RawSearch): JobTask | null {
  const { batch } = search;
  return batch ? { kind: 'job', bulkEditId: batch } : null;
}

/** Removes the bulk edit from the address once it is closed, so that a reload does not open it again. */
export function useAddressWithoutBatch(
  route: Parameters<typeof useListView>[0],
  isClosed: boolean,
): void {
  const { search, changeView } = useListView(route);
  const isOutdated = isClosed && batchIn(search) !== null;
  // An address that is written from a view of the list contains no bulk edit.
  const remove = useEffectEvent(() => changeView((view) => view, { replace: true }));
  useEffect(() => {
    if (isOutdated) remove();
  }, [isOutdated]);
}
