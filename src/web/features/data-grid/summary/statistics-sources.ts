import { MAX_IDS } from '#shared/rules/limits.ts';
import { PAGE_SIZE } from '../datasets.queries.ts';
import type { RowRange } from './summary.queries.ts';

/** A range of rows, inclusive. */
export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** The sources for statistics of some rows. */
interface StatisticsSources {
  /** loaded rows, as the grid shows them */
  readonly loaded: readonly Span[];
  /** the requests to the service; null: all matches */
  readonly requests: readonly (RowRange | null)[];
}

interface GridRows {
  /** rows of the list; those created here follow */
  readonly listed: number;
  readonly created: number;
  /** the numbers of the loaded pages */
  readonly pages: ReadonlySet<number>;
}

/** Up to this many requests are faster than loading the rows again. */
const MAX_REQUESTS = 8;

/**
 * Splits a range into loaded rows and rows that must be requested. The latter are those that the grid would load at
 * their positions.
 */
export function sourcesOf(
  { top, bottom }: Span,
  { listed, created, pages }: GridRows,
): StatisticsSources {
  const end = Math.min(bottom, listed - 1);
  const tail = bottom >= listed ? [{ top: Math.max(top, listed), bottom }] : [];
  const { loaded, gaps } = splitByPages({ top, bottom: end }, pages);
  if (gaps.length === 0) return { loaded: [...loaded, ...tail], requests: [] };
  if (top === 0 && bottom >= listed + created - 1) return { loaded: [], requests: [null] };
  const requests = gaps.flatMap(splitByLimit);
  return requests.length <= MAX_REQUESTS
    ? { loaded: [...loaded, ...tail], requests }
    : { loaded: tail, requests: splitByLimit({ top, bottom: end }) };
}

function splitByPages({ top, bottom }: Span, pages: ReadonlySet<number>) {
  const loaded: Span[] = [];
  const gaps: Span[] = [];
  for (let row = top; row <= bottom;) {
    const first = Math.floor(row / PAGE_SIZE);
    const is = pages.has(first);
    let next = first + 1;
    while (next * PAGE_SIZE <= bottom && pages.has(next) === is) next++;
    const last = Math.min(next * PAGE_SIZE - 1, bottom);
    (is ? loaded : gaps).push({ top: row, bottom: last });
    row = last + 1;
  }
  return { loaded, gaps };
}

/** Splits rows into portions that one call accepts. */
function splitByLimit({ top, bottom }: Span): RowRange[] {
  const requests: RowRange[] = [];
  for (let offset = top; offset <= bottom; offset += MAX_IDS) {
    requests.push({ offset, limit: Math.min(MAX_IDS, bottom - offset + 1) });
  }
  return requests;
}
