import { fold } from '#shared/values/fold.ts';

/* The prefix of a text as a range. The interface has no operator for it, but its `gt` and `lt` compare texts by
   their folded form (docs/interface/decisions.md, section 4), in which all texts with the same prefix are
   consecutive. */

/** Sorts after every character that a text may contain. */
const LAST = '\u{10ffff}';

interface TextRange {
  /** the exclusive lower limit of the range */
  readonly after: string;
  /** the exclusive upper limit of the range */
  readonly before: string;
}

/** The range of the texts with a prefix, ignoring case and accents; null if the prefix consists only of accents. */
export function prefixRange(start: string): TextRange | null {
  const characters = Array.from(fold(start));
  const last = characters.pop();
  if (last === undefined) return null;
  return { after: characters.join('') + characterBefore(last) + LAST, before: start + LAST };
}

/** The prefix that a range means; null: it is another range. */
export function prefixOfRange({ after, before }: TextRange): string | null {
  if (!before.endsWith(LAST)) return null;
  const start = before.slice(0, -LAST.length);
  return prefixRange(start)?.after === after ? start : null;
}

/** The previous character among those that folded texts contain; '' before the first one. */
function characterBefore(character: string): string {
  for (let code = (character.codePointAt(0) ?? 0) - 1; code > 0; code--) {
    const before = String.fromCodePoint(code);
    if (before.isWellFormed() && fold(before) === before) return before;
  }
  return '';
}
