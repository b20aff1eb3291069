import { expect, it, onTestFinished } from 'vitest';
import * as overview from '#messages/overview.ts';
import * as presence from '#messages/presence.ts';
import * as values from '#messages/values.ts';
import { setLocaleSource } from '#shared/messages/format.ts';
import { createPlural } from '#shared/messages/plural.ts';
import type { Translation } from '#shared/messages/translation.ts';

it('chooses the form of a text by its count', () => {
  expect(presence.editing({ count: 1, names: 'Anna' })).toBe('Anna is editing this.');
  expect(presence.editing({ count: 2, names: 'Anna, Ben' })).toBe('Anna, Ben are editing this.');
});

it('chooses the form by the rules of the language', () => {
  const plural = createPlural<'one' | 'few' | 'many' | 'other'>('pl');
  const forms = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' };
  expect([1, 3, 5, 22, 1.5].map((count) => plural(count, forms))).toEqual([
    'plik',
    'pliki',
    'plików',
    'pliki',
    'pliku',
  ]);
});

it('keeps the elements of a text in their place', () => {
  const number = { element: '1,200' };
  expect(overview.revisions(1200, number)).toEqual(['', number, ' revisions']);
  expect(overview.revisions(1, number)).toEqual(['', number, ' revision']);
});

it('gives a message its code and parameters beside the text', () => {
  expect(values.tooLong({ max: 1_000_000 })).toEqual({
    code: 'values.tooLong',
    params: { max: 1_000_000 },
    message: 'The value may have at most 1,000,000 characters.',
  });
});

it('writes numbers in texts as the locale does', () => {
  onTestFinished(() => setLocaleSource(() => 'en'));
  setLocaleSource(() => 'de-DE');
  expect(overview.positionInList({ position: 1, total: 1200 })).toBe('1 of 1.200');
});

it('takes a translation with the same names and arguments', () => {
  const plural = createPlural<'one' | 'other'>('de');
  const german: Translation<typeof presence> = {
    editing: ({ count, names }) =>
      plural(count, { one: `${names} bearbeitet dies.`, other: `${names} bearbeiten dies.` }),
    viewing: ({ count, names }) =>
      plural(count, { one: `${names} hat dies offen.`, other: `${names} haben dies offen.` }),
  };
  expect(german.editing({ count: 2, names: 'Anna, Ben' })).toBe('Anna, Ben bearbeiten dies.');
});
