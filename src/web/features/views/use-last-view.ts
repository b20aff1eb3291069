import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ListView } from '#web/api/list-view.ts';
import type { ListPlace } from '#web/api/paths.ts';
import { readWidths, rememberWidths, useWidths, writeWidths } from '#web/grid/column-widths.ts';
import { readView, writeView } from './view-text.ts';
import { lastViewQuery, rememberLastView } from './views.queries.ts';

/** A view that somebody is still typing or dragging is not remembered yet. */
const PAUSE = 600;
const VIEW = /^view=([^&]*)&?/;

/**
 * Brings the last view of a list back where it is opened without one, and remembers how it is left. The widths of the
 * columns, which a browser keeps, go into the address, so that a link has them too, and come from it when it is opened.
 * @returns whether the list can be shown: until then the last view is being asked for
 */
export function useLastView(
  place: ListPlace,
  view: ListView,
  onChange: (change: (before: ListView) => ListView) => void,
): boolean {
  const { kind, id } = place;
  const client = useQueryClient();
  const widths = useWidths(place.id);
  const now = textOf(view, writeView({ view, widths }));
  const [plain] = useState(() => Object.keys(view).length === 0);
  const [restored, setRestored] = useState(!plain);
  const known = useRef<string | null>(null);

  const restore = useEffectEvent((search: string | null) => {
    setRestored(true);
    if (!search) return;
    const [, id = ''] = VIEW.exec(search) ?? [];
    const last = readView(search.replace(VIEW, ''));
    if (Object.keys(last.widths).length > 0) rememberWidths(place.id, last.widths);
    known.current = search;
    if (Object.keys(last.view).length > 0 || id !== '') {
      onChange(() => (id === '' ? last.view : { ...last.view, view: decodeURIComponent(id) }));
    }
  });
  const linked = useEffectEvent(() => {
    if (view.widths !== undefined) rememberWidths(id, readWidths(view.widths));
  });
  useEffect(() => linked(), []);
  const wide = writeWidths(widths);
  const told = wide === (view.widths ?? '');
  const tell = useEffectEvent((now: string) => onChange((before) => ({ ...before, widths: now })));
  useEffect(() => {
    if (!restored || told) return undefined;
    const timer = setTimeout(() => tell(wide), PAUSE);
    return () => clearTimeout(timer);
  }, [restored, told, wide]);

  useEffect(() => {
    if (!plain) return undefined;
    let left = false;
    const ask = async () => {
      // Where it cannot be read, the list is shown as it is.
      const search = await client.query(lastViewQuery({ kind, id })).catch(() => null);
      if (!left) restore(search);
    };
    void ask();
    return () => {
      left = true;
    };
  }, [client, kind, id, plain]);

  useEffect(() => {
    if (!restored) return undefined;
    // What it was opened with is nobody's choice yet.
    known.current ??= now;
    if (known.current === now) return undefined;
    const timer = setTimeout(() => {
      known.current = now;
      // It is only a convenience: where it fails, an older view comes back.
      rememberLastView({ kind, id }, now).catch(() => undefined);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [kind, id, now, restored]);
  return restored;
}

function textOf({ view }: ListView, shown: string): string {
  return view === undefined ? shown : `view=${encodeURIComponent(view)}&${shown}`;
}
