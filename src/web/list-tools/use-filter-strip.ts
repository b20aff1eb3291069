import { useState } from 'react';

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
}

/** @param isFiltered whether the list has conditions when its page opens: the strip then starts open */
export function useFilterStrip(isFiltered: boolean): FilterStripState {
  const [state, setState] = useState<Pick<FilterStripState, 'isOpen' | 'begin' | 'request'>>({
    isOpen: isFiltered,
    begin: undefined,
    request: 0,
  });
  return {
    ...state,
    setOpen: (isOpen) => setState(({ request }) => ({ isOpen, begin: undefined, request })),
    openFor: (begin) => setState(({ request }) => ({ isOpen: true, begin, request: request + 1 })),
  };
}
