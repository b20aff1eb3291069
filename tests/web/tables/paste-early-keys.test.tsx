/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pasteModule } from '#web/features/data-grid/paste/lazy-paste-module.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
afterEach(() => vi.restoreAllMocks());

const NOT_ENTERED = /^What you typed was not entered/;

/** The code for pastes is not loaded until what it returns is called. */
function holdCode(): () => void {
  const loaded = Promise.withResolvers<void>();
  const { load } = pasteModule;
  vi.spyOn(pasteModule, 'loaded').mockReturnValue(undefined);
  vi.spyOn(pasteModule, 'load').mockImplementation(async () => {
    await loaded.promise;
    return load();
  });
  return loaded.resolve;
}

describe('keys that are pressed while the code for a paste is loading', () => {
  test('neither confirm its preview nor change a cell; a notice says so', async () => {
    const { focus, paste, user, text, stored } = await grids.open();
    await focus(0, COL.name);
    const before = await stored();
    const load = holdCode();
    paste(0, COL.name, 'Bolt A\nNut A');
    await user.keyboard('47 {Enter} ');
    expect(text(0, COL.name)).toBe('Bolt');
    load();
    const dialog = await screen.findByRole('dialog', { name: /^Paste 2 rows/ });
    await screen.findByText(NOT_ENTERED);
    const confirm = await within(dialog).findByRole('button', { name: 'Paste' });
    expect(await stored()).toEqual(before);
    await user.click(confirm);
    await waitFor(async () =>
      expect((await stored()).map(({ name }) => name)).toEqual(['Bolt A', 'Nut A', 'Ring']),
    );
  });

  test('act after the paste of one cell', async () => {
    const { focus, paste, user, stored } = await grids.open();
    await focus(0, COL.name);
    const load = holdCode();
    paste(0, COL.name, 'Bolt A');
    await user.keyboard('{F2}7{Enter}Nut A{Enter}');
    load();
    await waitFor(async () =>
      expect((await stored()).map(({ name }) => name)).toEqual(['Bolt A7', 'Nut A', 'Ring']),
    );
    expect(screen.queryByText(NOT_ENTERED)).toBeNull();
  });
});

test('Enter does not confirm the preview of a paste that has just opened, Ctrl+Enter does', async () => {
  const { focus, paste, user, stored } = await grids.open();
  await focus(0, COL.name);
  const before = await stored();
  paste(0, COL.name, 'Bolt A\nNut A');
  const dialog = await screen.findByRole('dialog', { name: /^Paste 2 rows/ });
  const preview = await within(dialog).findByRole('region', { name: 'Old and new' });
  await waitFor(() => expect(document.activeElement).toBe(preview));
  await user.keyboard('{Enter}');
  expect(await stored()).toEqual(before);
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(async () =>
    expect((await stored()).map(({ name }) => name)).toEqual(['Bolt A', 'Nut A', 'Ring']),
  );
});
