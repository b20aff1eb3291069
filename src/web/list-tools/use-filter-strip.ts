import { useState } from 'react';
import type { ListView } from '#web/api/list-view.ts';

/** The state of a page's filter strip: whether it is open, and the field whose condition was requested last. */
export interface FilterStripState {
  readonly isOpen: boolean;
  /** the field whose condition gets the focus; undefined: none was requested */
  readonly begin: string | undefined;
  /** another value for each request, so that the same field can be requested twice */
  readonly request: number;
  readonly setOpen: (isOpen: boolean) => void;
  /** opens the strip with the focus in the value of a field's condition */
  readonly openFor: (name: string) => void;
  /** opens the strip if a view has conditions, closes it otherwise */
  readonly showView: (view: ListView) => void;
}

/** @param view the view of the list; if it has conditions when the page opens, the strip starts open */
export function useFilterStrip(view: ListView): FilterStripState {
  const [state, setState] = useState<Pick<FilterStripState, 'isOpen' | 'begin' | 'request'>>({
    isOpen: hasConditions(view),
    begin: undefined,
    request: 0,
  });
  const setOpen = (isOpen: boolean) =>
    setState(({ request }) => ({ isOpen, begin: undefined, request }));
  return {
    ...state,
    setOpen,
    showView: (next) => setOpen(hasConditions(next)),
    openFor: (begin) => setState(({ request }) => ({ isOpen: true, begin, request: request + 1 })),
  };
}

function hasConditions({ where = [] }: ListView): boolean {
  return where.length > 0;
}
