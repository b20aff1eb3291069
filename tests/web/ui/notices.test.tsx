import { notifications } from '@mantine/notifications';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Notices } from '#web/ui/notices.tsx';
import { notify, notifyFailure } from '#web/ui/notify.ts';

/** Also those that the pages of former test files have left. */
function removeNotices() {
  notifications.clean();
  notifications.cleanQueue();
}

beforeEach(removeNotices);
afterEach(() => void vi.useRealTimers());

test('a notice of a failure stays longer than others', async () => {
  render(<Notices />);
  act(() => notify('The code of notices is loaded.'));
  await screen.findByText('The code of notices is loaded.');
  act(removeNotices);
  vi.useFakeTimers();
  act(() => {
    notify('The view was saved.');
    notifyFailure('The queue could not be created.');
  });
  expect(screen.getByText('The view was saved.')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(screen.queryByText('The view was saved.')).toBeNull();
  expect(screen.getByText('The queue could not be created.')).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(screen.queryByText('The queue could not be created.')).toBeNull();
});
