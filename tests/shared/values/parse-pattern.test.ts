import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePattern } from '#shared/values/parse-pattern.ts';
import { isPattern } from '#shared/values/pattern-engine.ts';
import { repeated } from '#tests/support/effort.ts';
import { patternParts } from '#tests/support/random-patterns.ts';

it('parses exactly the expressions that RE2 accepts', () => {
  fc.assert(
    fc.property(patternParts, (parts) => {
      const pattern = parts.join('');
      const parsed = parsePattern(pattern);
      if (!parsed.ok && parsed.problem === 'tooLarge') return;
      expect([pattern, parsed.ok]).toEqual([pattern, isPattern(pattern)]);
    }),
    { numRuns: repeated(1000) },
  );
});

it.each(['(a?){200}', '(?:\\bx?)*', `${'('.repeat(60)}a${')'.repeat(60)}`])(
  'refuses %s as too large',
  (pattern) => {
    expect(parsePattern(pattern)).toEqual({
      ok: false,
      problem: 'tooLarge',
      offset: expect.any(Number),
    });
  },
);
