import { useMatch, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type ListView, type RawSearch, readListView, writeListView } from '#web/api/list-view.ts';

interface ListViewInAddress {
  readonly view: ListView;
  /** the search of the address, which may contain more than the view */
  readonly search: RawSearch;
  /**
   * Changes the view, based on the address at that time, so that two changes in one event add up. Does nothing once
   * another page was opened, even while that is still loading.
   */
  readonly changeView: (
    change: (before: ListView) => ListView,
    options?: { readonly replace?: boolean },
  ) => void;
}

/** The view of a list page in its address. @param from the page's route */
export function useListView(from: '/archives/$archive' | '/tables/$guid'): ListViewInAddress {
  const router = useRouter();
  const { id, search } = useMatch({
    from,
    select: ({ id, search }) => ({ id, search }),
    structuralSharing: true,
  });
  const view = useMemo(() => readListView(search), [search]);
  return {
    view,
    search,
    changeView: (change, { replace = false } = {}) => {
      if (router.matchRoutes(router.latestLocation).every((match) => match.id !== id)) return;
      void router.navigate({
        to: '.',
        search: (before) => writeListView(change(readListView(before))),
        replace,
      });
    },
  };
}
