import type { SortingState } from '@tanstack/react-table';

/** Converts the sorting of a view (`NAME` or `-NAME`) to table state. */
export function toSortingState(sort: readonly string[] = []): SortingState {
  return sort.map((key) => ({ id: key.replace(/^-/, ''), desc: key.startsWith('-') }));
}

/** Converts the sorting of the table to that of a view. */
export function fromSortingState(sorting: SortingState): readonly string[] {
  return sorting.map(({ id, desc }) => (desc ? `-${id}` : id));
}
