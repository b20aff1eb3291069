import { describe, expect, it } from 'vitest';
import { completeDate, completeDatetime } from '#web/ui/fields/date-completion.ts';

describe('a date typed short', () => {
  it.each([
    ['20260131', '2026-01-31'],
    [' 20260131 ', '2026-01-31'],
    ['2026-01-31', '2026-01-31'],
    ['31.1.2026', '31.1.2026'],
    ['tomorrow', 'tomorrow'],
  ])('%s → %s', (typed, completed) => {
    expect(completeDate(typed)).toBe(completed);
  });
});

describe('a date and time typed short', () => {
  it.each([
    ['2026-01-31 14:05', 330, '2026-01-31T14:05:00+05:30'],
    ['2026-01-31T14:05:09', -60, '2026-01-31T14:05:09-01:00'],
    ['2026-01-31 14:05z', 60, '2026-01-31T14:05:00Z'],
    ['2026-01-31T14:05:09.25+02:00', 60, '2026-01-31T14:05:09.25+02:00'],
    ['2026-01-31', 60, '2026-01-31'],
    ['2026-99-31 14:05', Number.NaN, '2026-99-31 14:05'],
  ])('%s at %i minutes → %s', (typed, offset, completed) => {
    expect(completeDatetime(typed, () => offset)).toBe(completed);
  });
});
