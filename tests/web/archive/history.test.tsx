import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { formOf } from '#tests/support/forms.ts';
import { callText } from '#web/features/history/entries.ts';
import { editor, form, openDesk, ROWS } from './desk.tsx';

const desk = await openDesk();
const first = ROWS[0] ?? [];

async function openHistory(user: Awaited<ReturnType<typeof desk.open>>['user'], open: HTMLElement) {
  const panel = within(open).getByRole('region', { name: 'History' });
  await user.click(within(panel).getByRole('button', { name: 'History' }));
  return panel;
}

describe('the history of a revision', () => {
  it(
    'puts one old value into the form as a change that is not saved',
    { tags: ['slow'] },
    async () => {
      await desk.changeElsewhere('1', { SUPPLIER: 'Other', AMOUNT: 99 });
      const { user, writes } = await desk.open('?selected=1');
      const open = await form('1');
      const panel = await openHistory(user, open);
      await user.click(
        await within(panel).findByRole('button', { name: /^Restore Amount as it was before/ }),
      );
      expect(editor(open, 'Amount')).toHaveProperty('value', '10.50');
      await waitFor(() => expect(document.activeElement).toBe(editor(open, 'Amount')));
      expect(within(open).getByText(/^from the history, \d{4}-/)).toBeTruthy();
      expect(within(open).getByText('1 field changed')).toBeTruthy();
      expect(writes()).toHaveLength(0);
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      expect((await desk.stored('1')).values).toEqual(first.with(1, 'Other'));
    },
  );

  it(
    'puts a whole state into the form, as it was right after an entry',
    { tags: ['long'] },
    async () => {
      await desk.changeElsewhere('1', { SUPPLIER: 'Second' });
      await desk.changeElsewhere('1', { SUPPLIER: 'Third', PAID: true });
      await desk.root.patch(`${desk.pathOf('1')}/indexdata`, {
        keywordFields: [{ name: 'SUBJECT', value: 'glue' }],
      });
      await desk.changeElsewhere('1', { SUPPLIER: 'Fourth' });
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      const panel = await openHistory(user, open);
      const entries = await within(panel).findAllByRole('button', {
        name: /^Restore this state, of/,
      });
      expect(entries).toHaveLength(3);
      // What is typed elsewhere stays beside it.
      await user.clear(editor(open, 'Amount'));
      await user.type(editor(open, 'Amount'), '7');
      const second = entries.at(-1);
      if (!second) throw new Error('There is no second entry.');
      await user.click(second);
      expect(editor(open, 'Supplier')).toHaveProperty('value', 'Second');
      expect(within(open).getByText('4 fields changed')).toBeTruthy();
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      const { values, keywords } = await desk.stored('1');
      expect(values).toEqual(first.with(1, 'Second').with(2, 7));
      expect(keywords).toEqual(['paper', 'ink, black']);
    },
  );

  it(
    'takes what it has put into a field out again by Ctrl+Z, before any save',
    { tags: ['long'] },
    async () => {
      await desk.changeElsewhere('1', { AMOUNT: 99 });
      const { user, writes } = await desk.open('?selected=1');
      const open = await form('1');
      await user.type(editor(open, 'Supplier'), '!');
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      const panel = await openHistory(user, open);
      await user.click(
        await within(panel).findByRole('button', { name: /^Restore Amount as it was before/ }),
      );
      await waitFor(() => expect(document.activeElement).toBe(editor(open, 'Amount')));
      await user.keyboard('{Control>}z{/Control}');
      expect(editor(open, 'Amount')).toHaveProperty('value', '99.00');
      expect(writes()).toHaveLength(1);
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText('Undone in revision 1: Supplier.');
    },
  );

  it('names files by their label', async () => {
    const path = desk.pathOf('1').replace(/\/1$/, '');
    const upload = formOf([
      ['indexFields[0][name]', 'INVOICENO'],
      ['indexFields[0][value]', 'R-9'],
      ['files[0]', { name: 'v003.pdf', bytes: 'page' }],
    ]);
    const { status } = await desk.root.post(path, upload.body, { headers: upload.headers });
    expect(status).toBe(201);
    const { user } = await desk.open('?selected=5');
    const open = await form('5');
    const panel = await openHistory(user, open);
    const item = (await within(panel).findByText('root')).closest('li');
    expect(item?.textContent).toContain('Filesnone→ becomes v003.pdf');
  });

  it('offers no field that the user may only read', { tags: ['slow'] }, async () => {
    await desk.changeElsewhere('1', { SUPPLIER: 'Other', AMOUNT: 99 });
    const clerk = await desk.userWith('write');
    const rights = { archives: { [desk.table()]: { right: 'write', fields: { AMOUNT: 'read' } } } };
    await desk.root.patch(`configuration/users/${clerk}`, { user: { rights } });
    const { user } = await desk.open('?selected=1', clerk);
    const panel = await openHistory(user, await form('1'));
    await within(panel).findByRole('button', { name: /^Restore Supplier as it was before/ });
    expect(within(panel).queryByRole('button', { name: /^Restore Amount/ })).toBeNull();
  });

  it('offers nothing to readers', async () => {
    await desk.changeElsewhere('1', { AMOUNT: 99 });
    const { user } = await desk.open('?selected=1', await desk.userWith('read'));
    const open = await form('1');
    const panel = await openHistory(user, open);
    expect((await within(panel).findByText('root')).closest('li')?.textContent).toContain('Amount');
    expect(within(panel).queryByRole('button', { name: /^Restore/ })).toBeNull();
  });
});

describe('the words for a call', () => {
  const inArchive = 'application/archiveapp/archives/:archive';
  const lock = (after: unknown) => [{ name: 'document.locked', before: null, after }];
  it.each([
    [`PATCH ${inArchive}/documents/:revisionId/indexdata`, [], 'Changed fields'],
    [`PUT ${inArchive}/documents/:revisionId/indexdata`, [], 'All fields'],
    [`PATCH ${inArchive}/indexdata`, [], 'Corrected together'],
    [`POST ${inArchive}/bulkedits/:bulkEditId/apply`, [], 'Batch'],
    [`POST ${inArchive}/bulkedits/:bulkEditId/undo`, [], 'Batch undone'],
    [`PATCH ${inArchive}/documents/:revisionId`, lock({ by: 'anna' }), 'Locked'],
    [`PATCH ${inArchive}/documents/:revisionId`, lock(null), 'Unlocked'],
    [`POST ${inArchive}/documents`, [], 'Created'],
    ['load bills.json', [], 'Loaded'],
  ])('%s', (call, changes, words) => {
    expect(callText({ call, changes })).toBe(words);
  });
});
