import '#shared/values/pattern-engine.ts';
import { describe, expect, it } from 'vitest';
import { exampleOf } from '#shared/values/pattern-example.ts';
import { matchesPattern } from '#shared/values/pattern.ts';

describe('an example of a pattern', () => {
  it.each([
    ['DE[0-9]{9}|ATU[0-9]{8}', 'DE123456789'],
    ['(?:R|B)-\\d{4}', 'R-1234'],
    ['^[A-Z]{2,3}\\.[a-z]+$', 'AB.c'],
    ['PO-[0-9]{2}/[0-9]+', 'PO-12/3'],
    ['[A-Z][0-9]?x*', 'A2x'],
    ['[\\d]{3}', '123'],
    ['\\p{L}+', 'A'],
    ['(?i)abc', 'abc'],
    ['\\bx', 'x'],
    ['[[:alpha:]]{2}', 'AB'],
  ])('%s: %s', (pattern, example) => {
    expect(exampleOf(pattern)).toBe(example);
    expect(matchesPattern(pattern, example)).toBe(true);
  });

  it.each(['[^0-9]+', '[[:ascii:]]{3}', '\\pC', 'a{400}', '\\Bx', '', 'a**', '(?=x)'])(
    'none of %s',
    (pattern) => {
      expect(exampleOf(pattern)).toBeNull();
    },
  );
});
