/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { openGrids } from './open-grids.tsx';

const grids = await openGrids();

const COLUMNS = [
  { name: 'net', label: 'Net', type: 'decimal', scale: 2 },
  { name: 'vat', label: 'VAT', type: 'decimal', scale: 2 },
  { name: 'due', label: 'Due', type: 'date' },
  { name: 'note', label: 'Note' },
];
const COL = { net: 1, vat: 2, due: 3, note: 4, findings: 5 } as const;
const CHECKS = [
  { name: 'RATE', label: 'VAT above net', rule: 'vat <= net' },
  { name: 'DUE', label: 'Due too early', rule: 'due >= 2026-01-01', severity: 'block' },
];
const ROWS = [
  [100, 19, '2026-02-01', 'right'],
  [19, 100, '2026-02-01', 'swapped'],
  [100, 19, '2025-02-01', 'early'],
] as const;
const open = (search = '') =>
  grids.open({ columns: COLUMNS, rows: ROWS, more: { checks: CHECKS }, search });

describe('What checks find in a table', () => {
  test('is marked in the cells, explained at the focused one, and a column', async () => {
    const { cell, focus, text, copy } = await open('?columns=net,vat,due,note,check');
    screen.getByRole('columnheader', { name: /^Findings/ });
    expect(cell(0, COL.net).dataset['finding']).toBeUndefined();
    expect(cell(1, COL.net).dataset['finding']).toBe('warn');
    expect(cell(1, COL.vat).title).toBe('Warning: VAT above net');
    expect(cell(1, COL.due).dataset['finding']).toBeUndefined();
    expect(cell(2, COL.due).dataset['finding']).toBe('block');
    expect(text(1, COL.findings)).toBe('Warning: VAT above net');
    expect(text(2, COL.findings)).toBe('Error: Due too early');
    const described = cell(1, COL.vat).getAttribute('aria-describedby') ?? '';
    expect(document.querySelector(`[id="${described}"]`)?.textContent).toBe(
      'Warning: VAT above net',
    );
    await focus(1, COL.vat);
    await screen.findByText('Warning: VAT above net', { selector: '[data-cell-findings] *' });
    await focus(1, COL.findings);
    expect(copy(1, COL.findings)).toBe('Warning: VAT above net');
  });

  test(
    'is marked while one types, and what was saved is marked as the service says',
    { tags: ['long'] },
    async () => {
      const { user, cell, typeInto, stored } = await open();
      await typeInto(0, COL.vat, '500');
      await waitFor(() => expect(cell(0, COL.net).dataset['finding']).toBe('warn'));
      screen.getByText('Warning: VAT above net', { selector: '[data-cell-findings] *' });
      await user.keyboard('{Backspace}{Backspace}');
      await waitFor(() => expect(cell(0, COL.net).dataset['finding']).toBeUndefined());
      await user.keyboard('00{Enter}');
      await waitFor(async () => expect((await stored())[0]).toMatchObject({ vat: 500 }));
      expect(cell(0, COL.net).dataset['finding']).toBe('warn');
      await typeInto(0, COL.vat, '5{Enter}');
      await waitFor(async () => expect((await stored())[0]).toMatchObject({ vat: 5 }));
      await waitFor(() => expect(cell(0, COL.net).dataset['finding']).toBeUndefined());
    },
  );

  test('is corrected by one key where a value follows from the rule, as one step of undo', async () => {
    const { user, cell, focus, stored } = await open();
    await focus(1, COL.net);
    await screen.findByRole('button', { name: 'Swap Net and VAT' });
    await user.keyboard('{Control>}.{/Control}');
    await waitFor(async () => expect((await stored())[1]).toMatchObject({ net: 100, vat: 19 }));
    await waitFor(() => expect(cell(1, COL.net).dataset['finding']).toBeUndefined());
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(async () => expect((await stored())[1]).toMatchObject({ net: 19, vat: 100 }));
    await waitFor(() => expect(cell(1, COL.net).dataset['finding']).toBe('warn'));
  });

  test('is no value: nothing is typed, pasted or cleared in its column', async () => {
    const { user, cell, text, typeInto, paste, focus, writes } =
      await open('?columns=vat,check,note');
    await typeInto(1, 2, 'x{Enter}');
    await focus(1, 2);
    await user.keyboard('{Delete}');
    paste(1, 2, 'other');
    expect(text(1, 2)).toBe('Warning: VAT above net');
    expect(writes()).toEqual([]);
    await focus(1, 1);
    paste(1, 1, '7\tx\tpasted');
    const dialog = await screen.findByRole('dialog');
    await user.click(await within(dialog).findByRole('button', { name: /^Paste/ }));
    await waitFor(() => expect(text(1, 3)).toBe('pasted'));
    await waitFor(() => expect(text(1, 2)).toBe(''));
    expect(cell(1, 1).dataset['finding']).toBeUndefined();
  });

  const editor = (form: HTMLElement, column: string) => {
    const found = form.querySelector<HTMLElement>(`[data-column="${column}"] input`);
    if (!found) throw new Error(`There is no editor of ${column}.`);
    return found;
  };

  test(
    'is shown in the form of the record while the user types, with the values that follow',
    { tags: ['long'] },
    async () => {
      const { user, stored } = await open('?selected=1');
      const form = await screen.findByRole('region', { name: 'Record 1' });
      await user.clear(editor(form, 'vat'));
      await user.type(editor(form, 'vat'), '500');
      expect(await within(form).findAllByText('VAT above net')).toHaveLength(2);
      expect((await stored())[0]).toMatchObject({ vat: 19 });
      await user.keyboard('{Control>}.{/Control}');
      await waitFor(async () => expect((await stored())[0]).toMatchObject({ net: 500, vat: 100 }));
      await waitFor(() => expect(within(form).queryByText('VAT above net')).toBeNull());
      await user.clear(editor(form, 'due'));
      await user.type(editor(form, 'due'), '2025-01-01');
      await within(form).findByText(/It cannot be saved like this/);
    },
  );

  test('is right as it is, with a reason, until that ends', async () => {
    const { user, cell, stored } = await open('?selected=2');
    const form = await screen.findByRole('region', { name: 'Record 2' });
    await user.click(await within(form).findByRole('button', { name: 'Right as it is…' }));
    const dialog = await screen.findByRole('dialog', { name: 'This is right as it is' });
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'a gift{Enter}');
    await within(form).findByText(/right as it is, says .*“a gift”/);
    await waitFor(() => expect(document.activeElement).toBe(editor(form, 'net')));
    await waitFor(() => expect(cell(1, COL.net).dataset['finding']).toBeUndefined());
    expect((await stored())[1]).toMatchObject({ net: 19, vat: 100 });
    await user.click(within(form).getByRole('button', { name: 'Remove the exception' }));
    expect(await within(form).findAllByText('VAT above net')).toHaveLength(2);
    expect(cell(1, COL.net).dataset['finding']).toBe('warn');
  });
});
