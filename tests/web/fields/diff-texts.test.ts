import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffTexts } from '#web/fields/diff-texts.ts';

it('finds the part that differs', () => {
  expect(diffTexts('Muller GmbH', 'Müller GmbH')).toEqual({
    start: 'M',
    before: 'u',
    after: 'ü',
    end: 'ller GmbH',
  });
  expect(diffTexts('aa', 'aaa')).toEqual({ start: 'aa', before: '', after: 'a', end: '' });
});

it('puts both texts together again, whole characters at every cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '😁', '🌀', '\r\n') });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = diffTexts(before, after);
      expect(diff.start + diff.before + diff.end).toBe(before);
      expect(diff.start + diff.after + diff.end).toBe(after);
      for (const part of Object.values(diff)) expect(part.isWellFormed()).toBe(true);
    }),
  );
});
