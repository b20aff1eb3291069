import { expect, test } from 'vitest';
import { suggestedTexts } from '#web/features/document-preview/page-suggestion.ts';
import type { PageSource, TextPiece } from '#web/features/document-preview/page-source.ts';
import { firstValidValue } from '#web/features/index-form/page-suggestion-button.tsx';
import type { IndexFieldDefinition } from '#web/fields/index-data.ts';

const piece = (text: string, left: number, top: number): TextPiece => ({
  text,
  left,
  top,
  width: text.trimEnd().length * 10,
  height: 12,
});
const source = (pieces: readonly TextPiece[]): PageSource => ({
  pageCount: 1,
  firstSize: { width: 1000, height: 1000 },
  measure: 'paper',
  size: () => Promise.resolve({ width: 1000, height: 1000 }),
  draw: () => Promise.resolve(),
  text: null,
  pieces: () => Promise.resolve(pieces),
  close: () => undefined,
});
const field = (given: Partial<IndexFieldDefinition>): IndexFieldDefinition => ({
  name: 'F',
  label: 'Total',
  description: '',
  type: 'text',
  required: false,
  maxLength: null,
  options: null,
  optionsFrom: null,
  pattern: null,
  scale: null,
  min: null,
  max: null,
  ...given,
});
const NOTATION = { decimal: ',', order: 'dmy' } as const;

test('suggests the text beside the name of a field, and what follows the same words as in other documents', async () => {
  const document = source([
    piece('Net ', 0, 80),
    piece('9,00\n', 300, 80),
    piece('Total: ', 0, 100),
    piece('1.020,50', 300, 101),
    piece('EUR\n', 400, 101),
  ]);
  const nowhere = () => Promise.resolve(null);
  expect(await suggestedTexts(document, { label: 'Total', inSimilarDocuments: nowhere })).toEqual([
    ':',
    '1.020,50',
    'EUR',
  ]);
  const box = { left: 0.3, top: 0.9, width: 0.1, height: 0.01 };
  const inSimilarDocuments = () => Promise.resolve({ page: 1, box, anchor: 'net' });
  expect(await suggestedTexts(document, { label: 'Total', inSimilarDocuments })).toEqual(['9,00']);
  expect(await suggestedTexts(document, { label: 'Nothing', inSimilarDocuments: nowhere })).toEqual(
    [],
  );
});

test('the first text that is a value of the field and keeps its rules is proposed', () => {
  const amount = field({ type: 'decimal', scale: 2, max: 5000 });
  expect(firstValidValue(amount, [':', '1.020,50', 'EUR'], NOTATION)?.text).toBe('1020.50');
  expect(firstValidValue(amount, ['9.020,50', 'EUR'], NOTATION)).toBeNull();
  expect(firstValidValue(field({ type: 'date' }), ['vom 03.02.2026'], NOTATION)?.text).toBe(
    '2026-02-03',
  );
  expect(firstValidValue(field({ maxLength: 5 }), ['R 100', 'x'], NOTATION)?.text).toBe('R 100');
  expect(firstValidValue(field({ maxLength: 4 }), ['R 100', 'x'], NOTATION)).toBeNull();
});
