import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';

function Form() {
  const [value, setValue] = useState<string | null>('08:00');
  return (
    <LibraryProvider>
      <ValueEditor
        rules={{ type: 'time', maxLength: null, options: null }}
        control={{ 'aria-label': 'Start' }}
        value={value}
        onChange={setValue}
      />
      <output>{value}</output>
    </LibraryProvider>
  );
}

it('reads a time of day as it is typed, and shows it in its form when the field is left', async () => {
  render(<Form />);
  const user = userEvent.setup();
  const box = screen.getByRole('textbox', { name: 'Start' });
  expect(box).toHaveProperty('value', '08:00');
  await user.clear(box);
  expect(box).toHaveProperty('placeholder', 'HH:mm');
  await user.type(box, '9:30 pm');
  expect(screen.getByRole('status').textContent).toBe('21:30');
  expect(box).toHaveProperty('value', '9:30 pm');
  await user.tab();
  expect(box).toHaveProperty('value', '21:30');
});
