import fc from 'fast-check';
import { expect, test } from 'vitest';
import { truncate } from '#shared/values/truncate.ts';

test(
  'A text is truncated only if it is too long, and never within a character',
  { tags: ['slow'] },
  () => {
    expect(truncate('Bolt', 4)).toBe('Bolt');
    expect(truncate('Bolts', 4)).toBe('Bolt…');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, maxLength) => {
        const shown = truncate(text, maxLength);
        expect(shown.isWellFormed()).toBe(true);
        expect(shown.length).toBeLessThanOrEqual(maxLength + 1);
      }),
    );
  },
);
