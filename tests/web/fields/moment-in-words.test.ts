import { expect, it } from 'vitest';
import { momentInWords } from '#web/fields/value-text.ts';

it('shows a date and time as the reader writes it', () => {
  // Noon in UTC: the same day wherever the test runs.
  expect(momentInWords('2025-11-10T13:00:00+01:00', 'en-GB')).toMatch(/^10 Nov 2025, \d\d:00$/);
  expect(momentInWords('2025-11-10T13:00:00+01:00', 'de-DE')).toMatch(/^10\.11\.2025, \d\d:00$/);
  expect(momentInWords('soon')).toBeNull();
});
