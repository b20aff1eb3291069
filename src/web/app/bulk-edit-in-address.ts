import { useEffect, useEffectEvent, useState } from 'react';
import type { RawSearch } from '#web/api/list-view.ts';
import type { DrawerTask } from '#web/features/bulk-jobs/bulk-drawer.tsx';
import { useListView } from './pages/use-list-view.ts';

/** A bulk edit, shown over the list of its archive or table. */
export type JobTask = Extract<DrawerTask, { kind: 'job' }>;

/** The search of an address that shows a bulk edit over the list. */
export function searchWithBulkEdit(bulkEditId: string): RawSearch {
  return { batch: bulkEditId };
}

/** The bulk edit that an address shows over the list; null: none. */
export function bulkEditInAddress(search: RawSearch): JobTask | null {
  const { batch } = search;
  return batch ? { kind: 'job', bulkEditId: batch } : null;
}

/**
 * The task that is shown over a list; null: none. At first it is the bulk edit of the address, which leaves the address
 * once it is closed, so that a reload does not open it again.
 */
export function useTaskOverList<Task>(
  route: Parameters<typeof useListView>[0],
  bulkEdit: Task | null,
) {
  const state = useState(bulkEdit);
  const { search, changeView } = useListView(route);
  const isOutdated = state[0] === null && bulkEditInAddress(search) !== null;
  // An address that is written from a view of the list contains no bulk edit.
  const remove = useEffectEvent(() => changeView((view) => view, { replace: true }));
  useEffect(() => {
    if (isOutdated) remove();
  }, [isOutdated]);
  return state;
}
