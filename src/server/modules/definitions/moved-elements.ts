/**
 * The smallest set of elements that must be moved to get from one order to another: all except those of a longest
 * increasing subsequence.
 * @param elements in the new order, each with its place in the old one
 */
export function movedElements<Element extends { readonly place: number }>(
  elements: readonly Element[],
): Element[] {
  /** for each length the element with the least place that ends a subsequence of it */
  const ends: { readonly place: number; readonly at: number }[] = [];
  const before: (number | undefined)[] = [];
  for (const [at, { place }] of elements.entries()) {
    const found = ends.findIndex((end) => end.place > place);
    const length = found < 0 ? ends.length : found;
    before[at] = ends[length - 1]?.at;
    ends[length] = { place, at };
  }
  const stays = new Set<number>();
  for (let at = ends.at(-1)?.at; at !== undefined; at = before[at]) stays.add(at);
  return elements.filter((_, at) => !stays.has(at));
}
