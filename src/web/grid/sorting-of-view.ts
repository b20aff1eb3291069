import type { SortingState } from '@tanstack/react-table';

/** The sorting of a view (`NAME` or `-NAME`) as state of the table. */
export function sortingOf(sort: readonly string[] = []): SortingState {
  return sort.map((key) => ({ id: key.replace(/^-/, ''), desc: key.startsWith('-') }));
}

/** The sorting of the table as it is written in a view. */
export function sortOf(sorting: SortingState): readonly string[] {
  return sorting.map(({ id, desc }) => (desc ? `-${id}` : id));
}
