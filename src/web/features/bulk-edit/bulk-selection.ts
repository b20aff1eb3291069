import type { ListView } from '#web/api/list-view.ts';

/** Which revisions are to be corrected together. */
export type BulkSelection =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all that match the view's filters; `total` as the list counted them */
  | { readonly kind: 'all'; readonly view: ListView; readonly total: number };

/** One atomic call takes no more revisions (docs/interface/decisions.md, section 5). */
export const MAX_AT_ONCE = 10_000;

/** How many revisions a selection holds, as far as it is known before reading. */
export function sizeOf(selection: BulkSelection): number {
  return selection.kind === 'ids' ? selection.ids.length : selection.total;
}
