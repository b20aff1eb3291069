import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

describe('reading', () => {
  test('shows the rows, the types and the total', async () => {
    const { grid, text, foot } = await grids.open();
    expect(grid.getAttribute('aria-rowcount')).toBe('5');
    expect(grid.getAttribute('aria-colcount')).toBe('8');
    expect(text(0, COL.note)).toBe('one ↵ two');
    expect(text(1, COL.active)).toBe('No');
    expect(text(2, COL.note)).toBe('empty text');
    expect(foot().getByText('3 records')).toBeTruthy();
  });

  test('the address gives filter, sort, search and columns', async () => {
    const { text, grid, foot } = await grids.open({
      search: '?where[pieces][gte]=5&sort=-pieces&columns=name,pieces',
    });
    await waitFor(() => expect(text(0, 1)).toBe('Nut'));
    expect(text(0, 2)).toBe('7');
    expect(text(1, 1)).toBe('Bolt');
    expect(grid.getAttribute('aria-colcount')).toBe('3');
    expect(foot().getByText('2 of 3 records, filtered')).toBeTruthy();
  });

  test(
    'amounts have thousands separators, in their summary too, and are copied without',
    { tags: ['long'] },
    async () => {
      const { user, text, cell, copy } = await grids.open({
        columns: [
          { name: 'code', label: 'Code' },
          { name: 'sum', label: 'Sum', type: 'decimal', scale: 2 },
          { name: 'year', label: 'Year', type: 'integer' },
        ],
        rows: [['A-1', 1234567.5, 2024]],
      });
      expect([text(0, 2), text(0, 3)]).toEqual(['1,234,567.50', '2024']);
      expect([cell(0, 2).dataset, cell(0, 3).dataset]).toMatchObject([
        { number: 'true' },
        { number: 'true' },
      ]);
      await user.click(cell(0, 2));
      expect(copy(0, 2)).toBe('1234567.50');
      await user.keyboard('{Enter}');
      expect(screen.getByRole('textbox', { name: /^Sum/ })).toHaveProperty('value', '1234567.50');
      await user.keyboard('{Escape}');
      fireEvent.contextMenu(screen.getByRole('columnheader', { name: /^Sum/ }));
      await user.click(await screen.findByRole('menuitem', { name: 'Summary…' }));
      const value = await screen.findByRole('button', { name: '1,234,567.50' });
      expect(value.closest('td')?.dataset).toMatchObject({ number: 'true' });
    },
  );

  test(
    'a click on a heading sorts, another reverses the order, and the address has it',
    { tags: ['long'] },
    async () => {
      const { user, text, search } = await grids.open();
      await user.click(screen.getByRole('columnheader', { name: /Name/ }));
      await waitFor(() => expect(text(2, COL.name)).toBe('Ring'));
      await user.click(screen.getByRole('columnheader', { name: /Name/ }));
      await waitFor(() => expect(text(0, COL.name)).toBe('Ring'));
      expect(search()).toEqual({ sort: '-name' });
    },
  );

  test(
    'Filter by this column puts the cursor into the value, also a second time',
    { tags: ['long'] },
    async () => {
      const { user, text, search } = await grids.open();
      const filterBy = async (name: RegExp) => {
        fireEvent.contextMenu(screen.getByRole('columnheader', { name }));
        await user.click(await screen.findByRole('menuitem', { name: 'Filter by this column' }));
      };
      await filterBy(/^Pieces/);
      const value = await screen.findByRole('textbox', { name: 'Value' });
      await waitFor(() => expect(document.activeElement).toBe(value));
      await user.keyboard('7');
      await waitFor(() => expect(text(0, COL.name)).toBe('Nut'));
      expect(search()).toEqual({ 'where[pieces][eq]': '7' });
      await filterBy(/^Pieces/);
      // The condition that exists is edited; none is added.
      await waitFor(() =>
        expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Value' })),
      );
      // Longer than the menu waits before it returns the focus.
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
      expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Value' }));
      expect(screen.getAllByRole('group', { name: 'Condition' })).toHaveLength(1);
    },
  );

  test(
    'a double click on the edge of a column fits it to its texts',
    { tags: ['long'] },
    async () => {
      // jsdom measures no text: the width is estimated by the number of characters.
      vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
      const { grid, text } = await grids.open({
        rows: [['A-1', 'A rather long name of a bolt', null, 5, true, null, null]],
      });
      await waitFor(() => expect(text(0, COL.code)).toBe('A-1'));
      const heading = screen.getByRole('columnheader', { name: /^Name/ });
      fireEvent.doubleClick(heading.lastElementChild ?? heading);
      await waitFor(() =>
        expect(grid.style.getPropertyValue('--columns').split(' ')[COL.name]).toBe('225px'),
      );
    },
  );

  test('an empty table and an empty result say what to do', { tags: ['long'] }, async () => {
    await grids.open({ rows: [] });
    expect(await screen.findByText('This table is empty')).toBeTruthy();
  });

  test('a result without rows offers all rows', { tags: ['long'] }, async () => {
    const { user, text } = await grids.open({ search: '?q=nothing' });
    await user.click(await screen.findByRole('button', { name: 'Remove filter and search' }));
    await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
  });

  test(
    'a list that the service refuses shows its message, with a way out',
    { tags: ['long'] },
    async () => {
      const { user, text } = await grids.open({ search: '?sort=nowhere' });
      expect(await screen.findByText(/There is no field nowhere/)).toBeTruthy();
      await user.click(screen.getByRole('button', { name: 'Remove filter, search and order' }));
      await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
    },
  );

  test('readers see the rows and change nothing', async () => {
    const { grid, typeInto, text, writes, user } = await grids.open({ access: 'read' });
    expect(grid.getAttribute('aria-readonly')).toBe('true');
    expect(grid.getAttribute('aria-rowcount')).toBe('4');
    await typeInto(0, COL.name, 'x');
    await user.keyboard('{Delete}{F2}');
    expect(grid.querySelector('input')).toBeNull();
    expect(text(0, COL.name)).toBe('Bolt');
    expect(writes()).toEqual([]);
  });
});

describe('editing', () => {
  test('what is typed is shown at once and sent as a PUT of the changed column with its version', async () => {
    const { typeInto, text, writes, stored, foot } = await grids.open();
    await typeInto(0, COL.name, 'Screw{Enter}');
    expect(text(0, COL.name)).toBe('Screw');
    await foot().findByText('Saved');
    expect(writes()).toMatchObject([{ method: 'PUT', body: { dataset: { name: 'Screw' } } }]);
    expect(writes()[0]?.headers['if-match']).toMatch(/^".+"$/);
    expect((await stored())[0]).toMatchObject({ name: 'Screw', note: 'one\r\ntwo' });
  });

  test('Enter goes down, Tab on, Escape gives the old value back', { tags: ['long'] }, async () => {
    const { typeInto, user, cell, writes } = await grids.open();
    await typeInto(0, COL.name, 'x{Escape}');
    expect(document.activeElement).toBe(cell(0, COL.name));
    expect(cell(0, COL.name).textContent).toBe('Bolt');
    await user.keyboard('{Tab}');
    expect(document.activeElement).toBe(cell(0, COL.note));
    await user.keyboard('{Shift>}{Tab}{/Shift}{ArrowDown}{F2}{Enter}');
    expect(document.activeElement).toBe(cell(2, COL.name));
    expect(writes()).toEqual([]);
  });

  test('↓ in the search moves to the first match', async () => {
    const { focus, cell, text, user } = await grids.open();
    await focus(1, COL.name);
    await user.type(screen.getByRole('searchbox'), 'Ring{ArrowDown}');
    await waitFor(() => expect(text(0, COL.code)).toBe('A-3'));
    expect(document.activeElement).toBe(cell(0, COL.code));
  });

  test('the grid is one tab stop', { tags: ['long'] }, async () => {
    const { grid, focus, user } = await grids.open();
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    await focus(1, COL.name);
    expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
    await user.keyboard('{Escape}{Tab}');
    expect(grid.contains(document.activeElement)).toBe(false);
  });

  test('each type has its way to be typed', { tags: ['long'] }, async () => {
    const { typeInto, user, stored, foot } = await grids.open();
    await typeInto(1, COL.pieces, '12{Tab}');
    await user.keyboard(' {Tab}20260131{Tab}wait{Enter}');
    await foot().findByText('Saved');
    await waitFor(async () =>
      expect((await stored())[1]).toMatchObject({
        pieces: 12,
        active: true,
        since: '2026-01-31',
        state: 'waiting',
      }),
    );
  });

  test('values in use are suggested, however many records have another one', async () => {
    const repeated = Array.from({ length: 100 }, (_, i) => [`A-${i}`, 'Acme AG']);
    const { typeInto } = await grids.open({
      columns: [
        { name: 'code', label: 'Code' },
        { name: 'name', label: 'Name', maxLength: 80 },
      ],
      rows: [...repeated, ['B-1', 'Acme GmbH']],
    });
    await typeInto(0, COL.name, 'acme');
    const offered = () =>
      screen.getAllByRole('option', { hidden: true }).map((option) => option.textContent);
    await waitFor(() => expect(offered()).toEqual(['Acme AG', 'Acme GmbH']));
  });

  test('what nobody touched in a text of several lines keeps its line breaks', async () => {
    const { focus, user, stored, foot } = await grids.open();
    await focus(0, COL.note);
    await user.keyboard('{F2}!{Enter}');
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ note: 'one\r\ntwo!' });
  });

  test('Delete clears; a required column keeps its value and says so', async () => {
    const { focus, user, cell, stored, foot, text } = await grids.open();
    await focus(0, COL.pieces);
    await user.keyboard('{Delete}');
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ pieces: null });
    await focus(0, COL.name);
    await user.keyboard('{Delete}');
    expect(cell(0, COL.name).getAttribute('aria-invalid')).toBe('true');
    expect(cell(0, COL.name)).toHaveProperty('textContent', 'A value is required.');
    await user.keyboard('{Control>}z{/Control}');
    await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
  });

  test('text that cannot be read stays as typed, through sorting and reloading, until it is corrected', async () => {
    const { typeInto, cell, text, user, writes, foot, stored } = await grids.open();
    await typeInto(0, COL.pieces, '12x{Enter}');
    expect(cell(0, COL.pieces).getAttribute('aria-invalid')).toBe('true');
    expect(foot().getByText(/1 entry is not saved/)).toBeTruthy();
    await user.click(screen.getByRole('columnheader', { name: /Name/ }));
    await user.click(screen.getByRole('columnheader', { name: /Name/ }));
    await waitFor(() => expect(text(0, COL.name)).toBe('Ring'));
    await user.click(foot().getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(text(2, COL.pieces)).toContain('12x'));
    expect(writes()).toEqual([]);
    await user.click(foot().getByRole('button', { name: /not saved/ }));
    // The list that is read anew must be there first.
    await waitFor(() => expect(document.activeElement).toBe(cell(2, COL.pieces)));
    await user.keyboard('{F2}{Backspace}{Enter}');
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ name: 'Bolt', pieces: 12 });
  });

  test('what the service refuses stays in its cell with the message', async () => {
    const { typeInto, cell, text, focus, user, foot } = await grids.open();
    await typeInto(1, COL.code, 'A-1{Enter}');
    await foot().findByText(/1 entry is not saved/);
    expect(text(1, COL.code)).toContain('A-1');
    expect(text(1, COL.code)).toContain('it must be unique');
    await focus(1, COL.code);
    await user.click(await screen.findByRole('button', { name: 'Restore the old value' }));
    expect(cell(1, COL.code).textContent).toBe('A-2');
    expect(document.activeElement).toBe(cell(1, COL.code));
  });

  test('one value can be copied and pasted', { tags: ['long'] }, async () => {
    const { focus, paste, copy, stored, foot } = await grids.open();
    await focus(1, COL.pieces);
    paste(1, COL.pieces, '99\r\n');
    await foot().findByText('Saved');
    expect((await stored())[1]).toMatchObject({ pieces: 99 });
    await focus(0, COL.note);
    expect(copy(0, COL.note)).toBe('one\r\ntwo');
  });
});
