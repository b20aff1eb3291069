import { foldWithOffsets, placesOf } from '#shared/checks/page-text.ts';
import { afterAnchor, anchorOf, around, linesOf } from './page-lines.ts';
import type { PageBox, PageSize, PageSource, TextPiece } from './page-source.ts';

/** A place on a page, for pages of all sizes: `box` as fractions of the page's width and height. */
export interface RelativePlace {
  /** 1-based */
  readonly page: number;
  readonly box: PageBox;
  /** the words before it on its line, folded; '': none */
  readonly anchor: string;
}

/** The kind of a place: where the value is, where it is in other documents, next to the label, or unknown. */
export type PlaceKind = 'value' | 'others' | 'label' | 'top';

export interface FoundPlace {
  readonly kind: PlaceKind;
  /** 1-based */
  readonly page: number;
  /** null: the top of the page */
  readonly box: PageBox | null;
}

export interface PlaceQuery {
  /** from `spellingsOf`; null: there is no value to search */
  readonly value: RegExp | null;
  /** the label of the field; null: nothing that can be searched */
  readonly label: RegExp | null;
  /** the place in other documents; requested if the value is not found, or more than once */
  readonly inSimilarDocuments: () => Promise<RelativePlace | null>;
}

/** Only the first pages of longer documents are searched. */
const MAX_PAGES = 10;
/** Places in other documents within this distance count as the same, as a fraction of the page. */
const SAME_PLACE = 0.04;

/** The rectangles of the matches of a pattern. */
export function boxesOf(pieces: readonly TextPiece[], pattern: RegExp): PageBox[] {
  const text = pieces.map((piece) => piece.text).join('');
  return placesOf(foldWithOffsets(text), pattern, text.length).flatMap(({ from, to }) => {
    let at = 0;
    const parts: PageBox[] = [];
    for (const piece of pieces) {
      const [start, end] = [at, at + piece.text.length];
      at = end;
      if (end > from && start < to && piece.width > 0)
        parts.push(partOf(piece, from - start, to - start));
    }
    return parts.length === 0 ? [] : [around(parts)];
  });
}

/** A part of a piece, end exclusive; all characters are assumed to have the same width. */
function partOf({ text, ...box }: TextPiece, from: number, to: number): PageBox {
  // Vertical text is not divided.
  if (box.height > box.width && text.length > 2) return box;
  const length = Math.max(1, text.trimEnd().length);
  const [start, end] = [Math.max(0, from) / length, Math.min(length, to) / length];
  return { ...box, left: box.left + start * box.width, width: (end - start) * box.width };
}

/**
 * Finds the place of a field in a document: that of its value; else that in other documents; else next to its label;
 * else the top of the first page. If the value occurs several times, the occurrence nearest to the place in other
 * documents, or to the label, is taken.
 */
export async function findPlace(source: PageSource, query: PlaceQuery): Promise<FoundPlace> {
  const labels: FoundPlace[] = [];
  const values: FoundPlace[] = [];
  for (let page = 1; source.pieces && page <= Math.min(source.pageCount, MAX_PAGES); page++) {
    const pieces = await source.pieces(page);
    const places = (pattern: RegExp | null, kind: PlaceKind) =>
      pattern ? boxesOf(pieces, pattern).map((box) => ({ kind, page, box })) : [];
    values.push(...places(query.value, 'value'));
    labels.push(...places(query.label, 'label'));
  }
  const [first, ...more] = values;
  if (first && more.length === 0) return first;
  const others = await query.inSimilarDocuments();
  const expected: FoundPlace | null = others && (await placeIn(source, others));
  if (!first) return expected ?? labels[0] ?? { kind: 'top', page: 1, box: null };
  return nearest(values, expected ? [expected] : labels) ?? first;
}

/** The place from other documents: the text after the same words, or, without them, the text at the same position. */
async function placeIn(source: PageSource, others: RelativePlace): Promise<FoundPlace> {
  const page = Math.min(others.page, source.pageCount);
  const position = scaled(others.box, await source.size(page));
  const expected: FoundPlace = { kind: 'others', page, box: position };
  if (others.anchor === '') return expected;
  const found: FoundPlace[] = [];
  for (let at = 1; source.pieces && at <= Math.min(source.pageCount, MAX_PAGES); at++) {
    for (const line of linesOf(await source.pieces(at))) {
      const box = afterAnchor(line, others.anchor, position);
      if (box) found.push({ kind: 'others', page: at, box });
    }
  }
  return nearest(found, [expected]) ?? expected;
}

function scaled(box: PageBox, { width, height }: PageSize): PageBox {
  return {
    left: box.left * width,
    top: box.top * height,
    width: box.width * width,
    height: box.height * height,
  };
}

function nearest(
  places: readonly FoundPlace[],
  targets: readonly FoundPlace[],
): FoundPlace | undefined {
  if (targets.length === 0) return undefined;
  const measured = places.map((place) => ({
    place,
    distance: Math.min(...targets.map((target) => distanceOf(place, target))),
  }));
  return measured.toSorted((a, b) => a.distance - b.distance)[0]?.place;
}

/** Pages are farther from each other than any places on one page. */
function distanceOf(a: FoundPlace, b: FoundPlace): number {
  if (!a.box || !b.box) return Number.POSITIVE_INFINITY;
  const across = a.box.left - b.box.left;
  const down = a.box.top - b.box.top;
  // Related texts are more often on one line than below each other.
  return Math.abs(a.page - b.page) * 10_000 + Math.hypot(across, 3 * down);
}

/** All places of a value in a document, relative to its pages. */
export async function relativePlaces(
  source: PageSource,
  value: RegExp,
): Promise<readonly RelativePlace[]> {
  const found: RelativePlace[] = [];
  for (let page = 1; source.pieces && page <= Math.min(source.pageCount, MAX_PAGES); page++) {
    const pieces = await source.pieces(page);
    const boxes = boxesOf(pieces, value);
    if (boxes.length === 0) continue;
    const { width, height } = await source.size(page);
    const shares = { width: 1 / width, height: 1 / height };
    const lines = linesOf(pieces);
    found.push(
      ...boxes.map((box) => ({ page, box: scaled(box, shares), anchor: anchorOf(lines, box) })),
    );
  }
  return found;
}

/** The place that most documents share; null: none. @param documents the places in each of them */
export function mostCommonPlace(
  documents: readonly (readonly RelativePlace[])[],
): RelativePlace | null {
  let best: { readonly place: RelativePlace; readonly count: number } | null = null;
  for (const place of documents.flat()) {
    const count = documents.filter((places) =>
      places.some((candidate) => isSame(candidate, place)),
    ).length;
    if (!best || count > best.count) best = { place, count };
  }
  return best?.place ?? null;
}

function isSame(a: RelativePlace, b: RelativePlace): boolean {
  const across = Math.abs(a.box.left + a.box.width - b.box.left - b.box.width);
  const startsAcross = Math.abs(a.box.left - b.box.left);
  if (a.anchor !== '' && a.anchor === b.anchor) return true;
  return (
    a.page === b.page &&
    Math.min(across, startsAcross) <= SAME_PLACE &&
    Math.abs(a.box.top - b.box.top) <= SAME_PLACE
  );
}
