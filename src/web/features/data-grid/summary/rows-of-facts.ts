import { MAX_IDS } from '#shared/rules/limits.ts';
import { PAGE_SIZE } from '../rows/datasets.queries.ts';
import type { RowsAsked } from './summary.queries.ts';

/** A range of rows, inclusive. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** The sources for statistics of some rows. */
export interface Sources {
  /** loaded rows, as the grid shows them */
  readonly here: readonly Span[];
  /** the requests to the service; null: all matches */
  readonly asked: readonly (RowsAsked | null)[];
}

interface GridRows {
  /** rows of the list; those created here follow */
  readonly listed: number;
  readonly created: number;
  /** the numbers of the loaded pages */
  readonly pages: ReadonlySet<number>;
}

/** Up to this many requests are faster than loading the rows again. */
const MAX_ASKED = 8;

/**
 * Splits a range into loaded rows and rows that must be requested. The latter are those that the grid would load at
 * their positions.
 */
export function sourcesOf({ top, bottom }: Span, { listed, created, pages }: GridRows): Sources {
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

/** Splits rows into portions that one call accepts. */
function portions({ top, bottom }: Span): RowsAsked[] {
  const asked: RowsAsked[] = [];
  for (let offset = top; offset <= bottom; offset += MAX_IDS) {
    asked.push({ offset, limit: Math.min(MAX_IDS, bottom - offset + 1) });
  }
  return asked;
}
