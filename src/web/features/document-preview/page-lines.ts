import { foldPage } from '#shared/checks/page-text.ts';
import type { PageBox, TextPiece } from './page-source.ts';

/** The pieces of a line, from left to right. */
type Line = readonly TextPiece[];

/** How many words before a value distinguish its line. */
const MAX_WORDS_BEFORE = 3;

/** The visible lines of a page: pieces at the same height, whatever their order in the file. */
export function linesOf(pieces: readonly TextPiece[]): Line[] {
  const lines: TextPiece[][] = [];
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue;
    const line = lines.find(([first]) => first && isBeside(first, piece));
    if (line) line.push(piece);
    else lines.push([piece]);
  }
  return lines.map((line) => line.toSorted((a, b) => a.left - b.left));
}

/** Whether two rectangles are on one line. */
function isBeside(a: PageBox, b: PageBox): boolean {
  const distance = Math.abs(a.top + a.height / 2 - b.top - b.height / 2);
  return distance < Math.min(a.height, b.height) / 2;
}

function isInColumn(a: PageBox, b: PageBox): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width;
}

/** The words before a place on its line, folded, without numbers; '' if there are none. */
export function anchorOf(lines: readonly Line[], box: PageBox): string {
  const line = lines.find((pieces) => pieces.some((piece) => isBeside(piece, box)));
  const before = (line ?? []).map(({ text, left, width }) => {
    const share = (box.left - left) / Math.max(1, width);
    return text.slice(0, Math.max(0, Math.floor(share * text.trimEnd().length + 0.01)));
  });
  return wordsOf(before.join(' ')).slice(-MAX_WORDS_BEFORE).join(' ');
}

/**
 * The text after the words of an anchor on a line; null: the words are not on it, or nothing follows.
 * @param expected the place in other documents: only text above or below it is used, if there is any
 */
export function afterAnchor(line: Line, anchor: string, expected: PageBox): PageBox | null {
  const last = anchor.split(' ').at(-1) ?? '';
  for (let at = line.length - 1; at >= 0; at--) {
    const piece = line[at];
    if (!piece || !wordsOf(piece.text).includes(last)) continue;
    const words = wordsOf(
      line
        .slice(0, at + 1)
        .map(({ text }) => text)
        .join(' '),
    );
    if (!` ${words.join(' ')} `.includes(` ${anchor} `)) continue;
    const end = endOfWord(piece, last);
    const share = (end - piece.left) / Math.max(1, piece.width);
    const tail = piece.text.slice(Math.round(share * piece.text.trimEnd().length));
    const remainder = { ...piece, left: end, width: piece.left + piece.width - end };
    const rest = line.slice(at + 1);
    const parts = /[\p{L}\p{N}]/u.test(tail) ? [remainder, ...rest] : rest;
    const near = parts.filter((part) => isInColumn(part, expected));
    if (parts.length > 0) return around(near.length > 0 ? near : parts);
  }
  return null;
}

/** The position after a word in a piece, in pixels. */
function endOfWord({ text, left, width }: TextPiece, word: string): number {
  const trimmed = text.trimEnd();
  const at = foldPage(trimmed).lastIndexOf(word);
  const end = at < 0 ? trimmed.length : Math.min(trimmed.length, at + word.length);
  return left + (width * end) / Math.max(1, trimmed.length);
}

/** The words that consist only of letters. */
function wordsOf(text: string): string[] {
  return foldPage(text)
    .split(/[^\p{L}\p{M}]+/u)
    .filter((word) => word.length > 1);
}

/** The bounding rectangle of others. */
export function around(boxes: readonly PageBox[]): PageBox {
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** The texts at a place, from left to right: of the pieces on its line that overlap it. */
export function textsAt(pieces: readonly TextPiece[], box: PageBox): string[] {
  const line =
    linesOf(pieces).find((candidate) => candidate.some((piece) => isBeside(piece, box))) ?? [];
  const right = box.left + box.width;
  return line.flatMap(({ text, left, width }) => {
    if (left + width < box.left || left > right) return [];
    const share = (box.left - left) / Math.max(1, width);
    const from = share > 0.02 ? Math.round(share * text.trimEnd().length) : 0;
    return [text.slice(from).trim()];
  });
}
