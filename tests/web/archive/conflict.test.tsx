/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { historyAnswer } from '#shared/contract/answers.ts';
import { editor, form, openDesk, row, ROWS } from './desk.tsx';

const desk = await openDesk();

describe('two people at one revision', () => {
  it(
    'shows both values by field, lets the clerk choose by keys, and saves over the new version',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=1');
      const open = await form('1');
      await user.type(editor(open, 'Supplier'), ' & Co');
      await user.clear(editor(open, 'Amount'));
      await user.type(editor(open, 'Amount'), '12');
      await desk.changeElsewhere('1', { SUPPLIER: 'Müller AG', AMOUNT: 13, PAID: true });
      await user.keyboard('{Control>}s{/Control}');
      const panel = await within(open).findByRole('group', { name: 'Changed meanwhile' });
      expect(panel.textContent).toContain('root changed this revision');
      const supplier = within(panel).getByRole('group', { name: 'Supplier' });
      expect(supplier.textContent).toMatch(
        /Theirs.*Müller AG.*Yours.*Muller GmbH & Co.*Before.*Muller GmbH$/,
      );
      expect(within(panel).getByText('Taken over from them')).toBeTruthy();
      expect(within(panel).getByRole('button', { name: 'Save with these values' })).toHaveProperty(
        'disabled',
        true,
      );
      await waitFor(() => expect(document.activeElement).toBe(panel));
      await user.keyboard('12{Enter}');
      await within(open).findByText('Nothing changed');
      expect(writes().map(({ status }) => status)).toEqual([412, 200]);
      expect(writes()[1]).toMatchObject({
        headers: { 'if-match': '"2"' },
        body: { indexFields: [{ name: 'AMOUNT', value: 12 }] },
      });
      const after = (ROWS[0] ?? []).with(1, 'Müller AG').with(2, 12).with(3, true);
      expect((await desk.stored('1')).values).toEqual(after);
      expect((await row('1')).textContent).toContain('Müller AG');
    },
  );

  it('sends nothing more when all of theirs are taken', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.clear(editor(open, 'Amount'));
    await user.type(editor(open, 'Amount'), '12');
    await desk.changeElsewhere('1', { AMOUNT: 13 });
    await user.keyboard('{Control>}s{/Control}');
    const panel = await within(open).findByRole('group', { name: 'Changed meanwhile' });
    await user.click(within(panel).getByRole('radio', { name: /Theirs/ }));
    await user.click(within(panel).getByRole('button', { name: 'Save with this value' }));
    await waitFor(() => expect(editor(open, 'Amount')).toHaveProperty('value', '13.00'));
    expect(writes()).toHaveLength(1);
    expect(within(open).getByText('Nothing changed')).toBeTruthy();
  });

  it('saves at once when only the version is another', { tags: ['long'] }, async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), ' & Co');
    await desk.root.patch(desk.pathOf('1'), { locked: true });
    await desk.root.patch(desk.pathOf('1'), { locked: false });
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    expect(writes().map(({ status }) => status)).toEqual([412, 200]);
  });

  it('says who has locked it since when, and takes no lock away from others', async () => {
    await desk.root.patch(desk.pathOf('1'), { locked: true });
    await desk.open('?selected=1', await desk.userWith('write'));
    const open = await form('1');
    expect(within(open).getByText(/^root locked this revision at \d{4}-/)).toBeTruthy();
    expect(within(open).queryByRole('button', { name: 'Unlock' })).toBeNull();
    expect(within(await row('1')).getByRole('img', { name: 'Locked by root' })).toBeTruthy();
    expect(editor(open, 'Supplier')).toHaveProperty('readOnly', true);
  });

  it('says it when a lock comes while somebody edits, and keeps what was typed', async () => {
    const { user, writes } = await desk.open('?selected=1', await desk.userWith('write'));
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), ' & Co');
    await desk.root.patch(desk.pathOf('1'), { locked: true });
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(writes().at(-1)?.status).toBe(423));
    expect(await within(open).findByText(/^Locked by root since/)).toBeTruthy();
    expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
  });

  it('locks and unlocks with the version that is shown', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.click(within(open).getByRole('button', { name: 'Lock for editing' }));
    expect(await within(open).findByText(/^You locked this revision at/)).toBeTruthy();
    await waitFor(async () => expect((await desk.stored('1')).revision.locked?.by).toBe('anna'));
    await user.type(editor(open, 'Supplier'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    await user.click(within(open).getByRole('button', { name: 'Unlock' }));
    await waitFor(async () => expect((await desk.stored('1')).revision.locked).toBeNull());
    expect(writes().map(({ status, headers }) => [status, headers['if-match']])).toEqual([
      [200, '"1"'],
      [200, '"2"'],
      [200, '"3"'],
    ]);
  });

  it(
    'says that a revision is deleted, and shows an answer of an unknown shape unchanged',
    { tags: ['long'] },
    async () => {
      const { user, service } = await desk.open('?selected=1');
      const open = await form('1');
      await user.type(editor(open, 'Supplier'), '!');
      service.answerInstead('PATCH', () => new Response('<h1>Bad proxy</h1>', { status: 502 }));
      await user.keyboard('{Control>}s{/Control}');
      const raw = await within(open).findByLabelText('Text of the answer');
      expect(raw).toHaveProperty('value', '<h1>Bad proxy</h1>');
      await desk.root.delete(desk.pathOf('1'));
      await user.keyboard('{Control>}s{/Control}');
      expect(await within(open).findByText('This revision was not found')).toBeTruthy();
      expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH!');
    },
  );

  it(
    'keeps what was typed while the server is away, and saves it once when it is back',
    { tags: ['long'] },
    async () => {
      const { user, service, writes } = await desk.open('?selected=1');
      const open = await form('1');
      await user.type(editor(open, 'Supplier'), '!');
      service.loseAnswerOf('PATCH');
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      const [lost, repeated] = writes();
      expect(repeated?.headers['idempotency-key']).toBe(lost?.headers['idempotency-key']);
      const { body } = await desk.root.get(`${desk.pathOf('1')}/history`);
      expect(historyAnswer.parse(body).history).toHaveLength(1);
      expect(await screen.findByText('4 revisions')).toBeTruthy();
    },
  );
});
