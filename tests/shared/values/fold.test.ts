import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareCodePoints, countCodePoints } from '#shared/values/code-points.ts';
import { compareTexts, fold, searchNeedles, searchText } from '#shared/values/fold.ts';
import { repeated } from '#tests/support/effort.ts';

const unicode = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed());

describe('fold', () => {
  it.each([
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Ångström', 'angstrom'],
    ['ﬁn', 'fin'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['İstanbul', 'istanbul'],
    ['①', '1'],
  ])('%s is %s', (text, folded) => expect(fold(text)).toBe(folded));

  it('of a folded text is the same', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
      { numRuns: repeated(500) },
    );
  });
});

describe('a search', () => {
  const finds = (q: string, ...texts: string[]) => {
    const stored = searchText(texts);
    return searchNeedles(q).every((needle) => stored.includes(needle));
  };
  it('finds parts of words, and short words at the start of a word', () => {
    expect(finds('rner', 'Turner, J.M.W.')).toBe(true);
    expect(finds('tu', 'Turner')).toBe(true);
    expect(finds('ur', 'Turner')).toBe(false);
    expect(finds('j', 'Turner, J.M.W.')).toBe(true);
    expect(finds("o'n", "Sean O'Neil")).toBe(true);
    expect(finds('MÜL ler', 'Mueller', 'Müller')).toBe(true);
  });
  it('finds no word across two fields', () => expect(finds('abcd', 'ab', 'cd')).toBe(false));
  it('finds every longer part of every text', () => {
    fc.assert(
      fc.property(fc.array(unicode, { minLength: 1 }), fc.nat(), fc.nat(), (texts, which, at) => {
        const folded = fold(texts[which % texts.length] ?? '');
        const part = Array.from(folded)
          .slice(at % (folded.length + 1))
          .slice(0, 5)
          .join('');
        fc.pre(!/\s/u.test(part) && countCodePoints(part, 9) >= 3 && fold(part) === part);
        expect(finds(part, ...texts)).toBe(true);
      }),
      { numRuns: repeated(200) },
    );
  });
});

describe('order of texts', () => {
  it('is that of code points, not of UTF-16 units', () => {
    expect(compareCodePoints('\u{1f600}', '\uffee')).toBeGreaterThan(0);
    fc.assert(
      fc.property(unicode, unicode, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(
          Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))),
        );
      }),
    );
  });
  it('is by folded form first', () => {
    expect(['b', 'Ä', 'a', 'B', 'ä'].sort(compareTexts)).toEqual(['a', 'Ä', 'ä', 'B', 'b']);
  });
});
