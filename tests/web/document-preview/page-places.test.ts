import { expect, test } from 'vitest';
import { spellingsOf } from '#shared/checks/page-spellings.ts';
import {
  boxesOf,
  mostCommonPlace,
  findPlace,
  relativePlaces,
  type RelativePlace,
} from '#web/features/document-preview/page-places.ts';
import type { PageSource, TextPiece } from '#web/features/document-preview/page-source.ts';

const piece = (text: string, left: number, top: number): TextPiece => ({
  text,
  left,
  top,
  width: text.trimEnd().length * 10,
  height: 12,
});
const source = (...pages: readonly (readonly TextPiece[])[]): PageSource => ({
  pageCount: pages.length,
  firstSize: { width: 1000, height: 2000 },
  measure: 'paper',
  size: () => Promise.resolve({ width: 1000, height: 2000 }),
  draw: () => Promise.resolve(),
  text: null,
  pieces: (page) => Promise.resolve(pages[page - 1] ?? []),
  close: () => undefined,
});
const total = spellingsOf('decimal', 20.5);
const label = spellingsOf('text', 'Total');
const nowhere = () => Promise.resolve(null);
const at = (page: number, left: number, top: number): RelativePlace => ({
  page,
  box: { left, top, width: 0.05, height: 0.01 },
  anchor: '',
});

test('a value is found within a line, and across pieces', () => {
  const pieces = [piece('Total 20', 100, 50), piece(',50 EUR\n', 180, 50), piece('x 20.50', 0, 90)];
  expect(total && boxesOf(pieces, total)).toEqual([
    { left: 160, top: 50, width: 50, height: 12 },
    { left: 20, top: 90, width: 50, height: 12 },
  ]);
});

test('of several places the one near the label is taken, or near to where others have it', async () => {
  const document = source(
    [piece('20.50', 0, 100)],
    [piece('20.50\n', 800, 400), piece('Total ', 600, 700), piece('20.50', 800, 702)],
  );
  const found = await findPlace(document, { value: total, label, inSimilarDocuments: nowhere });
  expect(found).toMatchObject({ kind: 'value', page: 2, box: { left: 800, top: 702 } });
  const inSimilarDocuments = () => Promise.resolve(at(2, 0.8, 0.21));
  const near = await findPlace(document, { value: total, label, inSimilarDocuments });
  expect(near).toMatchObject({ kind: 'value', page: 2, box: { left: 800, top: 400 } });
});

test('without the value it is the place of others, then the label, then the top of the document', async () => {
  const document = source([piece('Total 19.00', 600, 700)]);
  const others = () => Promise.resolve(at(3, 0.5, 0.25));
  expect(await findPlace(document, { value: total, label, inSimilarDocuments: others })).toEqual({
    kind: 'others',
    page: 1,
    box: { left: 500, top: 500, width: 50, height: 20 },
  });
  expect(
    await findPlace(document, { value: total, label, inSimilarDocuments: nowhere }),
  ).toMatchObject({
    kind: 'label',
    box: { left: 600, top: 700, width: 50 },
  });
  const { pieces: _pieces, ...scan } = document;
  expect(await findPlace(scan, { value: total, label, inSimilarDocuments: nowhere })).toEqual({
    kind: 'top',
    page: 1,
    box: null,
  });
});

test('others have a value where most of them have it, whatever their sizes', async () => {
  const document = source([piece('20.50', 500, 400)]);
  expect(total && (await relativePlaces(document, total))).toEqual([
    { page: 1, box: { left: 0.5, top: 0.2, width: 0.05, height: 0.006 }, anchor: '' },
  ]);
  const first = [at(1, 0.1, 0.1), at(1, 0.8, 0.5)];
  expect(mostCommonPlace([first, [at(1, 0.82, 0.51)], [at(1, 0.3, 0.9)]])).toEqual(at(1, 0.8, 0.5));
  expect(mostCommonPlace([[], []])).toBeNull();
});

test('the place of others is what follows the same words, wherever their line is', async () => {
  const other = source([piece('Betrag gesamt: 20.50\n', 0, 400)]);
  const [place] = total ? await relativePlaces(other, total) : [];
  expect(place?.anchor).toBe('betrag gesamt');
  const longer = [piece('Betrag 1.00\n', 0, 400), piece('Betrag gesamt: ', 0, 900)];
  const document = source([...longer, piece('19.00', 700, 901), piece('EUR\n', 760, 901)]);
  const inSimilarDocuments = () => Promise.resolve(place ?? null);
  // Others have it at the left: of the line there is nothing but what follows the words.
  expect(await findPlace(document, { value: total, label, inSimilarDocuments })).toMatchObject({
    kind: 'others',
    box: { left: 700, top: 901, width: 90 },
  });
  const column = () => Promise.resolve({ page: 1, box: at(1, 0.71, 0.2).box, anchor: 'gesamt' });
  expect(
    await findPlace(document, { value: total, label, inSimilarDocuments: column }),
  ).toMatchObject({
    box: { left: 700, top: 901, width: 50 },
  });
});
