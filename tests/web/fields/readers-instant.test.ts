import { expect, it } from 'vitest';
import { readersInstant } from '#web/fields/value-text.ts';

it('shows a date and time as the reader writes it', () => {
  // Noon in UTC: the same day wherever the test runs.
  expect(readersInstant('2025-11-10T13:00:00+01:00', 'en-GB')).toMatch(/^10 Nov 2025, \d\d:00$/);
  expect(readersInstant('2025-11-10T13:00:00+01:00', 'de-DE')).toMatch(/^10\.11\.2025, \d\d:00$/);
  expect(readersInstant('soon')).toBeNull();
});
