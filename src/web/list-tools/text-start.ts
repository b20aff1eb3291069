import { fold } from '#shared/values/fold.ts';

/*
 * How a text begins, as a range. The interface has no operator for it, but its `gt` and `lt` compare texts by their
 * folded form (docs/interface/decisions.md, section 4), in which all texts of one beginning follow each other.
 */

/** Follows every character that a text may hold. */
const LAST = '\u{10ffff}';

export interface TextRange {
  /** the range begins behind this text */
  readonly after: string;
  /** and ends before this one */
  readonly before: string;
}

/** The range of the texts that begin so, without regard to case and accents; null where nothing is typed but accents. */
export function rangeOfStart(start: string): TextRange | null {
  const characters = Array.from(fold(start));
  const last = characters.pop();
  if (last === undefined) return null;
  return { after: characters.join('') + characterBefore(last) + LAST, before: start + LAST };
}

/** The beginning that a range stands for; null: it is another range. */
export function startOfRange({ after, before }: TextRange): string | null {
  if (!before.endsWith(LAST)) return null;
  const start = before.slice(0, -LAST.length);
  return rangeOfStart(start)?.after === after ? start : null;
}

/** The character before this one of those that folded texts hold; '' before the first one. */
function characterBefore(character: string): string {
  for (let code = (character.codePointAt(0) ?? 0) - 1; code > 0; code--) {
    const before = String.fromCodePoint(code);
    if (before.isWellFormed() && fold(before) === before) return before;
  }
  return '';
}
