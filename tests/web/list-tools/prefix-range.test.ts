import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, fold } from '#shared/values/fold.ts';
import { prefixRange, prefixOfRange } from '#web/list-tools/prefix-range.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      'a',
      'A',
      'Ä',
      'ß',
      'ẞ',
      'z',
      '[',
      '@',
      '0',
      ' ',
      'Σ',
      'ς',
      '²',
      'ﬁ',
      '한',
      '𝒳',
      '\u0301',
      '\ue000',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 6,
});

describe('the range of the texts that begin in one way', () => {
  it('holds these and no others, in the order of the interface', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (start, other, joined) => {
        fc.pre(fold(start) !== '');
        const range = prefixRange(start);
        const candidate = joined ? start + other : other;
        const { after, before } = range ?? { after: '', before: '' };
        const isWithin = compareTexts(candidate, after) > 0 && compareTexts(candidate, before) < 0;
        expect([start, candidate, isWithin]).toEqual([
          start,
          candidate,
          fold(candidate).startsWith(fold(start)),
        ]);
      }),
      { numRuns: 3_000, seed: 20261122 },
    );
  });

  it('is none of nothing but accents', () => expect(prefixRange('\u0301')).toBeNull());

  it('is read back as what was typed', () => {
    for (const start of ['Mül', 'a', '1', '[', '𝒳y']) {
      const range = prefixRange(start);
      expect(range && prefixOfRange(range)).toBe(start);
    }
    expect(prefixOfRange({ after: 'a', before: 'b' })).toBeNull();
    expect(prefixOfRange({ after: 'a', before: 'b\u{10ffff}' })).toBeNull();
  });
});
