import { type ListView, listQuery } from './list-view.ts';

/** The records of a list to edit together. */
export type ListSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all matches of the view's filters; `total` as counted by the list */
  | { readonly kind: 'all'; readonly view: ListView; readonly total: number };

/** The number of selected records, as far as it is known before they are loaded. */
export function selectionSize(selection: ListSelection): number {
  return selection.kind === 'ids' ? selection.ids.length : selection.total;
}

/** The selection in the form of a request. */
export type SelectionBody =
  | { readonly revisionIds: readonly string[] }
  /** the query of the list: filters, search and sort */
  | { readonly filter: string };

export function selectionBody(selection: ListSelection): SelectionBody {
  if (selection.kind === 'ids') return { revisionIds: [...selection.ids] };
  return { filter: listQuery(selection.view) };
}
