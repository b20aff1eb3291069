/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { historyAnswer } from '#shared/contract/answers.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const UNDO = '{Control>}z{/Control}';
const REDO = '{Control>}y{/Control}';
const DELETE = '{Control>}{Delete}{/Control}';
const SELECT_ROW = '{Shift>} {/Shift}';

type Grid = Awaited<ReturnType<typeof grids.open>>;

const names = async ({ stored }: Grid) => (await stored()).map(({ name }) => name);

/** Agrees to the deletion that is asked for. */
async function agree({ user, foot }: Grid, datasets: string): Promise<HTMLElement> {
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: /^Delete / }));
  await foot().findByText(`${datasets} deleted.`);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  return dialog;
}

describe('Ctrl+Delete', () => {
  test(
    'deletes the rows that Shift+Space and Shift with an arrow have selected, by their names',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      await grid.focus(0, COL.pieces);
      await grid.user.keyboard(`${SELECT_ROW}{Shift>}{ArrowDown}{/Shift}${DELETE}`);
      const dialog = await screen.findByRole('dialog');
      const items = within(dialog).getAllByRole('listitem').slice(0, 2);
      expect(items.map(({ textContent }) => textContent)).toEqual([
        expect.stringMatching(/^\d+ A-1 · Bolt · one/),
        expect.stringMatching(/^\d+ A-2 · Nut · 7$/),
      ]);
      await agree(grid, '2 records');
      const said = screen.getByRole('status', { name: 'Status of the table' });
      await within(said).findByText(/2 records deleted\./);
      expect(await names(grid)).toEqual(['Ring']);
    },
  );

  test('deletes the ticked rows and the selected ones, from a cell and from a row header', async () => {
    const grid = await grids.open();
    await grid.user.click(grid.cell(0, 0));
    await grid.user.keyboard(DELETE);
    expect(await screen.findByRole('dialog', { name: /^Delete this record of/ })).toBeTruthy();
    await grid.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await grid.focus(2, COL.name);
    await grid.user.keyboard(`${SELECT_ROW}${DELETE}`);
    expect(await screen.findByRole('dialog', { name: /^Delete these 2 records of/ })).toBeTruthy();
    await agree(grid, '2 records');
    expect(await names(grid)).toEqual(['Nut']);
  });

  test(
    'on a row header takes that row; of single cells it asks for none',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      await grid.focus(1, COL.code);
      await grid.user.keyboard(DELETE);
      expect(await screen.findByText(/^Choose the records first/)).toBeTruthy();
      expect(screen.queryByRole('dialog')).toBeNull();
      await grid.user.keyboard(`{ArrowLeft}${DELETE}`);
      await agree(grid, '1 record');
      expect(await names(grid)).toEqual(['Bolt', 'Ring']);
    },
  );

  test('says to those who may not delete that they may not', async () => {
    const grid = await grids.open({ access: 'write' });
    await grid.focus(1, COL.code);
    await grid.user.keyboard(`${SELECT_ROW}${DELETE}`);
    expect(
      await screen.findByText('You have no right to delete records of this table.'),
    ).toBeTruthy();
  });
});

describe('a deletion', () => {
  test(
    'is a step: undone before what was done before it, and redone',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      const { typeInto, focus, user, foot } = grid;
      await typeInto(0, COL.name, 'Screw{Enter}');
      await foot().findByText('Saved');
      await focus(1, COL.name);
      await user.keyboard(`${SELECT_ROW}${DELETE}`);
      await agree(grid, '1 record');
      await focus(0, COL.code);
      await user.keyboard(UNDO);
      expect(await screen.findByText('Undone: deleting a record.')).toBeTruthy();
      expect(await names(grid)).toEqual(['Screw', 'Nut', 'Ring']);
      // The notice of the deletion goes with it, and the keyboard goes to what came back.
      await waitFor(() => expect(foot().queryByText('1 record deleted.')).toBeNull());
      await waitFor(() => expect(document.activeElement).toBe(grid.cell(1, COL.code)));
      expect(grid.text(1, COL.name)).toBe('Nut');

      await user.keyboard(UNDO);
      await waitFor(async () => expect(await names(grid)).toEqual(['Bolt', 'Nut', 'Ring']));
      await user.keyboard(REDO);
      await waitFor(async () => expect(await names(grid)).toEqual(['Screw', 'Nut', 'Ring']));
      await user.keyboard(REDO);
      await waitFor(async () => expect(await names(grid)).toEqual(['Screw', 'Ring']));
      await user.keyboard(UNDO);
      await waitFor(async () => expect(await names(grid)).toEqual(['Screw', 'Nut', 'Ring']));
    },
  );

  test(
    'of a record created here is undone and so is its creation, and both again',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      const { typeInto, focus, user, foot } = grid;
      await typeInto(3, COL.code, 'N-1{Tab}New{Control>}{Enter}{/Control}');
      await foot().findByText('Saved');
      await focus(3, COL.name);
      await user.keyboard(`${SELECT_ROW}${DELETE}`);
      await agree(grid, '1 record');
      const turn = async (name: RegExp, left: readonly string[]) => {
        await user.click(await foot().findByRole('button', { name }));
        await waitFor(async () => expect(await names(grid)).toEqual(left));
      };
      const with3 = ['Bolt', 'Nut', 'Ring'];
      await turn(/^Undo: deleting a record/, [...with3, 'New']);
      await turn(/^Undo: creating a record/, with3);
      await turn(/^Redo: creating a record/, [...with3, 'New']);
      await turn(/^Redo: deleting a record/, with3);
    },
  );

  test(
    'that was undone from the notice can be redone, but not over another’s work',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      const { focus, user, foot, path, stored } = grid;
      await focus(1, COL.name);
      await user.keyboard(`${SELECT_ROW}${DELETE}`);
      await agree(grid, '1 record');
      await user.click(foot().getByRole('button', { name: 'Undo the deletion' }));
      await waitFor(async () => expect(await names(grid)).toEqual(['Bolt', 'Nut', 'Ring']));
      expect(foot().getByRole('button', { name: 'Undo' })).toHaveProperty('disabled', true);
      await grids.root.put(`${path}/${(await stored())[1]?.jrid}`, { dataset: { pieces: 100 } });
      await user.click(await foot().findByRole('button', { name: /^Redo: deleting/ }));
      const { body } = await grids.root.get(`${path}/${(await stored())[1]?.jrid}/history`);
      const when = localInstant(historyAnswer.parse(body).history[0]?.at ?? '');
      const refusal = `Not redone: deleting a record. root has changed the record, ${when}.`;
      expect(await screen.findByText(refusal)).toBeTruthy();
      expect(await names(grid)).toEqual(['Bolt', 'Nut', 'Ring']);
    },
  );

  test('is not undone where another has deleted the record since, naming who and when', async () => {
    const grid = await grids.open();
    const { focus, user, foot, path, stored } = grid;
    const jrid = (await stored())[1]?.jrid ?? '';
    await focus(1, COL.name);
    await user.keyboard(`${SELECT_ROW}${DELETE}`);
    await agree(grid, '1 record');
    // In another window the clerk brings it back, and root deletes it.
    const own = await grids.signedIn(grid.username);
    const history = async () =>
      historyAnswer.parse((await own.get(`${path}/${jrid}/history`)).body).history;
    const historyIds = [(await history())[0]?.historyId];
    await own.post(`${path}/undo`, { historyIds });
    await grids.root.delete(path, { datasets: [{ jrid }] });
    await user.click(foot().getByRole('button', { name: 'Undo the deletion' }));
    const refused = await foot().findByRole('alert');
    expect(refused.textContent).toBe('Only your own changes can be undone.');
    await user.click(foot().getByRole('button', { name: /^Undo: deleting/ }));
    const when = localInstant((await history())[0]?.at ?? '');
    const refusal = `Not undone: deleting a record. root has deleted the record, ${when}.`;
    expect(await screen.findByText(refusal)).toBeTruthy();
    expect(await names(grid)).toEqual(['Bolt', 'Ring']);
  });

  test('of what is there again already is not undone twice', { tags: ['long'] }, async () => {
    const grid = await grids.open();
    const { focus, user, foot, typeInto } = grid;
    await focus(1, COL.name);
    await user.keyboard(`${SELECT_ROW}${DELETE}`);
    await agree(grid, '1 record');
    await user.click(screen.getByRole('button', { name: 'Deleted records' }));
    const panel = within(await screen.findByRole('region', { name: 'Deleted records' }));
    await user.click(await panel.findByRole('checkbox', { name: 'All of yours' }));
    await user.click(panel.getByRole('button', { name: 'Restore 1 record' }));
    await waitFor(() => expect(grid.text(1, COL.name)).toBe('Nut'));
    await typeInto(1, COL.name, 'Cap nut{Enter}');
    await waitFor(async () => expect((await names(grid))[1]).toBe('Cap nut'));
    await user.click(foot().getByRole('button', { name: /^Undo: typing/ }));
    await waitFor(async () => expect((await names(grid))[1]).toBe('Nut'));
    await user.click(await foot().findByRole('button', { name: /^Undo: deleting/ }));
    expect(await screen.findByText(/It already exists again/)).toBeTruthy();
    expect(await names(grid)).toEqual(['Bolt', 'Nut', 'Ring']);
  });
});

test('undoing leads the keyboard to where it was done', { tags: ['long'] }, async () => {
  const { focus, typeInto, user, cell, text } = await grids.open();
  await typeInto(0, COL.pieces, '8{Enter}');
  await waitFor(() => expect(text(0, COL.pieces)).toBe('8'));
  await focus(2, COL.state);
  await user.keyboard(UNDO);
  await waitFor(() => expect(text(0, COL.pieces)).toBe('5'));
  await waitFor(() => expect(document.activeElement).toBe(cell(0, COL.pieces)));
  await focus(2, COL.state);
  await user.keyboard(REDO);
  await waitFor(() => expect(document.activeElement).toBe(cell(0, COL.pieces)));
});

test(
  'an arrow key enters the table for whoever has just come there',
  { tags: ['long'] },
  async () => {
    const { user, cell } = await grids.open();
    expect(document.activeElement).toBe(document.body);
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(cell(0, COL.code));
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(cell(1, COL.code));
  },
);
