import type { ListFilter } from './list.queries.ts';

/** Which revisions are chosen for correcting them together. */
export type Selection =
  | { readonly kind: 'ids'; readonly ids: ReadonlySet<string> }
  /** all that match; holds only as long as the list shows that filter */
  | { readonly kind: 'all'; readonly filter: Required<ListFilter> };

export const NONE: Selection = { kind: 'ids', ids: new Set() };

export function isSelected(selection: Selection, revisionId: string | undefined): boolean {
  return selection.kind === 'all' || (revisionId !== undefined && selection.ids.has(revisionId));
}

/** Ids in the order of a list, those that are not in it last. @param place where one stands; -1: not in it */
export function inListOrder(
  ids: Iterable<string>,
  place: (revisionId: string) => number,
): string[] {
  const placed = [...ids].map((id) => ({ id, at: place(id) }));
  const key = ({ at }: { readonly at: number }) => (at < 0 ? Infinity : at);
  return placed.toSorted((a, b) => (key(a) === key(b) ? 0 : key(a) - key(b))).map(({ id }) => id);
}

export function withToggled(ids: ReadonlySet<string>, revisionId: string): Selection {
  const next = new Set(ids);
  if (!next.delete(revisionId)) next.add(revisionId);
  return { kind: 'ids', ids: next };
}

/** The ids chosen before a range was begun, and those of the range. */
export function withRange(before: ReadonlySet<string>, range: readonly string[]): Selection {
  return { kind: 'ids', ids: new Set([...before, ...range]) };
}
