import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ValueEditor } from '#web/ui/fields/value-editor.tsx';
import { Library } from '#web/ui/library.tsx';
import { readersDay } from '#web/ui/value-text.ts';

const RULES = { type: 'date', maxLength: null, options: null } as const;

function Form({ initial }: { readonly initial: string | null }) {
  const [value, setValue] = useState(initial);
  return (
    <Library>
      <ValueEditor
        rules={RULES}
        control={{ 'aria-label': 'Due date', 'aria-describedby': 'help' }}
        value={value}
        onChange={setValue}
      />
      <p id="help">The last day for payment.</p>
    </Library>
  );
}

const described = () =>
  (screen.getByRole('textbox', { name: 'Due date' }).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);

it('says in words which day a date is, as soon as it is one', async () => {
  render(<Form initial="2025-10-12" />);
  const user = userEvent.setup();
  const box = screen.getByRole('textbox', { name: 'Due date' });
  expect(described()).toEqual(['The last day for payment.', 'Oct 12, 2025']);

  await user.clear(box);
  expect(described()).toEqual(['The last day for payment.']);

  // As it is printed on a German page, before the field is left.
  await user.type(box, '10.12.202');
  expect(described()).toEqual(['The last day for payment.']);
  await user.type(box, '5');
  expect(described()).toEqual(['The last day for payment.', 'Dec 10, 2025']);
  expect(box).toHaveProperty('value', '10.12.2025');
});

it.each([
  ['en-US', '2025-12-10', 'Dec 10, 2025'],
  ['en-GB', '2025-12-10', '10 Dec 2025'],
  ['de-DE', '2025-12-10', '10. Dez. 2025'],
  ['en-GB', '2026-02-30', null],
  ['en-GB', '2025-12-10T10:00:00Z', null],
  ['en-GB', 'soon', null],
  ['en-GB', null, null],
])('writes a day to the customs of %s: %s', (locale, day, words) => {
  expect(readersDay(day, locale)).toBe(words);
});
