import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

const lines = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i + 1)).join('\n');

const previewOf = (rows: number) =>
  screen.findByRole('dialog', { name: new RegExp(`^Paste ${rows.toLocaleString('en')} rows`) });

describe('the preview of a paste', () => {
  test('is not replaced by the late answer to one that was closed', async () => {
    const rows = Array.from({ length: 250 }, (_, i) => [
      `C-${i + 1}`,
      'n',
      null,
      i,
      true,
      null,
      null,
    ]);
    const { service, paste, focus, user, stored } = await grids.open({ rows });
    await focus(0, COL.note);
    // Rows behind the first hundred are not read yet.
    const answerFirst = service.hold('GET');
    paste(
      0,
      COL.note,
      lines(150, (i) => `first ${i}`),
    );
    await previewOf(150);
    const asked = () => service.calls.find(({ url }) => /offset=100(?:&|$)/.test(url));
    await waitFor(() => expect(asked()).toMatchObject({ status: null }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    service.hold('GET')();
    paste(
      0,
      COL.note,
      lines(2, (i) => `second ${i}`),
    );
    const dialog = await previewOf(2);
    await within(dialog).findByRole('region', { name: 'Old and new' });
    answerFirst();
    await waitFor(() => expect(asked()).toMatchObject({ status: 200 }));
    expect(within(dialog).queryByText(/first/)).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Paste' }));
    await waitFor(async () => {
      const notes = (await stored()).map(({ note }) => note);
      expect(notes.slice(0, 3)).toEqual(['second 1', 'second 2', null]);
    });
  });
});
