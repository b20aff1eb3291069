import { compareCodePoints, countCodePoints } from './code-points.ts';

/**
 * The form in which texts are compared by `like`, `q` and sorting: compatibility decomposition, marks
 * removed, case folded (docs/interface/decisions.md, section 4). Stored on both databases, so that both find the same.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Lower, upper, lower: only the combination folds ẞ and ß to ss; the final sigma depends on its position.
  return text
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(MARKS, '')
    .replaceAll('ς', 'σ');
}

const ASCII = /^[\u0000-\u007f]*$/;
const MARKS = /\p{M}+/gu;

/** Precedes each word in a stored search text; never part of a text itself. */
const WORD_START = '\u0001';
const WORDS = /[\p{L}\p{N}]+/gu;

/**
 * The stored search text of a record: the folded texts of all its text fields and keywords, with each word's
 * start marked, so that a plain substring search also answers "starts a word with".
 */
export function searchText(texts: readonly string[]): string {
  // No letter and no word continues beyond the end of a line, so that all are folded and marked at once.
  return markWords(fold(texts.join('\n')));
}

function markWords(folded: string): string {
  return folded.replaceAll(WORD_START, '').replace(WORDS, `${WORD_START}$&`);
}

/**
 * What must occur in the search text if a folded part occurs in a field. A necessary
 * condition only: the part may also be in another field.
 */
export function searchNeedle(folded: string): string {
  const marked = markWords(folded);
  // It is not known whether the part begins at the start of a word.
  return marked.startsWith(WORD_START) ? marked.slice(1) : marked;
}

/**
 * The needles of a search (`q`): every word, as part of any text field or keyword; words of one or two
 * characters at the start of a word (docs/interface/decisions.md, section 6).
 */
export function searchNeedles(q: string): string[] {
  const needles = new Set<string>();
  for (const typed of q.split(/\s+/u)) {
    const word = fold(typed).replaceAll(WORD_START, '');
    if (word === '') continue;
    needles.add(countCodePoints(word, 2) <= 2 ? markWords(word) : searchNeedle(word));
  }
  return [...needles];
}

/** What a needle searches for in the folded text of one field, which has no marks. */
export function parseNeedle(needle: string): {
  readonly text: string;
  readonly startsWord: boolean;
} {
  return { text: needle.replaceAll(WORD_START, ''), startsWord: needle.startsWith(WORD_START) };
}

const ENDS_IN_WORD = /[\p{L}\p{N}]$/u;

/** Whether a word of a folded text starts with a text. */
export function startsWord(folded: string, start: string): boolean {
  for (let at = folded.indexOf(start); at >= 0; at = folded.indexOf(start, at + 1)) {
    if (!ENDS_IN_WORD.test(folded.slice(Math.max(0, at - 2), at))) return true;
  }
  return false;
}

/** Texts sort by their folded form, then by their code points (docs/interface/decisions.md, section 4). */
export function compareTexts(a: string, b: string): number {
  return compareCodePoints(fold(a), fold(b)) || compareCodePoints(a, b);
}
