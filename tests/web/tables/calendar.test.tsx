import { fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const showPicker = vi.fn<(this: HTMLInputElement) => void>();

beforeEach(() => {
  showPicker.mockReset();
  HTMLInputElement.prototype.showPicker = showPicker;
});
afterEach(() => vi.restoreAllMocks());

function choose(day: string) {
  const native = showPicker.mock.contexts.at(-1);
  if (!native) throw new Error('No calendar is open.');
  fireEvent.change(native, { target: { value: day } });
}

test('F4 in a cell for dates opens the calendar at its day; the day that is chosen is edited on and saved', async () => {
  const { user, focus, text, stored, foot } = await grids.open();
  await focus(0, COL.since);
  await user.keyboard('2026-01-31{F4}');
  expect(showPicker.mock.contexts[0]).toMatchObject({ type: 'date', value: '2026-01-31' });
  choose('2026-02-14');
  const box = screen.getByRole('textbox', { name: 'Since' });
  expect(document.activeElement).toBe(box);
  expect(box).toHaveProperty('value', '2026-02-14');
  await user.keyboard('{Enter}');
  await foot().findByText('Saved');
  expect(text(0, COL.since)).toBe('2026-02-14');
  expect((await stored())[0]).toMatchObject({ since: '2026-02-14' });
});

test('the button of the calendar keeps the cell open', { tags: ['long'] }, async () => {
  const { user, focus } = await grids.open();
  await focus(0, COL.since);
  await user.keyboard('{F2}');
  const box = screen.getByRole('textbox', { name: 'Since' });
  await user.click(screen.getByRole('button', { name: 'Open calendar' }));
  choose('2026-03-01');
  expect(document.activeElement).toBe(box);
  expect(box).toHaveProperty('value', '2026-03-01');
});
