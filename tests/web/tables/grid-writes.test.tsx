/** @module-tag slow */
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

describe('creating', () => {
  test(
    'typing in the last row and leaving it creates a record; a fresh row follows',
    { tags: ['long'] },
    async () => {
      const { typeInto, user, text, writes, stored, foot, grid } = await grids.open();
      await typeInto(3, COL.code, 'N-1{Tab}');
      await user.keyboard('New{Tab}');
      expect(writes()).toEqual([]);
      await user.keyboard('{ArrowDown}');
      await foot().findByText('Saved');
      expect(writes()).toMatchObject([
        { method: 'POST', body: { datasets: [{ code: 'N-1', name: 'New' }] } },
      ]);
      expect((await stored())[3]).toMatchObject({ code: 'N-1', name: 'New', active: true });
      expect(text(3, COL.active)).toBe('Yes');
      expect(text(4, COL.code)).toBe('');
      expect(grid.getAttribute('aria-rowcount')).toBe('6');
      expect(foot().getByText('4 records')).toBeTruthy();
    },
  );

  test('the empty row shows the defaults that will be used', { tags: ['long'] }, async () => {
    const { text } = await grids.open();
    expect(text(3, COL.active)).toBe('Yes');
  });

  test('a missing required column is marked, and the row stays as typed', async () => {
    const { typeInto, user, cell, text, writes, stored, foot } = await grids.open();
    await typeInto(3, COL.name, 'New{Control>}{Enter}{/Control}');
    expect(cell(3, COL.code).getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(cell(3, COL.code));
    expect(text(3, COL.name)).toBe('New');
    expect(writes()).toEqual([]);
    await user.keyboard('N-2{Control>}{Enter}{/Control}');
    await foot().findByText('Saved');
    expect(document.activeElement).toBe(cell(4, COL.code));
    expect((await stored())[3]).toMatchObject({ code: 'N-2', name: 'New' });
  });

  test(
    'a value that is in use is reported in its cell; once it is corrected, the row is created',
    { tags: ['long'] },
    async () => {
      const { typeInto, user, text, stored, foot } = await grids.open();
      await typeInto(3, COL.code, 'A-1{Tab}New{Control>}{Enter}{/Control}');
      await waitFor(() => expect(text(3, COL.code)).toContain('must be unique'));
      expect(text(3, COL.name)).toBe('New');
      await typeInto(3, COL.code, 'N-3');
      await user.keyboard('{Control>}{Enter}{/Control}');
      await foot().findByText('Saved');
      expect((await stored())[3]).toMatchObject({ code: 'N-3', name: 'New' });
    },
  );

  test('rows typed one after the other are each created once, though answers get lost', async () => {
    const { typeInto, user, service, stored, foot, text } = await grids.open({ rows: [] });
    service.loseAnswerOf('POST');
    await typeInto(0, COL.code, 'N-1{Tab}Same{Enter}');
    await user.keyboard('N-2{Tab}Same{Enter}');
    await foot().findByText('Saved');
    expect((await stored()).map(({ code }) => code)).toEqual(['N-1', 'N-2']);
    expect(text(1, COL.code)).toBe('N-2');
  });

  test('what is typed into a row while it is being created follows as a change', async () => {
    const { typeInto, user, service, stored, foot, writes } = await grids.open({ rows: [] });
    const go = service.hold('POST');
    await typeInto(0, COL.code, 'N-1{Tab}New{Enter}');
    await typeInto(0, COL.pieces, '5{Enter}');
    await user.keyboard('{ArrowDown}');
    go();
    await foot().findByText('Saved');
    expect(writes().map(({ method }) => method)).toEqual(['POST', 'PUT']);
    expect(await stored()).toMatchObject([{ code: 'N-1', name: 'New', pieces: 5 }]);
  });

  test(
    'a row in which nothing is left goes away, and one can be discarded',
    { tags: ['long'] },
    async () => {
      const { typeInto, focus, user, grid, writes } = await grids.open();
      await typeInto(3, COL.name, 'New{Enter}');
      await waitFor(() => expect(grid.getAttribute('aria-rowcount')).toBe('6'));
      await focus(3, 0);
      await user.click(screen.getByRole('button', { name: 'Discard the new record' }));
      await waitFor(() => expect(grid.getAttribute('aria-rowcount')).toBe('5'));
      expect(writes()).toEqual([]);
    },
  );
});

describe('an unreachable server', () => {
  test('edits wait, are shown, and go in order when it is back', { tags: ['long'] }, async () => {
    const { typeInto, text, service, stored, foot, writes } = await grids.open();
    service.lose();
    await typeInto(0, COL.name, 'One{Enter}');
    await typeInto(0, COL.name, 'Two{Enter}');
    await typeInto(0, COL.pieces, '9{Enter}');
    expect(text(0, COL.name)).toBe('Two');
    expect(foot().getByText(/Saving 2 changes/)).toBeTruthy();
    await screen.findByText(/The server cannot be reached: 2 changes will be saved/);
    act(() => service.reach());
    await foot().findByText('Saved');
    await waitFor(() => expect(screen.queryByText(/The server cannot be reached/)).toBeNull());
    expect((await stored())[0]).toMatchObject({ name: 'Two', pieces: 9 });
    const answered = writes().filter(({ status }) => status !== null);
    expect(answered.map(({ status, body }) => [status, body])).toEqual([
      [200, { dataset: { name: 'One' } }],
      [200, { dataset: { name: 'Two', pieces: 9 } }],
    ]);
  });

  test('a PUT whose answer got lost is done once', async () => {
    const { typeInto, service, stored, foot, root, path } = {
      ...(await grids.open()),
      root: grids.root,
    };
    service.loseAnswerOf('PUT');
    await typeInto(0, COL.name, 'Once{Enter}');
    await foot().findByText('Saved');
    const [first] = await stored();
    const { body } = await root.get(`${path}/${first?.jrid}/history`);
    expect(body).toMatchObject({ history: [{}] });
    expect(first).toMatchObject({ name: 'Once' });
  });

  test('an answer that is none of the service stays in the cell', { tags: ['long'] }, async () => {
    const { typeInto, service, text, foot } = await grids.open();
    service.answerInstead('PUT', () => new Response('<h1>proxy</h1>', { status: 502 }));
    await typeInto(0, COL.name, 'Kept{Enter}');
    await foot().findByText(/1 entry is not saved/);
    expect(text(0, COL.name)).toContain('Kept');
    expect(text(0, COL.name)).toContain('502');
  });

  test('a batch whose answer lacks a record is saved record by record', async () => {
    const { focus, user, service, stored, foot } = await grids.open();
    const [first] = await stored();
    service.answerInstead('PUT', () => Response.json({ datasets: [first] }));
    await focus(0, COL.name);
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    await user.keyboard('Both{Control>}{Enter}{/Control}');
    await foot().findByText('Saved');
    expect((await stored()).map(({ name }) => name)).toEqual(['Both', 'Both', 'Ring']);
  });
});

describe('two people at once', () => {
  const change = async (path: string, jrid: string, dataset: object) => {
    const { status } = await grids.root.put(`${path}/${jrid}`, { dataset });
    expect(status).toBe(200);
  };

  test('the same cell: shows before, theirs and mine, and saves the chosen one', async () => {
    const { typeInto, focus, user, path, stored, text, foot } = await grids.open();
    const [first] = await stored();
    await change(path, first?.jrid ?? '', { name: 'Theirs' });
    await typeInto(0, COL.name, 'Mine{Enter}');
    await foot().findByText(/1 entry is not saved/);
    await focus(0, COL.name);
    const panel = await screen.findByRole('group', { name: 'What is wrong with Name' });
    const choices = await within(panel).findByRole('group', { name: 'Changed meanwhile' });
    expect(choices.textContent).toMatch(/Theirs *Theirs.*Yours *Mine.*Before *Bolt/);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(choices);
    await user.keyboard('2{Enter}');
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ name: 'Mine' });
    expect(text(0, COL.name)).toBe('Mine');
  });

  test('the other user’s value can be chosen', { tags: ['long'] }, async () => {
    const { typeInto, focus, user, path, stored, cell, foot } = await grids.open();
    const [first] = await stored();
    await change(path, first?.jrid ?? '', { name: 'Theirs' });
    await typeInto(0, COL.name, 'Mine{Enter}');
    await foot().findByText(/1 entry is not saved/);
    await focus(0, COL.name);
    await user.click(await screen.findByRole('radio', { name: /^Theirs/ }));
    await user.click(screen.getByRole('button', { name: 'Save with this value' }));
    expect(cell(0, COL.name).textContent).toBe('Theirs');
    expect((await stored())[0]).toMatchObject({ name: 'Theirs' });
  });

  test('the value before both can be chosen', async () => {
    const { typeInto, focus, user, path, stored, text, foot } = await grids.open();
    const [first] = await stored();
    await change(path, first?.jrid ?? '', { name: 'Theirs' });
    await typeInto(0, COL.name, 'Mine{Enter}');
    await foot().findByText(/1 entry is not saved/);
    await focus(0, COL.name);
    await screen.findByRole('radio', { name: 'Before Bolt' });
    await user.keyboard('{Enter}3{Enter}');
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ name: 'Bolt' });
    expect(text(0, COL.name)).toBe('Bolt');
  });

  test('different cells: both changes are saved, without a question', async () => {
    const { typeInto, path, stored, text, foot } = await grids.open();
    const [first] = await stored();
    await change(path, first?.jrid ?? '', { note: 'theirs' });
    await typeInto(0, COL.name, 'Mine{Enter}');
    await foot().findByText('Saved');
    expect((await stored())[0]).toMatchObject({ name: 'Mine', note: 'theirs' });
    expect(text(0, COL.note)).toBe('theirs');
  });
});

describe('selecting and deleting', () => {
  test(
    'selected rows are deleted after a question, and brought back',
    { tags: ['long'] },
    async () => {
      const { focus, user, cell, text, stored, foot } = await grids.open();
      await user.click(cell(0, 0));
      await user.keyboard('{Shift>}');
      await user.click(cell(1, 0));
      await user.keyboard('{/Shift}');
      expect(foot().getByText('2 records selected')).toBeTruthy();
      await user.click(foot().getByRole('button', { name: 'Delete…' }));
      await user.click(await screen.findByRole('button', { name: 'Delete 2 records' }));
      await foot().findByText('2 records deleted.');
      await waitFor(() => expect(text(0, COL.name)).toBe('Ring'));
      expect(await stored()).toHaveLength(1);
      await user.click(foot().getByRole('button', { name: 'Undo the deletion' }));
      await waitFor(() => expect(text(0, COL.name)).toBe('Bolt'));
      expect((await stored()).map(({ name }) => name)).toEqual(['Bolt', 'Nut', 'Ring']);
      await focus(0, COL.name);
    },
  );

  test('a row that somebody changed meanwhile is not deleted unseen', async () => {
    const { user, cell, path, stored, foot } = await grids.open();
    await user.click(cell(0, 0));
    const [first] = await stored();
    await grids.root.put(`${path}/${first?.jrid}`, { dataset: { name: 'Theirs' } });
    await user.click(foot().getByRole('button', { name: 'Delete…' }));
    await user.click(await screen.findByRole('button', { name: 'Delete the record' }));
    expect(await screen.findByText('Nothing was deleted')).toBeTruthy();
    expect(await stored()).toHaveLength(3);
  });

  test(
    'Space on a row header chooses its record; who may not manage chooses none',
    { tags: ['long'] },
    async () => {
      const manager = await grids.open({ access: 'manage' });
      await manager.focus(0, COL.code);
      await manager.user.keyboard('{ArrowLeft} ');
      expect(manager.foot().getByText('1 record selected')).toBeDefined();
      manager.unmount();
      const { focus, user, foot } = await grids.open({ access: 'write' });
      await focus(0, COL.code);
      await user.keyboard('{ArrowLeft} ');
      expect(foot().queryByText(/records? selected/)).toBeNull();
    },
  );

  test('Shift+Space selects the cells of the row, and says what they hold', async () => {
    const { focus, user, foot } = await grids.open({ access: 'read' });
    await focus(0, COL.pieces);
    await user.keyboard('{Shift>} {/Shift}');
    expect(foot().getByText(/^7 cells selected/)).toBeDefined();
    await focus(0, COL.pieces);
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    expect(foot().getByText(/^3 cells selected/).textContent).toContain(
      '3 cells selected, 2 with a valuesum 12mean 6.00least 5greatest 7',
    );
  });

  test(
    'what is selected is summed up over several columns and blocks, each cell once',
    { tags: ['long'] },
    async () => {
      const { focus, user, cell, foot, typeInto } = await grids.open();
      const facts = () => foot().getByText(/^\d+ cells selected/).textContent;
      await focus(0, COL.note);
      await user.keyboard('{Shift>}{ArrowDown}{ArrowRight}{ArrowRight}{ArrowRight}{/Shift}');
      expect(facts()).toBe('8 cells selected, 6 with a valuesum 12mean 6.00least 5greatest 7');
      // Over the same cells once more, and one beside them.
      await user.keyboard('{Control>}');
      await user.click(cell(1, COL.pieces));
      await user.click(cell(2, COL.pieces));
      await user.keyboard('{/Control}');
      expect(facts()).toBe('9 cells selected, 6 with a valuesum 12mean 6.00least 5greatest 7');
      await typeInto(0, COL.pieces, '11{Enter}');
      await focus(0, COL.pieces);
      await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
      expect(facts()).toBe('3 cells selected, 2 with a valuesum 18mean 9.00least 7greatest 11');
    },
  );

  test(
    'rows that were not read are summed up by the service, those at hand as they are shown',
    { tags: ['long'] },
    async () => {
      const rows = Array.from({ length: 350 }, (_, i) => [
        `C-${i}`,
        'n',
        null,
        i,
        true,
        null,
        null,
      ]);
      const { focus, user, cell, foot, typeInto } = await grids.open({ rows });
      const facts = () => foot().queryByText(/cells selected/)?.textContent ?? '';
      const sum = (from: number) => rows.slice(from).reduce((all, [, , , n]) => all + Number(n), 0);
      await focus(3, COL.pieces);
      await user.keyboard('{Control>}{Shift>}{ArrowDown}{/Shift}{/Control}');
      const from3 = `348 cells selected, 347 with a valuesum ${sum(3).toLocaleString('en')}`;
      await waitFor(() => expect(facts()).toContain(from3));
      await user.keyboard('{Control>} {/Control}');
      const all = `351 cells selected, 350 with a valuesum ${sum(0).toLocaleString('en')}`;
      await waitFor(() => expect(facts()).toContain(all));
      expect(facts()).toContain('least 0greatest 349');
      // What is written shows at once, not when the answer is some seconds old.
      await typeInto(3, COL.pieces, '1003{Enter}');
      await focus(3, COL.pieces);
      await user.keyboard('{Control>} {/Control}');
      const now = `sum ${(sum(0) + 1000).toLocaleString('en')}`;
      await waitFor(() => expect(facts()).toContain(now));
      expect(facts()).toContain('greatest 1003');
      await user.keyboard('7{Enter}');
      await waitFor(() => expect(facts()).toContain(`sum ${(sum(0) + 4).toLocaleString('en')}`));
      expect(cell(3, COL.pieces).getAttribute('aria-selected')).toBe('true');
    },
  );
});

describe('what cannot be saved', () => {
  test('is listed; F8 goes through the list, and one or all are discarded', async () => {
    const { typeInto, user, cell, text } = await grids.open();
    await typeInto(0, COL.pieces, 'five{Enter}');
    await typeInto(2, COL.since, 'someday{Enter}');
    await user.keyboard('{F8}');
    await waitFor(() => expect(document.activeElement).toBe(cell(0, COL.pieces)));
    await user.keyboard('{F8}');
    await waitFor(() => expect(document.activeElement).toBe(cell(2, COL.since)));
    await user.keyboard('{Shift>}{F8}{/Shift}');
    await waitFor(() => expect(document.activeElement).toBe(cell(0, COL.pieces)));
    // From a heading, and from outside of the grid.
    await user.keyboard('{ArrowUp}{F8}');
    await waitFor(() => expect(document.activeElement).toBe(cell(2, COL.since)));
    await user.click(screen.getByRole('searchbox'));
    await user.keyboard('{F8}');
    await waitFor(() => expect(document.activeElement).toBe(cell(0, COL.pieces)));

    await user.click(screen.getByRole('button', { name: 'Not saved' }));
    const tray = within(screen.getByRole('region', { name: 'Not saved' }));
    expect(tray.getAllByRole('listitem')).toHaveLength(2);
    await user.click(
      tray.getAllByRole('button', { name: 'Discard this entry' })[0] ?? document.body,
    );
    await waitFor(() => expect(text(0, COL.pieces)).toBe('5'));
    expect(text(2, COL.since)).toContain('someday');
    await user.click(tray.getByRole('button', { name: 'Discard all' }));
    await waitFor(() => expect(text(2, COL.since)).toBe(''));
    expect(screen.queryByRole('region', { name: 'Not saved' })).toBeNull();
  });
});

test(
  'empties a cell of a new row that is emptied while the row is being created',
  { tags: ['long'] },
  async () => {
    const { service, typeInto, focus, cell, stored } = await grids.open();
    await typeInto(3, COL.code, 'A-4{Tab}Screw{Tab}Text');
    const answer = service.hold('POST');
    await focus(0, COL.code);
    await waitFor(() => expect(cell(3, COL.note).textContent).toBe('Text'));
    await typeInto(3, COL.note, '{Delete}');
    answer();
    await waitFor(async () =>
      expect((await stored())[3]).toMatchObject({ code: 'A-4', name: 'Screw', note: null }),
    );
  },
);

test('stores a cell of a new row empty that was filled and emptied, and the default where its filling was undone', async () => {
  const { typeInto, focus, user, text, stored } = await grids.open({
    rows: [],
    columns: [
      { name: 'code', label: 'Code' },
      { name: 'state', label: 'State', default: 'open' },
      { name: 'kind', label: 'Kind', default: 'new' },
      { name: 'note', label: 'Note' },
    ],
  });
  await typeInto(0, 1, 'A-1{Tab}closed{Tab}old{Tab}');
  await user.keyboard('{Control>}z{/Control}');
  await waitFor(() => expect(text(0, 3)).toBe('new'));
  await typeInto(0, 2, '{Delete}');
  expect(text(0, 2)).toBe('');
  await focus(1, 1);
  await waitFor(async () =>
    expect(await stored()).toMatchObject([{ code: 'A-1', state: null, kind: 'new' }]),
  );
});
