import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ListView } from '#web/api/list-view.ts';
import type { ListPlace } from '#web/api/paths.ts';
import { readWidths, rememberWidths, useWidths, writeWidths } from '#web/grid/column-widths.ts';
import { readView, writeView } from './view-text.ts';
import { useRememberView } from './views.mutations.ts';
import { lastViewQuery } from './views.queries.ts';

/** Milliseconds without a change after which the view is stored: it may still be typed or dragged. */
const STORE_AFTER = 600;
const VIEW = /^view=([^&]*)&?/;

/**
 * Restores the last view of a list that is opened without one, and stores how it is left. The widths of the columns,
 * which the browser stores, are copied to the address, so that a link contains them, and from a link that is opened.
 * @returns whether the list can be shown: false while the last view is being read
 */
export function useLastView(
  place: ListPlace,
  view: ListView,
  onChange: (change: (before: ListView) => ListView) => void,
): boolean {
  const widths = useWidths(place.id);
  const current = textOf(view, writeView({ view, widths }));
  const [isPlain] = useState(() => Object.keys(view).length === 0);
  const [isRestored, setIsRestored] = useState(!isPlain);
  const stored = useRef<string | null>(null);
  const last = useQuery({ ...lastViewQuery(place), enabled: !isRestored });
  const { mutate: remember } = useRememberView(place);

  const restore = useEffectEvent((search: string | null) => {
    setIsRestored(true);
    if (!search) return;
    const [, id = ''] = VIEW.exec(search) ?? [];
    const { view, widths } = readView(search.replace(VIEW, ''));
    if (Object.keys(widths).length > 0) rememberWidths(place.id, widths);
    stored.current = search;
    if (Object.keys(view).length > 0 || id !== '') {
      onChange(() => (id === '' ? view : { ...view, view: decodeURIComponent(id) }));
    }
  });
  // Where it cannot be read, the list is shown as it is.
  const found = last.isError ? null : last.data;
  useEffect(() => {
    // The address and the returned value change in one render.
    if (!isRestored && found !== undefined) queueMicrotask(() => restore(found));
  }, [isRestored, found]);

  const takeWidthsOfLink = useEffectEvent(() => {
    if (view.widths !== undefined) rememberWidths(place.id, readWidths(view.widths));
  });
  useEffect(() => takeWidthsOfLink(), []);
  const widthsText = writeWidths(widths);
  const isInAddress = widthsText === (view.widths ?? '');
  const writeAddress = useEffectEvent((widths: string) =>
    onChange((before) => ({ ...before, widths })),
  );
  useEffect(() => {
    if (!isRestored || isInAddress) return undefined;
    const timer = setTimeout(() => writeAddress(widthsText), STORE_AFTER);
    return () => clearTimeout(timer);
  }, [isRestored, isInAddress, widthsText]);

  useEffect(() => {
    if (!isRestored) return undefined;
    // The view that the list was opened with is not a choice yet.
    stored.current ??= current;
    if (stored.current === current) return undefined;
    const timer = setTimeout(() => {
      stored.current = current;
      remember(current);
    }, STORE_AFTER);
    return () => clearTimeout(timer);
  }, [remember, current, isRestored]);
  return isRestored;
}

function textOf({ view }: ListView, search: string): string {
  return view === undefined ? search : `view=${encodeURIComponent(view)}&${search}`;
}
