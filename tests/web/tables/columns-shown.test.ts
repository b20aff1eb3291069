import { expect, test } from 'vitest';
import { viewWithColumns } from '#web/list-tools/view-with-columns.ts';

const named = (names: string) => names.split('');

test.each<[string, number | undefined, string, string, number | undefined]>([
  ['a hidden column that stays takes its place with it', 2, 'abcd', 'bcd', 1],
  ['the last one that stays leaves none', 1, 'abcd', 'bcd', undefined],
  ['one that scrolls is hidden', 2, 'abcd', 'abd', 2],
  ['one comes in among those that stay', 1, 'bcd', 'abcd', 2],
  ['one comes behind them', 2, 'abd', 'abcd', 2],
  ['hidden and shown again', 2, 'abcd', 'acd', 1],
  ['columns change places', 2, 'abcd', 'cabd', 2],
  ['one goes as another comes', 2, 'abc', 'adc', 1],
  ['nothing stays', undefined, 'abcd', 'bcd', undefined],
])('%s', (_, frozen, before, after, expected) => {
  const view = { ...(frozen === undefined ? {} : { frozen }), q: 'x' };
  const next = viewWithColumns(view, named(before), named(after));
  expect(next).toEqual({
    ...(expected === undefined ? {} : { frozen: expected }),
    q: 'x',
    columns: named(after),
  });
});
