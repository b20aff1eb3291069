import { compareCodePoints } from '#shared/values/code-points.ts';
import { fold } from '#shared/values/fold.ts';

/** The common form of texts that differ only in notation. */
export interface Fingerprint {
  /** the folded words in order, without punctuation */
  readonly text: string;
  /** The words that distinguish texts even by one letter: legal forms of companies, and those with digits. */
  readonly marks: string;
}

/** German umlauts and French ligatures in their ASCII spelling. `fold` handles the other accents, and ß. */
const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', æ: 'ae', œ: 'oe' };

/** Characters inside a word: `L'Oréal`, `Peter’s`. */
const APOSTROPHES = /['’‘ʼ`´]/gu;

/** Words that mean `&`; next to other words they distinguish nothing. */
const CONJUNCTIONS = new Set(['und', 'et', 'and']);

/** Legal forms of companies in full, as folded words, and their abbreviations. */
const WRITTEN_OUT: readonly (readonly [words: readonly string[], form: string])[] = (
  [
    ['gesellschaft mit beschraenkter haftung', 'gmbh'],
    ['gesellschaft buergerlichen rechts', 'gbr'],
    ['offene handelsgesellschaft', 'ohg'],
    ['kommanditgesellschaft auf aktien', 'kgaa'],
    ['kommanditgesellschaft', 'kg'],
    ['aktiengesellschaft', 'ag'],
    ['eingetragene genossenschaft', 'eg'],
    ['eingetragener verein', 'ev'],
    ['societe a responsabilite limitee', 'sarl'],
    ['societe par actions simplifiee', 'sas'],
    ['societe en nom collectif', 'snc'],
    ['societe civile immobiliere', 'sci'],
    ['societe anonyme', 'sa'],
    ['compagnie', 'cie'],
    ['company', 'co'],
    ['corporation', 'corp'],
    ['incorporated', 'inc'],
    ['limited', 'ltd'],
  ] as const
).map(([words, form]) => [words.split(' '), form]);

const OTHER_FORMS = 'bv eurl kft llc llp mbh nv plc sasu se spa sprl srl ug'.split(' ');
const LEGAL_FORMS = new Set([...WRITTEN_OUT.map(([, form]) => form), ...OTHER_FORMS]);

/**
 * The fingerprint of a text: without case, accents, punctuation and the order of words, with umlauts and legal forms of
 * companies in one spelling. A text without letters and digits is only folded.
 */
export function fingerprint(text: string): Fingerprint {
  const words = wordsOf(text);
  if (words.length === 0) return { text: fold(text).trim(), marks: '' };
  words.sort(compareCodePoints);
  const marks = words.filter((word) => LEGAL_FORMS.has(word) || /\p{N}/u.test(word));
  return { text: words.join(' '), marks: marks.join(' ') };
}

function wordsOf(text: string): string[] {
  const spelled = text
    .normalize('NFC')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .replace(/[äöüæœ]/gu, (letter) => LETTERS[letter] ?? letter);
  const words = joinLetters(fold(spelled).match(/[\p{L}\p{N}]+/gu) ?? []);
  const significant = words.filter((word) => !CONJUNCTIONS.has(word));
  return abbreviate(significant.length > 0 ? significant : words);
}

/** Joins consecutive single letters to one word: `S.A.R.L.`, `S. A.`, `J. S.`. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  let isRun = false;
  for (const word of words) {
    const isLetter = /^\p{L}$/u.test(word);
    if (isLetter && isRun) joined.push(`${joined.pop() ?? ''}${word}`);
    else joined.push(word);
    isRun = isLetter;
  }
  return joined;
}

function abbreviate(words: readonly string[]): string[] {
  const short: string[] = [];
  for (let at = 0; at < words.length;) {
    const from = at;
    const found = WRITTEN_OUT.find(([long]) => long.every((word, i) => words[from + i] === word));
    short.push(found ? found[1] : (words[at] ?? ''));
    at += found ? found[0].length : 1;
  }
  return short;
}
