import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { GoToRow } from '#web/features/data-grid/rows/go-to-row.tsx';
import { LibraryProvider } from '#web/ui/library-provider.tsx';

function open() {
  const gone: number[] = [];
  render(
    <LibraryProvider>
      <GoToRow count={5_000} onGo={(row) => gone.push(row)} onClose={() => undefined} />
    </LibraryProvider>,
  );
  return {
    gone,
    user: userEvent.setup(),
    field: screen.getByRole('textbox', { name: 'Go to row' }),
  };
}

test('goes to the row of a number, also of one that is pasted with group separators', async () => {
  const { gone, user, field } = open();
  expect(document.activeElement).toBe(field);
  await user.paste('1,234');
  await user.keyboard('{Enter}');
  expect(gone).toEqual([1_233]);
});

test.each(['0', '5001', '{Backspace}'])('goes nowhere by %s', async (keys) => {
  const { gone, user } = open();
  await user.keyboard(`${keys}{Enter}`);
  expect(gone).toEqual([]);
});
