/** The direction in which a list is sorted by a column, null where it is not. */
export function directionOf(sort: readonly string[], name: string): 'up' | 'down' | null {
  if (sort.includes(name)) return 'up';
  return sort.includes(`-${name}`) ? 'down' : null;
}

/**
 * The sort after a click on a header: up, then down, then not by it.
 * @param adding whether the other columns stay (Shift)
 */
export function toggleSort(sort: readonly string[], name: string, adding: boolean): string[] {
  const direction = directionOf(sort, name);
  const next = direction === null ? name : direction === 'up' ? `-${name}` : null;
  if (!adding) return next === null ? [] : [next];
  if (direction === null) return [...sort, name];
  return sort.flatMap((key) => (key === name || key === `-${name}` ? (next ?? []) : key));
}
