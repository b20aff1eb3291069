/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { BASE } from '#tests/support/app.ts';
import { hasUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { pendingNotices } from '#web/ui/notify.ts';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { openDesk, ROWS } from './desk.tsx';
import { choose, correctButton, lineOf, row, type } from './moves.ts';
import { chooseMore } from '../more-commands.ts';

const desk = await openDesk();

describe('correcting together', () => {
  it(
    'shows old and new of each revision, then changes the named field alone',
    { tags: ['long'] },
    async () => {
      const { user, writes, onDone } = await desk.open();
      await type(user, 'Supplier', 'Müller GmbH');
      expect(await lineOf('1')).toContain('Muller GmbH→ becomes Müller GmbH');
      expect(await lineOf('3')).toContain('no value→ becomes Müller GmbH');
      expect(await lineOf('2')).toContain('It already has these values');
      expect(screen.getByRole('button', { name: 'Would change 2' })).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Unchanged 1' })).toBeTruthy();
      expect(writes()).toHaveLength(0);

      await user.click(correctButton());
      expect(await screen.findByText('2 revisions are corrected')).toBeTruthy();
      expect(writes()).toMatchObject([
        {
          method: 'PATCH',
          status: 200,
          body: {
            revisions: [
              {
                revisionId: '1',
                ifMatch: '"1"',
                indexFields: [{ name: 'SUPPLIER', value: 'Müller GmbH' }],
              },
              {
                revisionId: '3',
                ifMatch: '"1"',
                indexFields: [{ name: 'SUPPLIER', value: 'Müller GmbH' }],
              },
            ],
          },
        },
      ]);
      const after = await desk.stored('1');
      expect(after.value('SUPPLIER')).toBe('Müller GmbH');
      expect(after.value('NOTE')).toBe('one\r\ntwo  ');
      await user.click(screen.getByRole('button', { name: 'Back to the list' }));
      expect(onDone).toHaveBeenCalledOnce();
    },
  );

  it('sends the full set with all other values exactly as they were read', async () => {
    const { user, writes } = await desk.open();
    await type(user, 'Amount', '7.25');
    await chooseMore(user, screen.getByRole('dialog'), 'Validate all and save');
    expect(hasUnsavedInput()).toBe(true);
    await user.click(correctButton());
    await screen.findByText('3 revisions are corrected');
    expect(hasUnsavedInput()).toBe(false);
    const [sent] = writes();
    expect(sent?.method).toBe('PUT');
    for (const [i, id] of ['1', '2', '3'].entries()) {
      const { revision } = await desk.stored(id);
      const expected = (ROWS[i] ?? []).with(2, 7.25);
      expect(revision?.indexFields.map(({ value }) => value)).toEqual(expected);
    }
    expect((await desk.stored('1')).revision?.keywordFields.map(({ value }) => value)).toEqual([
      'paper',
      'ink',
    ]);
  });

  it('takes values and keywords away, said explicitly', async () => {
    const { user } = await desk.open();
    const supplier = await choose(user, 'Supplier');
    expect(isDisabled(correctButton())).toBe(true);
    await user.click(within(supplier).getByRole('button', { name: /no value in supplier/i }));
    const subject = await choose(user, 'SUBJECT');
    await user.click(within(subject).getByRole('button', { name: /no keywords in subject/i }));
    await user.click(correctButton());
    await screen.findByText('2 revisions are corrected');
    const { value, revision } = await desk.stored('1');
    expect(value('SUPPLIER')).toBeNull();
    expect(revision?.keywordFields).toEqual([]);
  });

  it('replaces keywords, a comma in one included', { tags: ['long'] }, async () => {
    const { user } = await desk.open({ kind: 'ids', ids: ['1', '2'] });
    await type(user, 'SUBJECT', 'ink, black{Enter}paper{Enter}');
    await user.click(correctButton());
    await screen.findByText('2 revisions are corrected');
    expect((await desk.stored('2')).revision?.keywordFields.map(({ value }) => value)).toEqual([
      'ink, black',
      'paper',
    ]);
  });

  it('corrects all that match a filter', { tags: ['long'] }, async () => {
    await desk.newArchive(
      Array.from({ length: 450 }, (_, i) => [`R-${i}`, i % 2 ? 'odd' : 'even', i, null, null]),
    );
    const view = { where: [{ field: 'SUPPLIER', op: 'eq', value: 'odd' }] } as const;
    const { user } = await desk.open({ kind: 'all', view, total: 225 });
    const paid = await choose(user, 'Paid');
    await user.click(within(paid).getByRole('radio', { name: 'Yes' }));
    expect(await screen.findByRole('button', { name: 'Would change 225' })).toBeTruthy();
    await user.click(correctButton());
    await screen.findByText('225 revisions are corrected');
    const { body } = await desk.root.get(desk.inArchive('index/count?where[PAID][eq]=true'));
    expect(body).toEqual({ count: 225 });
  });

  it('says plainly when more match than one call takes, and reads none of them', async () => {
    const { service, user, onClose } = await desk.open({ kind: 'all', view: {}, total: 10_001 });
    expect(
      await screen.findByText('10,001 revisions are too many to correct together'),
    ).toBeTruthy();
    expect(service.calls.filter(({ url }) => url.includes('/archives/'))).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Back to the list' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('judges a value while it is typed and offers no way to send a wrong one', async () => {
    const { user, writes } = await desk.open();
    await type(user, 'Amount', '1.234');
    const group = screen.getByRole('group', { name: 'Amount' });
    expect(within(group).getByText(/at most 2 decimal places/)).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Would fail 3' })).toBeTruthy();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(writes()).toHaveLength(0);
  });

  it('shows the exact request before it goes', { tags: ['long'] }, async () => {
    const { user, writes } = await desk.open();
    await type(user, 'Supplier', 'X');
    await chooseMore(user, screen.getByRole('dialog'), 'Preview request');
    const text = (await screen.findByLabelText('Text of the request')).textContent ?? '';
    expect(text).toContain(`PATCH ${BASE}${desk.inArchive('indexdata')}`);
    const shown: unknown = JSON.parse(text.slice(text.indexOf('{')));
    await user.click(correctButton());
    await screen.findByText('3 revisions are corrected');
    expect(writes()[0]?.body).toEqual(shown);
  });

  it('is worked by keys alone', { tags: ['long'] }, async () => {
    const { user, writes, onDone } = await desk.open();
    await row('1');
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'));
    await user.keyboard('Suppl{Enter}');
    await screen.findByRole('group', { name: 'Supplier' });
    await user.keyboard('Meier');
    (await row('1')).focus();
    await user.keyboard('{ArrowDown}');
    await waitFor(async () => expect(document.activeElement).toBe(await row('2')));
    await user.keyboard(' ');
    expect(await screen.findByRole('button', { name: 'Left out 1' })).toBeTruthy();
    await user.keyboard('{Control>}{Enter}{/Control}');
    await screen.findByText('2 revisions are corrected');
    expect(writes()[0]?.body).toMatchObject({
      revisions: [{ revisionId: '1' }, { revisionId: '3' }],
    });
    await user.keyboard('{Enter}');
    expect(onDone).toHaveBeenCalledOnce();
  });

  it('continues with the new versions of the same revisions', { tags: ['long'] }, async () => {
    const { user, onDone } = await desk.open({ kind: 'ids', ids: ['1', '3'] });
    await type(user, 'Supplier', 'Meier');
    await user.click(correctButton());
    await user.click(await screen.findByRole('button', { name: 'Correct more of these' }));
    await waitFor(() => expect(document.activeElement?.getAttribute('role')).toBe('combobox'));
    await type(user, 'Supplier', 'Maier');
    await waitFor(async () => expect(await lineOf('3')).toContain('Meier→ becomes Maier'));
    await user.click(correctButton());
    await screen.findByText('2 revisions are corrected');
    expect((await desk.stored('3')).etag).toBe('"3"');
    await user.click(screen.getByRole('button', { name: 'Correct more of these' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(onDone).toHaveBeenCalledOnce();
  });

  it('shows and restores the values of a field that was renamed while it was open', async () => {
    const { user, writes, readArchiveAgain } = await desk.open({ kind: 'ids', ids: ['1', '2'] });
    await type(user, 'Note', 'x');
    expect(await lineOf('1')).toContain('two');
    await desk.renameField('NOTE', 'REMARK');
    await readArchiveAgain();
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Note' })).toBeNull());
    expect(pendingNotices.get().map(({ message }) => message)).toEqual([
      'What you chose for NOTE is discarded: the archive has no such field any more.',
    ]);
    await type(user, 'Note', 'y');
    expect(await lineOf('1')).toContain('two');
    await user.click(correctButton());
    await screen.findByText('2 revisions are corrected');
    expect((await desk.stored('1')).value('REMARK')).toBe('y');
    await user.click(screen.getByRole('button', { name: 'Undo all' }));
    await screen.findByText('2 revisions have their old values again');
    expect((await desk.stored('1')).value('REMARK')).toBe('one\r\ntwo  ');
    expect(writes()).toHaveLength(2);
  });

  it(
    'continues with the values of a field that was renamed after the correction',
    { tags: ['long'] },
    async () => {
      const { user, readArchiveAgain } = await desk.open({ kind: 'ids', ids: ['1', '3'] });
      await type(user, 'Supplier', 'Meier');
      await user.click(correctButton());
      await screen.findByText('2 revisions are corrected');
      await desk.renameField('NOTE', 'REMARK');
      await readArchiveAgain();
      await user.click(screen.getByRole('button', { name: 'Correct more of these' }));
      await type(user, 'Note', 'y');
      expect(await lineOf('1')).toContain('two');
    },
  );

  it('asks before what was chosen is lost', async () => {
    const { user, onClose } = await desk.open();
    await type(user, 'Supplier', 'X');
    await user.keyboard('{Escape}');
    const question = { name: 'Discard unsaved changes?' };
    await screen.findByRole('dialog', question);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', question)).toBeNull());
    expect(onClose).not.toHaveBeenCalled();
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(onClose).toHaveBeenCalledOnce();
  });
});
