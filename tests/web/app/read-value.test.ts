import { expect, it } from 'vitest';
import { notationOf } from '#shared/values/readings.ts';
import { readValue } from '#web/features/document-upload/read-value.ts';
import { buildColumn } from '../tables/columns.ts';

it('names the form of dates in the file, not that of the user', () => {
  const field = { ...buildColumn('SIGNED', { type: 'date' }), options: null };
  expect(readValue(field, '31.02.2024', notationOf('de-DE'), 'de-DE')).toEqual({
    problem: 'SIGNED “31.02.2024”: Enter a valid date, written as DD.MM.YYYY.',
  });
});
