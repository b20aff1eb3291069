import { fold } from '../values/fold.ts';

/** Invisible hyphens, and direction marks. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
const QUOTES = /[\u2018\u2019\u201b\u02bc\u00b4`]/gu;

/**
 * The form in which texts of pages and values are compared: folded, each white space as one space, one kind of dash and
 * apostrophe.
 */
export function foldPage(text: string): string {
  return foldCharacters(text).replaceAll(/\s+/gu, ' ');
}

function foldCharacters(text: string): string {
  return fold(text.replaceAll(INVISIBLE, '')).replaceAll(DASHES, '-').replaceAll(QUOTES, "'");
}

/** A folded text with the positions of its characters in the original text. */
interface FoldedText {
  readonly folded: string;
  /** for each UTF-16 unit of the folded text: where its character begins in the original text */
  readonly offsets: readonly number[];
}

/** Like `foldPage`, with positions. */
export function foldWithOffsets(text: string): FoldedText {
  let folded = '';
  const offsets: number[] = [];
  let at = 0;
  for (const character of text) {
    const own = foldCharacters(character).replaceAll(/\s+/gu, ' ');
    const isRepeatedSpace = own === ' ' && folded.endsWith(' ');
    if (!isRepeatedSpace) {
      folded += own;
      for (let unit = 0; unit < own.length; unit++) offsets.push(at);
    }
    at += character.length;
  }
  return { folded, offsets };
}

/** Where a pattern of `spellingsOf` matches, as positions in the original text. */
export function placesOf(
  { folded, offsets }: FoldedText,
  spellings: RegExp,
  length: number,
): { readonly from: number; readonly to: number }[] {
  return Array.from(folded.matchAll(new RegExp(spellings, 'gu')), ({ index, 0: match }) => ({
    from: offsets[index] ?? 0,
    to: offsets[index + match.length] ?? length,
  }));
}
