import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ListView } from '#web/api/list-view.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import { readView, writeView } from './view-text.ts';
import { useRememberView } from './views.mutations.ts';
import { lastViewQuery } from './view-state.queries.ts';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';

/** Delay in milliseconds before the view is stored: it may still be changing while the user types or drags. */
const STORE_AFTER = 600;
const VIEW = /^view=([^&]*)&?/;

/**
 * Restores the last view of a list that is opened without one, and stores its latest state. An address without widths
 * takes those of the last view, so that columns keep their widths.
 * @param firstSort the default sorting of a list that is opened for the first time
 * @returns whether the list can be shown: not while the last view is loading, and whether the service could not be reached for it
 */
export function useLastView(
  collection: CollectionRef,
  view: ListView,
  firstSort: readonly string[],
  onChange: (change: (before: ListView) => ListView) => void,
): { readonly isRestored: boolean; readonly isRetrying: boolean } {
  const current = textOf(view);
  const [isPlain] = useState(() => Object.keys(view).length === 0);
  const [isComplete, setIsComplete] = useState(() => view.widths !== undefined);
  const isRestored = isComplete || !isPlain;
  const stored = useRef<string | null>(null);
  const last = useQuery({ ...lastViewQuery(collection), enabled: !isComplete });
  const { mutate: remember } = useRememberView(collection);

  const restore = useEffectEvent((search: string | null) => {
    setIsComplete(true);
    if (search === null && isPlain && firstSort.length > 0) onChange(() => ({ sort: firstSort }));
    if (!search) return;
    const [, id = ''] = VIEW.exec(search) ?? [];
    const lastView = readView(search.replace(VIEW, ''));
    if (!isPlain) {
      const { widths } = lastView;
      if (widths !== undefined) onChange((before) => ({ widths, ...before }));
      return;
    }
    stored.current = search;
    if (Object.keys(lastView).length > 0 || id !== '') {
      onChange(() => (id === '' ? lastView : { ...lastView, view: decodeURIComponent(id) }));
    }
  });
  // If it cannot be read, the list is shown unchanged.
  const found = last.isError ? null : last.data;
  useEffect(() => {
    // The address and the returned value change in one render.
    if (!isComplete && found !== undefined) queueMicrotask(() => restore(found));
  }, [isComplete, found]);

  const store = (search: string) => {
    if (stored.current === null || stored.current === search) return;
    stored.current = search;
    remember(search);
  };
  const storeAtLast = useEffectEvent(() => store(current));
  const rememberInitial = useEffectEvent(() => {
    stored.current ??= current;
  });
  useEffect(() => {
    // The initial view of the list is not a choice of the user yet.
    if (isRestored) rememberInitial();
  }, [isRestored]);
  useDebouncedEffect(current, STORE_AFTER, store);
  useEffect(() => () => storeAtLast(), []);
  return { isRestored, isRetrying: last.failureCount > 0 };
}

function textOf(view: ListView): string {
  const search = writeView(view);
  return view.view === undefined ? search : `view=${encodeURIComponent(view.view)}&${search}`;
}
