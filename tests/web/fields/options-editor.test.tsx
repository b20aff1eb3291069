import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ValueEditor } from '#web/fields/value-editor.tsx';

const RULES = { type: 'text', maxLength: null, options: ['EUR', 'CHF', 'GBP'] } as const;

function Form({ initial }: { readonly initial: string | null }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <ValueEditor
        rules={RULES}
        control={{ 'aria-label': 'Currency' }}
        value={value}
        onChange={setValue}
      />
      <button type="button">Next</button>
      <output>{JSON.stringify(value)}</output>
    </>
  );
}

function open(initial: string | null) {
  render(<Form initial={initial} />);
  return {
    user: userEvent.setup(),
    box: screen.getByRole('combobox', { name: 'Currency' }),
    held: () => JSON.parse(screen.getByRole('status').textContent) as unknown,
    options: () => screen.queryAllByRole('option').map(({ textContent }) => textContent),
  };
}

it.each(['{Enter}', '{Tab}', '{Control>}{Enter}{/Control}'])(
  'takes the only match by %s',
  async (key) => {
    const { user, box, held } = open('EUR');
    await user.clear(box);
    await user.type(box, `gb${key}`);
    expect(held()).toBe('GBP');
    expect(box).toHaveProperty('value', 'GBP');
  },
);

it('keeps a text that is none of the options as it was typed', async () => {
  const { user, box, held } = open('EUR');
  await user.clear(box);
  await user.type(box, 'USD');
  expect(held()).toBe('USD');
  await user.tab();
  expect(held()).toBe('USD');
  expect(box).toHaveProperty('value', 'USD');
});

it('opens by a click, ↓ or typing, not by the focus', async () => {
  const { user, options } = open('EUR');
  await user.tab();
  expect(options()).toEqual([]);
  await user.keyboard('{ArrowDown}');
  expect(options()).toEqual(['EUR', 'CHF', 'GBP']);
  await user.keyboard('{Escape}');
  expect(options()).toEqual([]);
  await user.keyboard('{Control>}a{/Control}f');
  expect(options()).toEqual(['CHF']);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(screen.getByRole('status').textContent).toBe('"CHF"');
});
