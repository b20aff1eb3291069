import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { createQueryClient } from '#web/api/query-client.ts';

const USED = ['Presented by the artist 1990', 'Presented by\r\ntwo friends', 'Purchased 1990'];

function open(initial: string | null) {
  const asked: string[] = [];
  const client = createQueryClient();
  const suggest = (typed: string) => ({
    queryKey: ['credit lines', typed],
    queryFn: () => {
      asked.push(typed);
      return Promise.resolve(USED.filter((text) => text.includes(typed)));
    },
  });
  function Form() {
    const [value, setValue] = useState(initial);
    return (
      <QueryClientProvider client={client}>
        <ValueEditor
          rules={{ type: 'text', maxLength: null, options: null }}
          control={{ 'aria-label': 'Credit line' }}
          value={value}
          onChange={setValue}
          suggest={suggest}
        />
        <output>{JSON.stringify(value)}</output>
      </QueryClientProvider>
    );
  }
  render(<Form />);
  return {
    user: userEvent.setup(),
    box: screen.getByRole('textbox', { name: 'Credit line' }),
    asked,
    held: () => JSON.parse(screen.getByRole('status').textContent) as unknown,
    options: () => screen.queryAllByRole('option').map(({ textContent }) => textContent),
    /** whether the box has the key for itself, as it moves the cursor or begins a line */
    isFree: (key: string) => fireEvent.keyDown(screen.getByRole('textbox'), { key }),
  };
}

it('offers the lines in use to who types one, and takes one by ↓ and Enter', async () => {
  const { user, box, held, options } = open('Old');
  await user.clear(box);
  await user.type(box, 'Pres');
  await screen.findByRole('option');
  expect(options()).toEqual(['Presented by the artist 1990']);
  await user.keyboard('{ArrowDown}');
  expect(box.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option').id);
  await user.keyboard('{Enter}');
  expect(held()).toBe('Presented by the artist 1990');
  expect(options()).toEqual([]);
});

it('takes one by a press', async () => {
  const { user, box, held } = open(null);
  await user.type(box, 'Purch');
  await user.click(await screen.findByRole('option'));
  expect(held()).toBe('Purchased 1990');
  expect(document.activeElement).toBe(box);
});

it('leaves the arrows and Enter to the text, unless a suggestion is selected', async () => {
  const { user, box, held, options, isFree } = open('Old');
  await user.click(box);
  expect(isFree('ArrowDown')).toBe(true);
  expect(isFree('ArrowUp')).toBe(true);
  await user.clear(box);
  await user.type(box, 'Pres');
  await screen.findByRole('option');
  // To the first and on to what is typed.
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(held()).toBe('Pres\n');
  expect(options()).toEqual([]);
  expect(isFree('ArrowDown')).toBe(true);
});

it('offers nothing for several lines, and nothing any more after Escape', async () => {
  const { user, box, options, asked, isFree } = open('One\r\nTwo');
  await user.type(box, ' Pres');
  expect(asked).toEqual([]);
  await user.clear(box);
  await user.type(box, 'Pres');
  await screen.findByRole('option');
  expect(isFree('Escape')).toBe(false);
  expect(options()).toEqual([]);
  expect(isFree('Escape')).toBe(true);
  expect(isFree('ArrowDown')).toBe(true);
});

it('opens in an empty box by ↓, with lines alone', async () => {
  const { user, box, options, held } = open(null);
  await user.type(box, '{ArrowDown}');
  await screen.findAllByRole('option');
  expect(options()).toEqual(['Presented by the artist 1990', 'Purchased 1990']);
  await user.keyboard('{ArrowUp}{Enter}');
  expect(held()).toBe('Purchased 1990');
});
