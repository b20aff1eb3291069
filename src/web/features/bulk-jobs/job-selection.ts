import { type ListView, listQueryString } from '#web/api/list-view.ts';

/** Which revisions a bulk edit is about. */
export type JobSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all that match the view's filters; `total` as the list counted them */
  | { readonly kind: 'all'; readonly view: ListView; readonly total: number };

/** Which revisions, as a request names them. */
export type SelectedRevisions =
  | { readonly revisionIds: readonly string[] }
  /** the query text of the list: filters, search and sort */
  | { readonly filter: string };

export function selectionBody(selection: JobSelection): SelectedRevisions {
  if (selection.kind === 'ids') return { revisionIds: [...selection.ids] };
  return { filter: listQueryString(selection.view).slice(1) };
}

export function sizeOf(selection: JobSelection): number {
  return selection.kind === 'ids' ? selection.ids.length : selection.total;
}
