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

export function withToggled(ids: ReadonlySet<string>, revisionId: string): Selection {
  const next = new Set(ids);
  if (!next.delete(revisionId)) next.add(revisionId);
  return { kind: 'ids', ids: next };
}

/** The ids chosen before a range was begun, and those of the range. */
export function withRange(before: ReadonlySet<string>, range: readonly string[]): Selection {
  return { kind: 'ids', ids: new Set([...before, ...range]) };
}
