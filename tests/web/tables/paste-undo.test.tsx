/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const UNDO = '{Control>}z{/Control}';
const LINES = ['B-1\tone', 'B-2\ttwo', 'B-3\tthree', 'B-4\tfour', 'B-5\tfive'].join('\n');

/** Pastes over three rows, and two more past them. */
async function openPasted() {
  const opened = await grids.open();
  const before = await opened.stored();
  await opened.focus(0, COL.code);
  opened.paste(0, COL.code, LINES);
  const dialog = await screen.findByRole('dialog', { name: /^Paste 5 rows/ });
  await opened.user.click(await within(dialog).findByRole('button', { name: 'Paste' }));
  expect(await screen.findByText('5 rows are pasted.')).toBeTruthy();
  await waitFor(() => expect(opened.text(4, COL.name)).toBe('five'));
  // The dialog has given the keyboard back.
  await waitFor(() => expect(document.activeElement).toBe(opened.cell(0, COL.code)));
  return { ...opened, before };
}

describe('a paste that has created rows is undone', () => {
  test('after the clerk undid what was edited in its rows since', { tags: ['long'] }, async () => {
    const { typeInto, user, stored, before, foot, text } = await openPasted();
    await typeInto(0, COL.name, 'later{Enter}');
    await typeInto(4, COL.name, 'later{Enter}');
    await foot().findByText('Saved');
    expect((await stored())[4]?.['name']).toBe('later');
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(4, COL.name)).toBe('five'));
    await user.keyboard(UNDO);
    await waitFor(() => expect(text(0, COL.name)).toBe('one'));
    await waitFor(async () => expect((await stored())[0]?.['name']).toBe('one'));
    await user.keyboard(UNDO);
    await waitFor(async () => expect(await stored()).toEqual(before));
    expect(await screen.findByText('Undone: pasting.')).toBeTruthy();
  });

  test(
    'by the second of two keys pressed at once, after what the first undoes',
    { tags: ['long'] },
    async () => {
      const { typeInto, user, stored, before, foot, focus } = await openPasted();
      await typeInto(0, COL.name, 'later{Enter}');
      await foot().findByText('Saved');
      await focus(1, COL.code);
      await user.keyboard(`${UNDO}${UNDO}`);
      await waitFor(async () => expect(await stored()).toEqual(before));
    },
  );

  test('without what was edited since, which is named with who has done it', async () => {
    const { root } = grids;
    const { user, stored, before, path, focus } = await openPasted();
    const [first, , , , last] = await stored();
    await root.put(`${path}/${first?.jrid}`, { dataset: { name: 'theirs' } });
    await root.put(`${path}/${last?.jrid}`, { dataset: { note: 'theirs' } });
    await focus(0, COL.code);
    await user.keyboard(UNDO);
    const dialog = await screen.findByRole('dialog', { name: 'Undone: pasting.' });
    const list = await within(dialog).findByRole('list', { name: 'Not undone' });
    const lines = within(list).getAllByRole('listitem');
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(`^Record ${first?.jrid}, Name: edited by root, `),
      expect.stringMatching(`^Record ${last?.jrid}, Note: edited by root, `),
    ]);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement?.hasAttribute('data-focused')).toBe(true));
    const now = await stored();
    expect(now.map(({ code, name }) => [code, name])).toEqual([
      ['A-1', 'theirs'],
      ...before.slice(1).map(({ code, name }) => [code, name]),
      ['B-5', 'five'],
    ]);
  });

  test(
    'with what it could not read, which is there again when it is redone',
    { tags: ['long'] },
    async () => {
      const { user, cell, text, stored, focus, paste } = await grids.open();
      await focus(0, COL.code);
      const line = (code: string, pieces: string) => `${code}\tname\tnote\t${pieces}`;
      paste(
        0,
        COL.code,
        [line('B-1', 'x?'), line('B-2', '2'), line('B-3', '3'), line('B-4', 'y?')].join('\n'),
      );
      const dialog = await screen.findByRole('dialog', { name: /^Paste 4 rows/ });
      await user.click(await within(dialog).findByRole('button', { name: /^Paste, and mark/ }));
      await waitFor(() => expect(text(3, COL.pieces)).toContain('y?'));
      expect(await stored()).toHaveLength(3);
      await focus(1, COL.code);
      await user.keyboard(UNDO);
      await waitFor(() => expect(text(0, COL.code)).toBe('A-1'));
      await waitFor(() => expect(text(0, COL.pieces)).toBe('5'));
      await waitFor(() => expect(text(3, COL.code)).toBe(''));
      expect(screen.queryByRole('region', { name: 'Not saved' })).toBeNull();
      // No dialog has taken the keyboard meanwhile.
      await waitFor(() => expect(document.activeElement).toBe(cell(1, COL.code)));
      await user.keyboard('{Control>}y{/Control}');
      await waitFor(() => expect(text(0, COL.pieces)).toContain('x?'));
      await waitFor(() => expect(text(3, COL.pieces)).toContain('y?'));
      expect(cell(0, COL.pieces).getAttribute('aria-invalid')).toBe('true');
      await waitFor(async () => {
        expect((await stored()).map(({ code }) => code)).toEqual(['B-1', 'B-2', 'B-3']);
      });
    },
  );
});
