/**
 * The smallest set of elements that must be moved to get from one order to another: all except those of a longest
 * increasing subsequence.
 * @param elements in the new order, each with its index in the old one
 */
export function movedElements<Element extends { readonly previousIndex: number }>(
  elements: readonly Element[],
): Element[] {
  /** for each length the element with the lowest previous index that ends a subsequence of that length */
  const ends: { readonly previousIndex: number; readonly index: number }[] = [];
  const predecessors: (number | undefined)[] = [];
  for (const [index, { previousIndex }] of elements.entries()) {
    const found = ends.findIndex((end) => end.previousIndex > previousIndex);
    const length = found < 0 ? ends.length : found;
    predecessors[index] = ends[length - 1]?.index;
    ends[length] = { previousIndex, index };
  }
  const unmoved = new Set<number>();
  for (let index = ends.at(-1)?.index; index !== undefined; index = predecessors[index]) {
    unmoved.add(index);
  }
  return elements.filter((_, index) => !unmoved.has(index));
}
