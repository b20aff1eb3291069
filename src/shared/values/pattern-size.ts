import type { Pattern, Place } from './pattern-tree.ts';

/** The patterns that another one is made of. */
function partsOf(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind === 'repeat') return [pattern.part];
  return 'parts' in pattern ? pattern.parts : [];
}

/** Whether the counts of repetitions within each other have at most this product, as RE2 demands. */
export function isRepeatedAtMost(pattern: Pattern, limit: number): boolean {
  // `*`, `+` and `?` are no counts.
  const count = pattern.kind === 'repeat' ? Math.max(pattern.max ?? pattern.min, 1) : 1;
  const rest = Math.floor(limit / count);
  return rest > 0 && partsOf(pattern).every((part) => isRepeatedAtMost(part, rest));
}

/** The maximum of `sizeOf`: PostgreSQL prepares such a pattern within a second or so; it refuses much larger ones. */
export const MAX_SIZE = 2500;

const PLACE_SIZES: Readonly<Record<Place, number>> = {
  start: 5,
  end: 5,
  // Its time is exponential in the number of these, where they may follow each other without a character between them.
  lineStart: 220,
  lineEnd: 220,
  wordEdge: 350,
  noWordEdge: 350,
};

/** An estimate of what PostgreSQL has to prepare, with repetitions written out. */
export function sizeOf(pattern: Pattern): number {
  switch (pattern.kind) {
    case 'characters':
      return 2;
    case 'place':
      return PLACE_SIZES[pattern.place];
    case 'sequence':
    case 'alternatives':
      return pattern.parts.reduce((sum, part) => sum + sizeOf(part), 5);
    case 'repeat': {
      const { part, min, max } = pattern;
      const size = sizeOf(part);
      if (size > MAX_SIZE || (max !== 1 && looksAround(part) && matchesEmpty(part)))
        return Infinity;
      return Math.max(5, (max ?? min + 1) * size);
    }
    default:
      return pattern satisfies never;
  }
}

/** Whether PostgreSQL has to look at the characters around a place. */
function looksAround(pattern: Pattern): boolean {
  if (pattern.kind !== 'place') return partsOf(pattern).some(looksAround);
  return pattern.place !== 'start' && pattern.place !== 'end';
}

/** Whether a pattern may match an empty text. */
function matchesEmpty(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'characters':
      return false;
    case 'place':
      return true;
    case 'sequence':
      return pattern.parts.every(matchesEmpty);
    case 'alternatives':
      return pattern.parts.some(matchesEmpty);
    case 'repeat':
      return pattern.min === 0 || matchesEmpty(pattern.part);
    default:
      return pattern satisfies never;
  }
}
