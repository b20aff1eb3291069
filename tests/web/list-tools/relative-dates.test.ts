import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listQueryString, readListView, writeListView } from '#web/api/list-view.ts';
import { limitsOf, readWithin } from '#web/api/relative-dates.ts';

const days = (value: string, now: string) => {
  const within = readWithin(`days:${value}`);
  if (!within) throw new Error(`${value} is no period.`);
  return limitsOf(within, new Date(now)).map((limit) => `${limit.op} ${limit.value}`);
};

describe('a period of days', () => {
  it.each([
    ['today', 'gte 2026-03-01', 'lte 2026-03-01'],
    ['yesterday', 'gte 2026-02-28', 'lte 2026-02-28'],
    // The first of March 2026 is a Sunday.
    ['this-week', 'gte 2026-02-23', 'lte 2026-03-01'],
    ['last-7-days', 'gte 2026-02-23', 'lte 2026-03-01'],
    ['this-month', 'gte 2026-03-01', 'lte 2026-03-31'],
    ['last-month', 'gte 2026-02-01', 'lte 2026-02-28'],
    ['this-year', 'gte 2026-01-01', 'lte 2026-12-31'],
    ['last-year', 'gte 2025-01-01', 'lte 2025-12-31'],
  ])('%s goes from %s to %s', (period, from, to) => {
    expect(days(period, '2026-03-01T12:00:00')).toEqual([from, to]);
  });

  it('is that of the clock of the computer, just before midnight as just after', () => {
    expect(days('today', '2026-01-01T00:00:00')).toEqual(['gte 2026-01-01', 'lte 2026-01-01']);
    expect(days('yesterday', '2026-01-01T00:00:00')[0]).toBe('gte 2025-12-31');
    expect(days('last-month', '2026-01-31T23:59:59')).toEqual(['gte 2025-12-01', 'lte 2025-12-31']);
    expect(days('this-week', '2026-03-02T00:00:00')).toEqual(['gte 2026-03-02', 'lte 2026-03-08']);
  });
});

describe('a filter by a period', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T10:00:00') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const search = { 'where[DUE][within]': 'days:last-7-days' };

  it('stays as it is in the address, and is asked for by the day on which the list is read', () => {
    const view = readListView(search);
    expect(writeListView(view)).toEqual(search);
    const sent = () => decodeURIComponent(listQueryString(view));
    expect(sent()).toBe('?where[DUE][gte]=2026-11-16&where[DUE][lte]=2026-11-22');
    vi.setSystemTime(new Date('2026-11-23T00:00:01'));
    expect(sent()).toBe('?where[DUE][gte]=2026-11-17&where[DUE][lte]=2026-11-23');
  });

  it('of moments goes from the first midnight to the one after the last', () => {
    const view = readListView({ 'where[changedAt][within]': 'moments:today' });
    const [from, to] = [new Date(2026, 10, 22), new Date(2026, 10, 23)];
    expect(new URLSearchParams(listQueryString(view)).toString()).toBe(
      new URLSearchParams([
        ['where[changedAt][gte]', from.toISOString()],
        ['where[changedAt][lt]', to.toISOString()],
      ]).toString(),
    );
  });

  it('is left out where nobody knows the period', () => {
    for (const value of ['days:next-week', 'today', 'years:today', '']) {
      expect(readListView({ 'where[DUE][within]': value })).toEqual({});
    }
  });
});
