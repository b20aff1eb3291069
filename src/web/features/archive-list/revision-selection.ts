import type { ListFilter } from '#web/api/list-view.ts';

/** The selected revisions, to correct them together. */
export type SelectedRevisions =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  /** all matches; valid only while the list shows this filter */
  | { readonly kind: 'all'; readonly filter: Required<ListFilter> };

/** Ids in list order, unknown ones last. @param indexOf the position of an id; -1: not in the list */
export function inListOrder(
  ids: Iterable<string>,
  indexOf: (revisionId: string) => number,
): string[] {
  const positions = [...ids].map((id) => ({ id, at: indexOf(id) }));
  const key = ({ at }: { readonly at: number }) => (at < 0 ? Infinity : at);
  return positions
    .toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b)))
    .map(({ id }) => id);
}
