import { expect, onTestFinished, test, vi } from 'vitest';
import { formatCount, formatNumber } from '#shared/messages/format.ts';
import { inWords } from '#web/fields/value-text.ts';
import { byteSizeText } from '#web/ui/byte-size.ts';

test.each([
  ['en-GB', '1,234,567', '1,234.5'],
  ['de-DE', '1.234.567', '1.234,5'],
  ['fr-FR', '1\u202f234\u202f567', '1\u202f234,5'],
])('counts and numbers in sentences stand as %s writes them', (language, count, number) => {
  vi.stubGlobal('navigator', { language });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(formatCount(1_234_567)).toBe(count);
  expect(formatNumber(1234.5, 14)).toBe(number);
  expect(inWords({ type: 'decimal', scale: 2 }, 1234.5)).toBe(number);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [812, '812 bytes'],
  [13_600, '14 KB'],
  [3_210_000, '3.2 MB'],
])('%i bytes are %s', (bytes, text) => expect(byteSizeText(bytes)).toBe(text));
