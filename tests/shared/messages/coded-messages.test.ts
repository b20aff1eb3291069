import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import * as accounts from '#messages/service/accounts.ts';
import * as checks from '#messages/checks.ts';
import * as http from '#messages/service/http.ts';
import * as lists from '#messages/service/lists.ts';
import * as records from '#messages/service/records.ts';
import * as workspace from '#messages/service/workspace.ts';
import * as values from '#messages/values.ts';
import { ApiError, detailsOf, textsOf } from '#shared/contract/errors.ts';
import { wordMessage } from '#shared/messages/coded-messages.ts';
import { setLocaleSource } from '#shared/messages/format.ts';

it.each(Object.entries({ accounts, checks, http, lists, records, values, workspace }))(
  'the codes of %s are the names of its entries',
  (subject, entries) => {
    const codes = Object.entries(entries).flatMap(([name, entry]) =>
      typeof entry !== 'string' && 'code' in entry ? [[`${subject}.${name}`, entry.code]] : [],
    );
    for (const [expected, code] of codes) expect(code).toBe(expected);
  },
);

it('words the code of every entry of the catalogue', async () => {
  const folder = join(import.meta.dirname, '../../../src/shared/messages/en');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const catalogue: object[] = await Promise.all(files.map((file) => import(join(folder, file))));
  const codes = catalogue.flatMap((entries) =>
    Object.values(entries).flatMap((entry: unknown) =>
      (typeof entry === 'function' || typeof entry === 'object') &&
      entry !== null &&
      'code' in entry
        ? [String(entry.code)]
        : [],
    ),
  );
  expect(codes).toContain('merges.collectionGone');
  // Other parameters are empty lists, which can be counted and joined.
  const params = new Proxy({}, { get: (_, name) => (name === 'problem' ? '' : []) });
  expect(codes.filter((code) => wordMessage(code, params) === undefined)).toEqual([]);
});

it('words a message from its code and parameters, with numbers as the user writes them', () => {
  onTestFinished(() => setLocaleSource(() => 'en'));
  setLocaleSource(() => 'de-DE');
  expect(wordMessage('values.tooLong', { max: 1_000_000 })).toBe(
    'The value may have at most 1.000.000 characters.',
  );
  expect(wordMessage('values.required', {})).toBe('A value is required.');
});

it.each(['values.unknown', 'unknown.required', 'values.constructor', 'text', 'values.canMean'])(
  'has no words for the code %s',
  (code) => {
    expect(wordMessage(code, { text: 'x', meanings: [] })).toBeUndefined();
  },
);

it('an error has a detail for each of its texts, in the same order', () => {
  const { messages } = new ApiError('validation_failed', {
    'indexFields.A': [values.required, values.atLeast({ min: 5 })],
    '-': [values.notSingle],
  });
  expect(textsOf(messages)).toEqual({
    'indexFields.A': ['A value is required.', 'The value must be at least 5.'],
    '-': ['The value must be a single value, not a list or an object.'],
  });
  expect(detailsOf(messages)).toEqual([
    { path: 'indexFields.A', code: 'values.required', params: {} },
    { path: 'indexFields.A', code: 'values.atLeast', params: { min: 5 } },
    { path: '-', code: 'values.notSingle', params: {} },
  ]);
});
