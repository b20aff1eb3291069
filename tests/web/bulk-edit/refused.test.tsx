/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { openDesk } from './desk.tsx';
import { correctButton, lineOf, row, type } from './moves.ts';
import { chooseMore } from '../more-commands.ts';

const desk = await openDesk();

describe('when it does not go well', () => {
  it('names the revision that was changed meanwhile and by whom; nothing is changed; it can be taken out', async () => {
    const { user, onDone } = await desk.open();
    await type(user, 'Supplier', 'Meier');
    await row('2');
    await desk.root.patch(`${desk.pathOf('2')}/indexdata`, {
      indexFields: [{ name: 'AMOUNT', value: 99 }],
    });
    await user.click(correctButton());
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Nothing was changed: 1 revision was refused');
    expect(alert.textContent).toMatch(/Revision 2: .*changed meanwhile, last by root/);
    expect((await desk.stored('1')).value('SUPPLIER')).toBe('Muller GmbH');

    await user.click(within(alert).getByRole('button', { name: 'Revision 2' }));
    await waitFor(async () => expect(document.activeElement).toBe(await row('2')));
    await user.click(within(alert).getByRole('button', { name: 'Leave it out' }));
    await user.click(correctButton());
    await screen.findByText('2 revisions are corrected');
    expect((await desk.stored('2')).value('SUPPLIER')).toBe('Müller GmbH');
    await user.click(screen.getByRole('button', { name: 'Back to the list' }));
    expect(onDone).toHaveBeenCalledOnce();
  });

  it(
    'reads what was changed meanwhile again and then corrects it over the new version',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open();
      await type(user, 'Supplier', 'Meier');
      await row('2');
      const change = { indexFields: [{ name: 'SUPPLIER', value: 'Theirs' }] };
      await desk.root.patch(`${desk.pathOf('2')}/indexdata`, change);
      await user.click(correctButton());
      await user.click(await screen.findByRole('button', { name: 'Read it again' }));
      await waitFor(async () => expect(await lineOf('2')).toContain('Theirs'));
      expect(screen.queryByRole('alert')).toBeNull();
      await user.click(correctButton());
      await screen.findByText('3 revisions are corrected');
      expect((await desk.stored('2')).value('SUPPLIER')).toBe('Meier');
    },
  );

  it('foretells a lock of somebody else', async () => {
    await desk.root.patch(desk.pathOf('3'), { locked: true });
    const { user } = await desk.open(undefined, await desk.writingClerk());
    await type(user, 'Supplier', 'Meier');
    expect(await screen.findByRole('button', { name: 'Would fail 1' })).toBeTruthy();
    expect(await lineOf('3')).toContain('The revision is locked by root.');
    expect(isDisabled(correctButton())).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Leave it out' }));
    await user.click(correctButton());
    await screen.findByText('2 revisions are corrected');
  });

  it(
    'shows a lock that was set meanwhile, and continues once it is released',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open(undefined, await desk.writingClerk());
      await type(user, 'Supplier', 'Meier');
      await row('3');
      await desk.root.patch(desk.pathOf('3'), { locked: true });
      await user.click(correctButton());
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toMatch(/Revision 3: The revision has been locked by root/);
      expect((await desk.stored('1')).value('SUPPLIER')).toBe('Muller GmbH');
      await desk.root.patch(desk.pathOf('3'), { locked: false });
      await user.click(screen.getByRole('button', { name: 'Read it again' }));
      await waitFor(() => {
        expect(screen.queryByRole('alert')).toBeNull();
        expect(isDisabled(correctButton())).toBe(false);
      });
      await user.click(correctButton());
      await screen.findByText('3 revisions are corrected');
    },
  );

  it(
    'names revision and field of what the service refuses, here a field that is new',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open({ kind: 'ids', ids: ['1', '2'] });
      await type(user, 'Supplier', 'Meier');
      await row('2');
      await desk.addField('COSTCENTRE');
      await chooseMore(user, screen.getByRole('dialog'), 'Validate all and save');
      await user.click(correctButton());
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toContain('Nothing was changed: 2 revisions were refused');
      expect(alert.textContent).toContain('Revision 1 COSTCENTRE: The index field is missing');
      await waitFor(async () =>
        expect(await lineOf('2')).toContain('COSTCENTRE: The index field is missing'),
      );
      expect((await desk.stored('1')).value('SUPPLIER')).toBe('Muller GmbH');
      // What was said against the full set does not hold against the changed fields alone.
      await chooseMore(user, screen.getByRole('dialog'), 'Validate all and save');
      await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
      await user.click(correctButton());
      await screen.findByText('2 revisions are corrected');
    },
  );

  it('repeats a lost answer with the same key, so that it is done once', async () => {
    const { user, service, writes } = await desk.open({ kind: 'ids', ids: ['1'] });
    await type(user, 'Supplier', 'Meier');
    await row('1');
    service.loseAnswerOf('PATCH');
    await user.click(correctButton());
    await screen.findByText('1 revision is corrected');
    const keys = writes().map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect((await desk.stored('1')).etag).toBe('"2"');
  });

  it('can stop waiting, and then sends the very same again', { tags: ['long'] }, async () => {
    const { user, service, writes } = await desk.open({ kind: 'ids', ids: ['1'] });
    await type(user, 'Supplier', 'Meier');
    await row('1');
    const release = service.hold('PATCH');
    onTestFinished(release);
    await user.click(correctButton());
    await user.click(await screen.findByRole('button', { name: 'Stop waiting' }));
    await screen.findByText('It is not known whether the revisions were corrected');
    release();
    await user.click(screen.getByRole('button', { name: 'Send the same request again' }));
    await screen.findByText('1 revision is corrected');
    const keys = writes().map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
  });

  it('shows an answer that is not the service’s own as it came', { tags: ['long'] }, async () => {
    const { user, service } = await desk.open({ kind: 'ids', ids: ['1'] });
    await type(user, 'Supplier', 'Meier');
    await row('1');
    service.answerInstead(
      'PATCH',
      () =>
        new Response('<h1>Bad gateway</h1>', {
          status: 502,
          headers: { 'Content-Type': 'text/html' },
        }),
    );
    await user.click(correctButton());
    await screen.findByText('It is not known whether the revisions were corrected');
    expect(screen.getByLabelText<HTMLTextAreaElement>('Text of the answer').value).toContain(
      'Bad gateway',
    );
    await user.click(screen.getByRole('button', { name: 'Read them again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    await user.click(correctButton());
    await screen.findByText('1 revision is corrected');
  });

  it('leaves out what was not found and says so', { tags: ['long'] }, async () => {
    const { user, writes } = await desk.open({ kind: 'ids', ids: ['1', '77'] });
    await type(user, 'Supplier', 'Meier');
    expect(await screen.findByRole('button', { name: 'Not found 1' })).toBeTruthy();
    await user.click(correctButton());
    await screen.findByText('1 revision is corrected');
    expect(screen.getByText('1 revision was not found.')).toBeTruthy();
    expect(writes()[0]?.body).toMatchObject({ revisions: [{ revisionId: '1' }] });
  });
});
