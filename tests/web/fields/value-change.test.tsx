import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Scalar } from '#shared/values/value-type.ts';
import { ValueChange } from '#web/fields/value-change.tsx';
import type { WrittenRules } from '#web/fields/value-text.ts';

const TEXT: WrittenRules = { type: 'text', scale: null };

/** The two texts of a change, with what is marked in brackets. */
function shown(before: Scalar, after: Scalar, rules = TEXT): string[] {
  const { container, unmount } = render(
    <ValueChange label="Name" rules={rules} before={before} after={after} />,
  );
  for (const mark of container.querySelectorAll('mark')) mark.textContent = `[${mark.textContent}]`;
  const texts = [...container.querySelectorAll('del, ins')].map((one) => one.textContent ?? '');
  unmount();
  return texts;
}

it.each([
  ['one character', 'Muller GmbH', 'Müller GmbH', ['M[u]ller GmbH', 'M[ü]ller GmbH']],
  ['what was added', 'aa', 'aaa', ['aa', 'aa[a]']],
  ['two places', 'RE-2024-0012', 'RE-2025-0013', ['RE-202[4]-001[2]', 'RE-202[5]-001[3]']],
  ['whole characters', 'a😀b', 'a😁b', ['a[😀]b', 'a[😁]b']],
  ['another text', 'Meier', 'Huber', ['[Meier]', '[Huber]']],
  [
    'words, where many characters differ',
    'one two three four five six',
    'one zwei three vier five sechs',
    ['one [two] three [four] five [six]', 'one [zwei] three [vier] five [sechs]'],
  ],
])('marks %s', (_, before, after, texts) => {
  expect(shown(before, after)).toEqual(texts);
});

it('marks whole numbers, written as lists write them', () => {
  const amount: WrittenRules = { type: 'decimal', scale: 2 };
  expect(shown(2510, 2511.5, amount)).toEqual(['[2,510.00]', '[2,511.50]']);
});

it.each([
  [{ type: 'decimal', scale: 2 }, 'about 5', 5, ['[about 5]', '[5.00]']],
  [{ type: 'date', scale: null }, 'last week', '2024-12-31', ['[last week]', '[2024-12-31]']],
] as const)('shows as they were values from before a change of the type to %o', (...row) => {
  const [rules, before, after, texts] = row;
  expect(shown(before, after, rules)).toEqual(texts);
});

it('shortens long parts that did not change', () => {
  const long = 'x'.repeat(50);
  expect(shown(`${long}1${long}2`, `${long}3${long}4`)).toEqual([
    `…${'x'.repeat(18)}[1]${'x'.repeat(18)}…${'x'.repeat(18)}[2]`,
    `…${'x'.repeat(18)}[3]${'x'.repeat(18)}…${'x'.repeat(18)}[4]`,
  ]);
});
