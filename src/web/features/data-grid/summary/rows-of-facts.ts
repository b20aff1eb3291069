import { MAX_IDS } from '#shared/rules/limits.ts';
import { PAGE_SIZE } from '../rows/datasets.queries.ts';
import type { RowsAsked } from './summary.queries.ts';

/** From the first row to the last, both inclusive. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** Where what is to be known about some rows comes from. */
export interface Sources {
  /** rows that are at hand, as the grid shows them */
  readonly here: readonly Span[];
  /** what the service is asked for; null: all that match */
  readonly asked: readonly (RowsAsked | null)[];
}

export interface ListState {
  /** rows of the list; those created here stand behind it */
  readonly listed: number;
  readonly created: number;
  /** the numbers of the pages that were read */
  readonly pages: ReadonlySet<number>;
}

/** So many requests are quicker than reading rows once more that are at hand. */
const MAX_ASKED = 8;

/**
 * Finds out of a stretch of rows which are at hand. The others are those that the grid would read in their places.
 */
export function sourcesOf({ top, bottom }: Span, { listed, created, pages }: ListState): Sources {
  const end = Math.min(bottom, listed - 1);
  const tail = bottom >= listed ? [{ top: Math.max(top, listed), bottom }] : [];
  const { there, gaps } = spansIn({ top, bottom: end }, pages);
  if (gaps.length === 0) return { here: [...there, ...tail], asked: [] };
  if (top === 0 && bottom >= listed + created - 1) return { here: [], asked: [null] };
  const asked = gaps.flatMap(portions);
  return asked.length <= MAX_ASKED
    ? { here: [...there, ...tail], asked }
    : { here: tail, asked: portions({ top, bottom: end }) };
}

function spansIn({ top, bottom }: Span, pages: ReadonlySet<number>) {
  const there: Span[] = [];
  const gaps: Span[] = [];
  for (let row = top; row <= bottom;) {
    const first = Math.floor(row / PAGE_SIZE);
    const is = pages.has(first);
    let next = first + 1;
    while (next * PAGE_SIZE <= bottom && pages.has(next) === is) next++;
    const last = Math.min(next * PAGE_SIZE - 1, bottom);
    (is ? there : gaps).push({ top: row, bottom: last });
    row = last + 1;
  }
  return { there, gaps };
}

/** As many rows at a time as one call may be about. */
function portions({ top, bottom }: Span): RowsAsked[] {
  const asked: RowsAsked[] = [];
  for (let offset = top; offset <= bottom; offset += MAX_IDS) {
    asked.push({ offset, limit: Math.min(MAX_IDS, bottom - offset + 1) });
  }
  return asked;
}
