import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { editDistance, MAX_COMPARED_LENGTH } from './edit-distance.ts';
import type { Fingerprint } from './fingerprint.ts';

/** Letters per allowed difference between two texts. */
const LETTERS_PER_DIFFERENCE = 5;

/**
 * How many letters may differ if the shorter of two texts has this length: in short words each letter is more
 * significant.
 * @param maxDistance the maximum allowed by the caller
 */
export function allowedDistance(length: number, maxDistance: number): number {
  return Math.min(maxDistance, Math.floor(length / LETTERS_PER_DIFFERENCE));
}

/** For each text the positions of similar ones, with their distances. */
interface SimilarTexts {
  readonly neighbours: readonly ReadonlyMap<number, number>[];
  /** whether all pairs were compared; otherwise there were more than `MAX_COMPARISONS` */
  readonly isComplete: boolean;
}

/** Maximum number of candidate pairs that are compared. */
const MAX_COMPARISONS = 30_000_000;

interface IndexedLength {
  readonly distance: number;
  readonly pieces: readonly { readonly at: number; readonly length: number }[];
  /** for each piece the positions of the texts that contain it */
  readonly textsByPiece: readonly Map<string, number[]>[];
}

/**
 * Finds texts whose fingerprints differ by few letters, and in no mark. Not every text is compared with every other: if
 * two texts have `k` differences, one of `2k + 1` pieces of the shorter occurs unchanged in the longer, shifted by at
 * most `k` letters (Li, Deng, Wang, Feng: Pass-Join, 2011; a transposition may damage two pieces).
 * @param fingerprints each text once
 * @param maxDistance letters that may differ in long texts
 */
export async function similarTexts(
  fingerprints: readonly Fingerprint[],
  maxDistance: number,
): Promise<SimilarTexts> {
  const neighbours = fingerprints.map(() => new Map<number, number>());
  const order = [...fingerprints.keys()].filter((textIndex) => {
    const { length } = fingerprints[textIndex]?.text ?? '';
    return length <= MAX_COMPARED_LENGTH && allowedDistance(length, maxDistance) > 0;
  });
  const textAt = (textIndex: number) => fingerprints[textIndex]?.text ?? '';
  // In this order the same pairs are compared whatever the order of the texts.
  order.sort((a, b) => textAt(a).length - textAt(b).length || (textAt(a) < textAt(b) ? -1 : 1));
  const letters = Int32Array.from(fingerprints, ({ text }) => lettersOf(text));
  const lastSeen = new Int32Array(fingerprints.length).fill(-1);
  const indexes = new Map<string, Map<number, IndexedLength>>();
  let comparisons = 0;
  for (const textIndex of order) {
    const { text, marks } = fingerprints[textIndex] ?? { text: '', marks: '' };
    const index = indexes.get(marks) ?? new Map<number, IndexedLength>();
    indexes.set(marks, index);
    for (let { length } = text; length >= text.length - maxDistance; length--) {
      const shorter = index.get(length);
      if (!shorter || text.length - length > shorter.distance) continue;
      const { distance } = shorter;
      for (const others of withPieceOf(shorter, text)) {
        comparisons += others.length;
        for (const other of others) {
          if (lastSeen[other] === textIndex) continue;
          lastSeen[other] = textIndex;
          if (differences(letters[textIndex] ?? 0, letters[other] ?? 0) > 2 * distance) continue;
          const found = editDistance(textAt(other), text, distance);
          if (found > distance) continue;
          neighbours[textIndex]?.set(other, found);
          neighbours[other]?.set(textIndex, found);
        }
      }
    }
    if (comparisons > MAX_COMPARISONS) return { neighbours, isComplete: false };
    addTo(index, textIndex, text, maxDistance);
    await yieldToEventLoop();
  }
  return { neighbours, isComplete: true };
}

/** The texts that share a piece with a longer one, at about the same position; one may be returned several times. */
function* withPieceOf(
  { distance, pieces, textsByPiece }: IndexedLength,
  text: string,
): Generator<readonly number[]> {
  for (const [i, { at, length }] of pieces.entries()) {
    const to = Math.min(at + distance, text.length - length);
    for (let from = Math.max(0, at - distance); from <= to; from++) {
      const found = textsByPiece[i]?.get(text.slice(from, from + length));
      if (found) yield found;
    }
  }
}

function addTo(
  index: Map<number, IndexedLength>,
  textIndex: number,
  text: string,
  maxDistance: number,
): void {
  const { length } = text;
  const indexed = index.get(length) ?? newIndex(length, allowedDistance(length, maxDistance));
  index.set(length, indexed);
  for (const [i, piece] of indexed.pieces.entries()) {
    const part = text.slice(piece.at, piece.at + piece.length);
    const known = indexed.textsByPiece[i]?.get(part);
    if (known) known.push(textIndex);
    else indexed.textsByPiece[i]?.set(part, [textIndex]);
  }
}

function newIndex(length: number, distance: number): IndexedLength {
  const count = 2 * distance + 1;
  const starts = Array.from({ length: count + 1 }, (_, i) => Math.floor((i * length) / count));
  const pieces = starts
    .slice(0, -1)
    .map((at, i) => ({ at, length: (starts[i + 1] ?? length) - at }));
  return { distance, pieces, textsByPiece: pieces.map(() => new Map<string, number[]>()) };
}

/** The letters of a text as bits, some of which represent several letters. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}

/** The letters that only one of two texts has; each difference adds two at most. */
function differences(a: number, b: number): number {
  let bits = a ^ b;
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) count += 1;
  return count;
}
