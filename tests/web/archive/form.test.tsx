/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { editor, form, grid, openDesk, row, ROWS } from './desk.tsx';
import { chooseMore } from '../more-commands.ts';

const desk = await openDesk();

describe('the form of a revision', () => {
  it(
    'sends the changed fields alone, with If-Match, and updates the row in place',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=1&sort=SUPPLIER');
      const open = await form('1');
      const supplier = editor(open, 'Supplier');
      await user.clear(supplier);
      await user.type(supplier, 'Maier GmbH');
      expect(within(open).getByText('Muller GmbH')).toBeTruthy();
      expect(within(open).getByText('1 field changed')).toBeTruthy();
      expect(within(await row('1')).getByRole('img', { name: 'Unsaved' })).toBeTruthy();
      expect(await screen.findByRole('button', { name: '1 unsaved' })).toBeTruthy();
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      expect(writes()).toMatchObject([
        {
          method: 'PATCH',
          status: 200,
          headers: { 'if-match': '"1"' },
          body: { indexFields: [{ name: 'SUPPLIER', value: 'Maier GmbH' }] },
        },
      ]);
      expect((await row('1')).textContent).toContain('Maier GmbH');
      expect((await desk.stored('1')).values).toEqual((ROWS[0] ?? []).with(1, 'Maier GmbH'));
      expect(screen.queryByRole('button', { name: '1 unsaved' })).toBeNull();
    },
  );

  it(
    'sends the full set with every untouched value as it was read',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=1');
      const open = await form('1');
      const amount = editor(open, 'Amount');
      await user.clear(amount);
      await user.type(amount, '11.00');
      await chooseMore(user, open, 'Validate all and save');
      await within(open).findByText('Nothing changed');
      expect(writes()).toMatchObject([
        { method: 'PUT', status: 200, headers: { 'if-match': '"1"' } },
      ]);
      const { values, keywords } = await desk.stored('1');
      expect(values).toEqual((ROWS[0] ?? []).with(2, 11));
      expect(keywords).toEqual(['paper', 'ink, black']);
    },
  );

  it('leaves an empty text, no value and CRLF as they are', async () => {
    const { user } = await desk.open('?selected=2');
    const open = await form('2');
    await chooseMore(user, open, 'Validate all and save');
    await waitFor(async () => expect((await desk.stored('2')).values).toEqual(ROWS[1]));
    await user.click(await row('1'));
    const first = await form('1');
    const note = editor(first, 'Note');
    await user.type(note, 'three');
    await user.keyboard('{Control>}s{/Control}');
    await within(first).findByText('Nothing changed');
    expect((await desk.stored('1')).values[5]).toBe('one\r\ntwo  three');
  });

  it('checks while one types, does not send what is no value, and restores', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Amount'), 'x');
    expect(await within(open).findByText(/must be a number/)).toBeTruthy();
    await user.clear(editor(open, 'Invoice no.'));
    expect(await within(open).findByText('A value is required.')).toBeTruthy();
    await user.type(editor(open, 'Invoice no.'), '12345678901');
    expect(await within(open).findByText(/at most 10 characters/)).toBeTruthy();
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(editor(open, 'Invoice no.')));
    expect(writes()).toEqual([]);
    await user.click(within(open).getByRole('button', { name: 'Restore Invoice no.' }));
    await user.click(within(open).getByRole('button', { name: 'Restore Amount' }));
    expect(within(open).getByText('Nothing changed')).toBeTruthy();
  });

  it(
    'says of spaces at the edges what nobody sees, but not while one types',
    { tags: ['long'] },
    async () => {
      await desk.newArchive([['R-1', 'Maier ', null, null, null, null]]);
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      await within(open).findByText('Ends with a space.');
      await user.click(editor(open, 'Supplier'));
      await user.keyboard('{End}{Backspace}');
      expect(within(open).queryByText('Ends with a space.')).toBeNull();
      expect(await within(open).findByText('Maier␣')).toBeTruthy();
      await user.keyboard(' & ');
      expect(within(open).queryByText('Ends with a space.')).toBeNull();
      await user.click(editor(open, 'Amount'));
      expect(await within(open).findByText('Ends with a space.')).toBeTruthy();
    },
  );

  it(
    'does not count another writing of the same number as a change',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      await user.clear(editor(open, 'Amount'));
      await user.type(editor(open, 'Amount'), '10.5');
      expect(within(open).getByText('Nothing changed')).toBeTruthy();
    },
  );

  it(
    'marks a stored value that breaks the definition and lets the others be corrected',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=4');
      const open = await form('4');
      expect(within(open).getByText(/Stored value: .*at most 10 characters/)).toBeTruthy();
      await user.type(editor(open, 'Supplier'), '!');
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      // The full set needs all of them; the service says which one stands in the way.
      await chooseMore(user, open, 'Validate all and save');
      await waitFor(() => expect(writes().at(-1)?.status).toBe(422));
      await waitFor(() => expect(document.activeElement).toBe(editor(open, 'Invoice no.')));
      expect(within(open).getByText('Not saved: see the marked fields.')).toBeTruthy();
    },
  );

  it('corrects keywords as chips', { tags: ['long'] }, async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    const subject = within(open).getByRole('textbox', { name: /^SUBJECT/ });
    await user.type(subject, 'wood, oak{Enter}');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    expect(writes()[0]?.body).toEqual({
      keywordFields: [
        { name: 'SUBJECT', value: 'paper' },
        { name: 'SUBJECT', value: 'ink, black' },
        { name: 'SUBJECT', value: 'wood, oak' },
      ],
    });
    await user.click(subject);
    await user.keyboard('{Backspace}{Backspace}{Backspace}{Control>}s{/Control}');
    await waitFor(async () => expect((await desk.stored('1')).keywords).toEqual([]));
  });

  it('saves a keyword that was typed without Enter, and takes lines that are pasted one by one', async () => {
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    const subject = within(open).getByRole('textbox', { name: /^SUBJECT/ });
    await user.type(subject, 'oak');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(async () =>
      expect((await desk.stored('1')).keywords).toEqual(['paper', 'ink, black', 'oak']),
    );
    const next = await form('2');
    await user.click(within(next).getByRole('textbox', { name: /^SUBJECT/ }));
    await user.paste('elm\r\n\r\n ash \r\nelm');
    await user.keyboard('paper{Control>}s{/Control}');
    await waitFor(async () =>
      expect((await desk.stored('2')).keywords).toEqual(['elm', 'ash', 'paper']),
    );
  });

  it(
    'forgets the keyword in the making when the old values are restored',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      const open = await form('1');
      const subject = within(open).getByRole<HTMLInputElement>('textbox', { name: /^SUBJECT/ });
      await user.type(subject, 'paper');
      // It is there already.
      await within(open).findByText('Nothing changed');
      await user.type(subject, 's');
      await within(open).findByText('1 field changed');
      await user.keyboard('{Control>}u{/Control}');
      await within(open).findByText('Nothing changed');
      expect(subject.value).toBe('');
      await user.click(within(open).getByRole('button', { name: 'Remove paper' }));
      await user.keyboard('{Control>}s{/Control}');
      await waitFor(async () => expect((await desk.stored('1')).keywords).toEqual(['ink, black']));
    },
  );

  it(
    'shows the exact request before it goes, for both ways of saving',
    { tags: ['long'] },
    async () => {
      const { user, writes } = await desk.open('?selected=3');
      const open = await form('3');
      await user.type(editor(open, 'Amount'), '3.5');
      await chooseMore(user, open, 'Preview request');
      await within(open).findByLabelText('Text of the request');
      const shown = () => within(open).getByLabelText('Text of the request').textContent;
      expect(shown()).toContain(`PATCH /api/rest/v2/${desk.pathOf('3')}/indexdata`);
      expect(shown()).toContain('If-Match: "1"');
      const bodyOf = (text: string | null): unknown => JSON.parse(text?.split('\n\n')[1] ?? '');
      const patch = bodyOf(shown());
      expect(patch).toEqual({ indexFields: [{ name: 'AMOUNT', value: 3.5 }] });
      await user.click(within(open).getByRole('radio', { name: 'Validate all and save' }));
      const put = bodyOf(shown());
      await chooseMore(user, open, 'Validate all and save');
      await within(open).findByText('Nothing changed');
      expect(writes()[0]?.body).toEqual(put);
    },
  );

  it(
    'saves and opens the next with the cursor in the same field, its text selected',
    { tags: ['long'] },
    async () => {
      const { user, search, writes } = await desk.open('?selected=1');
      const first = await form('1');
      await user.clear(editor(first, 'Amount'));
      await user.type(editor(first, 'Amount'), '12');
      await user.keyboard('{Control>}{Enter}{/Control}');
      const second = await form('2');
      const amount = editor(second, 'Amount');
      await waitFor(() => expect(document.activeElement).toBe(amount));
      if (!(amount instanceof HTMLInputElement)) throw new Error('No input.');
      expect([amount.selectionStart, amount.selectionEnd]).toEqual([0, '20.00'.length]);
      expect(writes()).toHaveLength(1);
      // Nothing is changed here: it only goes on.
      await user.keyboard('{Control>}{Enter}{/Control}');
      await form('3');
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      await form('2');
      expect(writes()).toHaveLength(1);
      expect(search()).toEqual({ selected: '2' });
    },
  );

  it(
    'opens the row that takes the place when the corrected one leaves the filter',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?where[AMOUNT][null]=false&sort=revisionId&selected=1');
      const first = await form('1');
      await user.clear(editor(first, 'Amount'));
      await user.keyboard('{Control>}s{/Control}');
      await within(first).findByText('Nothing changed');
      editor(first, 'Amount').focus();
      await user.keyboard('{Control>}{Enter}{/Control}');
      expect(await form('2')).toBeTruthy();
    },
  );

  it('keeps unsaved changes when one goes to another row or page, and marks them', async () => {
    const { user, navigate } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), ' & Co');
    await user.click(await row('3'));
    await user.type(editor(await form('3'), 'Supplier'), 'New');
    expect(await screen.findByRole('button', { name: '2 unsaved' })).toBeTruthy();
    void navigate({ to: '/' });
    await screen.findByRole('heading', { name: 'Overview' });
    // As soon as they are kept on the disk nobody has to be asked.
    await waitFor(() => {
      const leaving = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(leaving);
      expect(leaving.defaultPrevented).toBe(false);
    });
    void navigate({ to: '/archives/$archive', params: { archive: desk.table() } });
    await user.click(await screen.findByRole('button', { name: '2 unsaved' }));
    const again = await form('1');
    expect(editor(again, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
    await user.click(within(again).getByRole('button', { name: 'Restore all' }));
    expect(await screen.findByRole('button', { name: '1 unsaved' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: '1 unsaved' }));
    await user.click(within(await form('3')).getByRole('button', { name: 'Restore all' }));
  });

  it('shows the history of the revision', { tags: ['long'] }, async () => {
    await desk.changeElsewhere('1', { AMOUNT: 99 });
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    await user.click(within(open).getByRole('button', { name: 'History' }));
    const history = within(open).getByRole('region', { name: 'History' });
    const [newest] = await within(history).findAllByRole('listitem');
    expect(newest?.textContent).toMatch(/root.*Changed fields.*Amount.*10\.5.*99/);
  });

  it('is read-only for readers', async () => {
    const { user } = await desk.open('?selected=1', await desk.userWith('read'));
    const open = await form('1');
    expect(within(open).getByText('You can read this archive, but not change it.')).toBeTruthy();
    await user.type(editor(open, 'Supplier'), 'x');
    expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH');
    expect(within(open).queryByRole('button', { name: /^Save/ })).toBeNull();
    expect(await grid()).toBeTruthy();
  });
});

describe('going on before a revision is read', () => {
  it('counts every key, and puts the cursor into the same field at the end', async () => {
    const { user, service } = await desk.open('?selected=1');
    editor(await form('1'), 'Amount').focus();
    const release = service.hold('GET');
    await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{ArrowDown}{/Alt}');
    release();
    const last = await form('4');
    await waitFor(() => expect(document.activeElement).toBe(editor(last, 'Amount')));
  });
});
