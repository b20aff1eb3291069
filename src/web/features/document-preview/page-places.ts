import { foldWithPlaces, placesOf } from '#shared/checks/page-text.ts';
import { afterAnchor, anchorOf, around, linesOf } from './page-lines.ts';
import type { PageBox, PageSize, PageSource, TextPiece } from './page-source.ts';

/** A place of a page, for pages of all sizes: `box` in shares of the page's width and height. */
export interface RelativePlace {
  /** 1-based */
  readonly page: number;
  readonly box: PageBox;
  /** the words before it in its line, folded; '': there are none */
  readonly anchor: string;
}

/** What a place of a page is: where the value stands, where it should, or nothing that is known. */
export type PlaceKind = 'value' | 'others' | 'label' | 'top';

export interface FoundPlace {
  readonly kind: PlaceKind;
  /** 1-based */
  readonly page: number;
  /** null: the top of the page */
  readonly box: PageBox | null;
}

export interface PlaceQuery {
  /** of `spellingsOf`; null: there is no value to be found */
  readonly value: RegExp | null;
  /** what the field is called; null: nothing that can be found */
  readonly label: RegExp | null;
  /** where other documents have the field; asked where the value is not found, or more than once */
  readonly ofOthers: () => Promise<RelativePlace | null>;
}

/** Of longer documents only the first pages are searched. */
const MAX_PAGES = 10;
/** Places of other documents that are not farther from each other are the same, in shares of the page. */
const SAME_PLACE = 0.04;

/** The rectangles in which a text that matches stands, one for each match. */
export function boxesOf(pieces: readonly TextPiece[], pattern: RegExp): PageBox[] {
  const text = pieces.map((piece) => piece.text).join('');
  return placesOf(foldWithPlaces(text), pattern, text.length).flatMap(({ from, to }) => {
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

/** The characters of a piece from one place to before another; all are taken to have the same width. */
function partOf({ text, ...box }: TextPiece, from: number, to: number): PageBox {
  // Text that runs from bottom to top is not divided.
  if (box.height > box.width && text.length > 2) return box;
  const length = Math.max(1, text.trimEnd().length);
  const [start, end] = [Math.max(0, from) / length, Math.min(length, to) / length];
  return { ...box, left: box.left + start * box.width, width: (end - start) * box.width };
}

/**
 * Finds the place of a field in a document: where its value stands; else where other documents have the field; else beside
 * what the field is called; else the top of the first page. Of several places of the value the one is taken that is nearest
 * to where others have it, or to what the field is called.
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
  const others = await query.ofOthers();
  const expected: FoundPlace | null = others && (await placeIn(source, others));
  if (!first) return expected ?? labels[0] ?? { kind: 'top', page: 1, box: null };
  return nearest(values, expected ? [expected] : labels) ?? first;
}

/** The place that others have: what follows the same words, or, without them, what stands at the same position. */
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

/** Pages are farther from each other than anything on one of them. */
function distanceOf(one: FoundPlace, other: FoundPlace): number {
  if (!one.box || !other.box) return Number.POSITIVE_INFINITY;
  const across = one.box.left - other.box.left;
  const down = one.box.top - other.box.top;
  // What belongs together stands on one line more often than below each other.
  return Math.abs(one.page - other.page) * 10_000 + Math.hypot(across, 3 * down);
}

/** All places of a value in a document, in shares of its pages. */
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

/** The place that most documents have in common; null: there is none. @param documents the places in each of them */
export function commonPlace(
  documents: readonly (readonly RelativePlace[])[],
): RelativePlace | null {
  let best: { readonly place: RelativePlace; readonly count: number } | null = null;
  for (const place of documents.flat()) {
    const count = documents.filter((places) => places.some((one) => isSame(one, place))).length;
    if (!best || count > best.count) best = { place, count };
  }
  return best?.place ?? null;
}

function isSame(one: RelativePlace, other: RelativePlace): boolean {
  const across = Math.abs(one.box.left + one.box.width - other.box.left - other.box.width);
  const startsAcross = Math.abs(one.box.left - other.box.left);
  if (one.anchor !== '' && one.anchor === other.anchor) return true;
  return (
    one.page === other.page &&
    Math.min(across, startsAcross) <= SAME_PLACE &&
    Math.abs(one.box.top - other.box.top) <= SAME_PLACE
  );
}
