import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePattern } from '#shared/values/parse-pattern.ts';
import { isPattern } from '#shared/values/pattern-engine.ts';
import { repeated } from '#tests/support/effort.ts';
import { patternParts } from '#tests/support/random-patterns.ts';

it('parses exactly the expressions that RE2 accepts', { tags: ['slow'] }, () => {
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

it.each([
  ['(a?){200}', 'tooLarge'],
  ['(?:\\bx?)*', 'tooLarge'],
  ['((?:\\bx?)*a){0}', 'tooLarge'],
  ['(?:^|)'.repeat(300), 'tooLarge'],
  [`(?m)${'(?:^|)'.repeat(12)}`, 'tooLarge'],
  ['\\pL'.repeat(40), 'tooLarge'],
  [`${'('.repeat(60)}a${')'.repeat(60)}`, 'tooLarge'],
  ['(x{100}){11}', 'repetition'],
  ['(?P<n>a)(?<n>b)', 'groupName'],
])('refuses %s: %s', (pattern, problem) => {
  expect(parsePattern(pattern)).toMatchObject({ ok: false, problem });
});
