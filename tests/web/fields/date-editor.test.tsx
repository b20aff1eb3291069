import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';
import { dayInWords } from '#web/fields/value-text.ts';

interface FormProps {
  readonly initial: string | null;
  readonly type?: 'date' | 'datetime';
  readonly readOnly?: boolean;
}

function Form({ initial, type = 'date', readOnly = false }: FormProps) {
  const [value, setValue] = useState(initial);
  return (
    <LibraryProvider>
      <ValueEditor
        rules={{ type, maxLength: null, options: null }}
        readOnly={readOnly}
        control={{ 'aria-label': 'Due date', 'aria-describedby': 'help' }}
        value={value}
        onChange={setValue}
      />
      <p id="help">The last day for payment.</p>
    </LibraryProvider>
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
  expect(dayInWords(day, locale)).toBe(words);
});

describe('the calendar of a date field', () => {
  const showPicker = vi.fn<(this: HTMLInputElement) => void>();

  beforeEach(() => {
    showPicker.mockReset();
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE');
    HTMLInputElement.prototype.showPicker = showPicker;
  });

  afterEach(() => vi.restoreAllMocks());

  function choose(day: string) {
    const [native] = showPicker.mock.contexts;
    if (!native) throw new Error('No calendar is open.');
    fireEvent.change(native, { target: { value: day } });
  }

  it('opens by F4 at the day of the field, and writes the chosen day in the form of the reader', async () => {
    render(<Form initial="2025-10-12" />);
    const user = userEvent.setup();
    const box = screen.getByRole('textbox', { name: 'Due date' });
    await user.click(box);
    await user.keyboard('{F4}');
    expect(showPicker.mock.contexts[0]).toMatchObject({ type: 'date', value: '2025-10-12' });
    choose('2025-12-24');
    expect(box).toHaveProperty('value', '24.12.2025');
    expect(document.activeElement).toBe(box);
  });

  it('opens by its button, also where the field holds no day', async () => {
    render(<Form initial="soon" />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Open calendar' }));
    expect(showPicker.mock.contexts[0]).toMatchObject({ value: '' });
    choose('2026-01-02');
    const box = screen.getByRole('textbox', { name: 'Due date' });
    expect(box).toHaveProperty('value', '02.01.2026');
    expect(document.activeElement).toBe(box);
  });

  it('keeps the time of a date and time', async () => {
    render(<Form initial="2025-10-12T14:30:00+02:00" type="datetime" />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('textbox', { name: 'Due date' }));
    await user.keyboard('{F4}');
    choose('2025-12-24');
    expect(screen.getByRole('textbox', { name: 'Due date' })).toHaveProperty(
      'value',
      '24.12.2025 14:30 +02:00',
    );
  });

  it('does not open where the field may only be read', async () => {
    render(<Form initial="2025-10-12" readOnly />);
    const user = userEvent.setup();
    await user.click(screen.getByRole('textbox', { name: 'Due date' }));
    await user.keyboard('{F4}');
    expect(showPicker).not.toHaveBeenCalled();
    expect(screen.queryByRole('button', { name: 'Open calendar' })).toBeNull();
  });
});
