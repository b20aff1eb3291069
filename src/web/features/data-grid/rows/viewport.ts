import { PAGE_SIZE } from './datasets.queries.ts';

/** Which rows are wanted: those in sight, and the next ones of a steady scroll. */
interface Sight {
  /** the first row in sight */
  readonly first: number;
  readonly from: number;
  readonly to: number;
}

export const AT_TOP: Sight = { first: 0, from: 0, to: 0 };

/** Rows that are asked for before they are reached: a third of a second of fast scrolling. */
const AHEAD = 60;

/** The sight that follows another one when rows `first` to `last` are on the screen. */
export function nextViewport(
  { first: before, from, to }: Sight,
  first: number,
  last: number,
): Sight {
  const step = first - before;
  // Without a step the sight stays as it is; a leap has no direction.
  const leap = Math.abs(step) > last - first + 1;
  if (step === 0 && from <= first && to >= last) return { first, from, to };
  const ahead = leap || step === 0 ? 0 : Math.sign(step) * AHEAD;
  return {
    first,
    from: Math.max(0, first + Math.min(0, ahead)),
    to: last + Math.max(0, ahead),
  };
}

/** Whether two sights want rows of the same pages. */
export function samePages(one: Sight, other: Sight): boolean {
  const page = (row: number) => Math.floor(row / PAGE_SIZE);
  return page(one.from) === page(other.from) && page(one.to) === page(other.to);
}
