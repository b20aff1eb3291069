import type { ListView } from '#web/api/list-view.ts';

/** The revisions to correct together. */
export type BulkSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all matches of the view's filters; `total` as counted by the list */
  | { readonly kind: 'all'; readonly view: ListView; readonly total: number };

/** The maximum of one atomic call (docs/interface/decisions.md, section 5). */
export const MAX_REVISIONS = 10_000;

/** The number of selected revisions, as far as it is known before they are loaded. */
export function sizeOf(selection: BulkSelection): number {
  return selection.kind === 'ids' ? selection.ids.length : selection.total;
}
