/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { correctButton, type } from '../bulk-edit/moves.ts';
import { editor, form, grid, openDesk, ROWS } from './desk.tsx';

const desk = await openDesk();

const TAKEN_BACK = 'Undone in 4 revisions: Supplier.';

const supplierOf = async (id: string) => (await desk.stored(id)).values[1];

async function save(user: UserEvent, id: string, supplier: string) {
  const open = await form(id);
  await user.clear(editor(open, 'Supplier'));
  await user.type(editor(open, 'Supplier'), supplier);
  await user.keyboard('{Control>}s{/Control}');
  await within(open).findByText('Nothing changed');
}

/** Corrects the supplier of all four revisions together, and goes back to the list. */
async function correctTogether(user: UserEvent, supplier: string) {
  (await grid()).focus();
  await user.keyboard('{Control>}a{/Control}');
  await user.click(await screen.findByRole('button', { name: 'Correct together…' }));
  await screen.findByRole('dialog', { name: 'Correct 4 revisions together' });
  await type(user, 'Supplier', supplier);
  await user.click(correctButton());
  await screen.findByText('4 revisions are corrected');
  await user.click(screen.getByRole('button', { name: 'Back to the list' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

describe('the order of undoing in an archive', () => {
  it(
    'has single saves and corrections of several in the one order in which they were done',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=1');
      await save(user, '1', 'One');
      await correctTogether(user, 'All');
      editor(await form('1'), 'Supplier').focus();
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await save(user, '2', 'Two');
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText('Undone in revision 2: Supplier.');
      expect(await supplierOf('2')).toBe('All');
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText(TAKEN_BACK);
      // The version of revision 2 is another than the correction made, but not what it holds.
      expect(await Promise.all(['1', '2', '3', '4'].map(supplierOf))).toEqual([
        'One',
        ...ROWS.slice(1).map(([, supplier]) => supplier),
      ]);
      // The form shows at once what stands there now.
      await waitFor(async () =>
        expect(editor(await form('2'), 'Supplier')).toHaveProperty('value', ROWS[1]?.[1]),
      );
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText('Undone in revision 1: Supplier.');
      expect(await supplierOf('1')).toBe(ROWS[0]?.[1]);
      expect(writes()).toHaveLength(6);
    },
  );

  it(
    'takes a correction of several back from the list, where no form is open, and does it again',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open();
      await correctTogether(user, 'All');
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText(TAKEN_BACK);
      expect(await supplierOf('4')).toBe(ROWS[3]?.[1]);
      await user.keyboard('{Control>}y{/Control}');
      await screen.findByText('Redone in 4 revisions: Supplier.');
      expect(await supplierOf('4')).toBe('All');
      await desk.changeElsewhere('2', { SUPPLIER: 'Theirs' });
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText(
        'Undone in 3 revisions: Supplier. Revision 2 stays as it is: Supplier edited by root.',
      );
      expect(await supplierOf('2')).toBe('Theirs');
      expect(await supplierOf('3')).toBe(ROWS[2]?.[1]);
    },
  );

  it(
    'does again by a key what was undone, the last first, until something new is saved',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      await save(user, '1', 'One');
      await save(user, '1', 'Two');
      await user.keyboard('{Control>}z{/Control}');
      await waitFor(async () => expect(await supplierOf('1')).toBe('One'));
      await user.keyboard('{Control>}z{/Control}');
      await waitFor(async () => expect(await supplierOf('1')).toBe(ROWS[0]?.[1]));
      await user.keyboard('{Control>}y{/Control}');
      await waitFor(async () => expect(await supplierOf('1')).toBe('One'));
      await user.keyboard('{Control>}{Shift>}Z{/Shift}{/Control}');
      await waitFor(async () => expect(await supplierOf('1')).toBe('Two'));
      await user.keyboard('{Control>}z{/Control}');
      await waitFor(async () => expect(await supplierOf('1')).toBe('One'));
      await save(user, '1', 'Three');
      await user.keyboard('{Control>}y{/Control}');
      await screen.findByText('There is nothing to redo.');
      expect(await supplierOf('1')).toBe('Three');
    },
  );
});
