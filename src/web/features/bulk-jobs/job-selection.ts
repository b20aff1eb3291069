import { type ListView, listQueryString } from '#web/api/list-view.ts';

/** The revisions of a bulk edit. */
export type JobSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all matches of the view's filters; `total` as counted by the list */
  | { readonly kind: 'all'; readonly view: ListView; readonly total: number };

/** The revisions in the form of a request. */
export type SelectionBody =
  | { readonly revisionIds: readonly string[] }
  /** the query of the list: filters, search and sort */
  | { readonly filter: string };

export function selectionBody(selection: JobSelection): SelectionBody {
  if (selection.kind === 'ids') return { revisionIds: [...selection.ids] };
  return { filter: listQueryString(selection.view).slice(1) };
}

export function selectionSize(selection: JobSelection): number {
  return selection.kind === 'ids' ? selection.ids.length : selection.total;
}
