/** @module-tag slow */
import { QueryClient } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import { summary } from '#web/api/failure.ts';
import { describe, expect, it, vi } from 'vitest';
import { type RevertibleStep, undoHistoryOf } from '#web/undo/undo-history.ts';
import { editor, form, openDesk, ROWS } from './desk.tsx';

const desk = await openDesk();

const first = ROWS[0] ?? [];

const step = (recordId: string): RevertibleStep => ({
  label: recordId,
  recordId,
  failure: (_direction, failure) => summary(failure),
  revert: () => Promise.reject(new Error('not reverted here')),
});

describe('what can be undone', () => {
  it('is the save that is still under way, not the one before it', async () => {
    const history = undoHistoryOf(new QueryClient(), 'anna', 'A');
    history.push(step('1'));
    const { promise, resolve } = Promise.withResolvers<void>();
    history.waitFor(promise.then(() => history.push(step('2'))));
    let next: string | undefined;
    const undone = history.run(async () => {
      next = history.get().done.at(-1)?.label;
    });
    resolve();
    await undone;
    expect(next).toBe('2');
  });

  it('goes back at least 50 saves', () => {
    const history = undoHistoryOf(new QueryClient(), 'anna', 'A');
    for (let at = 0; at < 300; at++) history.push(step(String(at)));
    for (let at = 299; at >= 250; at--) {
      const next = history.get().done.at(-1);
      expect(next?.label).toBe(String(at));
      if (next) history.replace(next, null);
    }
  });

  it('is redone in the reverse order, until something new is done', () => {
    const history = undoHistoryOf(new QueryClient(), 'anna', 'A');
    for (const id of ['1', '2', '3']) history.push(step(id));
    for (const id of ['3', '2']) {
      const next = history.get().done.at(-1);
      expect(next?.label).toBe(id);
      if (next) history.replace(next, step(`-${id}`));
    }
    const redo = history.get().undone.at(-1);
    expect(redo?.label).toBe('-2');
    if (redo) history.replace(redo, step('2'));
    expect(history.get().done.at(-1)?.label).toBe('2');
    expect(history.get().undone.at(-1)?.label).toBe('-3');
    history.push(step('4'));
    expect(history.get().undone.at(-1)).toBeUndefined();
    const { done, undone } = history.get();
    expect([...done, ...undone].map(({ label }) => label)).toEqual(['1', '2', '4']);
  });
});

describe('undoing a save', () => {
  it('puts the old values back by the key, as a save over the newest version', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), ' & Co');
    await user.clear(editor(open, 'Amount'));
    await user.type(editor(open, 'Amount'), '12');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    await desk.changeElsewhere('1', { PAID: true });
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText('Undone in revision 1: Supplier, Amount.');
    expect(writes().at(-1)).toMatchObject({
      headers: { 'if-match': '"3"' },
      body: {
        indexFields: [
          { name: 'SUPPLIER', value: 'Muller GmbH' },
          { name: 'AMOUNT', value: 10.5 },
        ],
      },
    });
    expect((await desk.stored('1')).values).toEqual(first.with(3, true));
    await waitFor(() => expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH'));
    expect(within(open).getByText('Nothing changed')).toBeTruthy();
    await user.keyboard('{Control>}z{/Control}');
    expect(await screen.findByText('There is nothing to undo.')).toBeTruthy();
    expect(writes()).toHaveLength(2);
  });

  it(
    'works from the next revision, one save after the other, and leads back',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      await user.type(editor(await form('1'), 'Supplier'), '1');
      await user.keyboard('{Control>}{Enter}{/Control}');
      await user.type(editor(await form('2'), 'Supplier'), '2');
      await user.keyboard('{Control>}{Enter}{/Control}');
      const third = await form('3');
      expect((await desk.stored('2')).values[1]).toBe('Müller GmbH2');
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText('Undone in revision 2: Supplier.');
      await user.click(within(third).getByRole('button', { name: 'Undo in 1' }));
      await screen.findByText('Undone in revision 1: Supplier.');
      expect((await desk.stored('1')).values).toEqual(first);
      expect((await desk.stored('2')).values).toEqual(ROWS[1]);
      await user.click(await screen.findByRole('button', { name: 'Open revision 1' }));
      expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH');
    },
  );

  it('offers to do it again, and that can be undone as well', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), '1');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const second = await form('2');
    await user.click(within(second).getByRole('button', { name: 'Undo in 1' }));
    await screen.findByText('Undone in revision 1: Supplier.');
    await user.click(await screen.findByRole('button', { name: 'Redo' }));
    await screen.findByText('Redone in revision 1: Supplier.');
    expect((await desk.stored('1')).values[1]).toBe('Muller GmbH1');
    await user.click(await within(second).findByRole('button', { name: 'Undo in 1' }));
    await waitFor(async () => expect((await desk.stored('1')).values).toEqual(first));
  });

  it('no longer offers to redo once something else was saved', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), '1');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const second = await form('2');
    await user.click(within(second).getByRole('button', { name: 'Undo in 1' }));
    const notices = within(await screen.findByRole('region', { name: 'Notices' }));
    await notices.findByRole('button', { name: 'Redo' });
    await user.type(editor(second, 'Note'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await notices.findByText('Revision 2 is saved.');
    await waitFor(() => expect(notices.queryByRole('button', { name: 'Redo' })).toBeNull());
  });

  it('leaves what somebody has changed since, naming who and when', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), '!');
    await user.type(editor(open, 'Note'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    await desk.changeElsewhere('1', { SUPPLIER: 'Theirs' });
    await desk.changeElsewhere('1', { PAID: true });
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText(
      /^Undone in revision 1: Note\. Supplier stays as it is: edited by root, \d{4}-.*\.$/,
    );
    expect((await desk.stored('1')).values).toEqual(first.with(1, 'Theirs').with(3, true));
    expect(writes()).toHaveLength(2);
  });

  it('lists several fields that somebody has changed since, and returns to the form', async () => {
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), '!');
    await user.type(editor(open, 'Note'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    await desk.changeElsewhere('1', { SUPPLIER: 'Theirs', NOTE: 'Theirs' });
    await user.keyboard('{Control>}z{/Control}');
    const dialog = await screen.findByRole('dialog', { name: 'Nothing was undone in revision 1.' });
    expect(within(dialog).getByRole('list', { name: 'Not undone' }).textContent).toMatch(
      /^Supplier: edited by root, .*Note: edited by root, /,
    );
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(editor(open, 'Note')));
  });

  it('sends nothing where all of it was changed since', { tags: ['long'] }, async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    await desk.changeElsewhere('1', { SUPPLIER: 'Theirs' });
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText(
      /^Nothing was undone in revision 1\. Supplier stays as it is: edited by root/,
    );
    expect(writes()).toHaveLength(1);
    expect(within(open).queryByRole('button', { name: /^Undo in/ })).toBeNull();
  });

  it('tries again where somebody saves between reading and putting back', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    // Between reading and putting back somebody saves another field.
    const { fetch } = globalThis;
    let met = false;
    vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
      if (call[1]?.method === 'PATCH' && !met) {
        met = true;
        await desk.changeElsewhere('1', { PAID: true });
      }
      return fetch(...call);
    });
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText('Undone in revision 1: Supplier.');
    expect(writes().map(({ status }) => status)).toEqual([200, 412, 200]);
    expect((await desk.stored('1')).values).toEqual(first.with(3, true));
  });

  it('is the browser’s own in a field that was typed in since', async () => {
    const { user, writes } = await desk.open('?selected=1');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), '!');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    await user.type(editor(open, 'Note'), '?');
    await user.keyboard('{Control>}z{/Control}');
    expect(writes()).toHaveLength(1);
    expect((await desk.stored('1')).values[1]).toBe('Muller GmbH!');
    await user.click(editor(open, 'Amount'));
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText('Undone in revision 1: Supplier.');
    expect(editor(open, 'Note')).toHaveProperty('value', expect.stringMatching(/\?$/));
  });

  it('is done once while the key is held', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    await user.type(editor(await form('1'), 'Supplier'), '1');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.type(editor(await form('2'), 'Supplier'), '2');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await form('3');
    await user.keyboard('{Control>}{z>3}{/z}{/Control}');
    await screen.findByText('Undone in revision 2: Supplier.');
    expect((await desk.stored('1')).values[1]).toBe('Muller GmbH1');
  });

  it('brings keywords back, also none at all', { tags: ['long'] }, async () => {
    const { user } = await desk.open('?selected=1');
    const open = await form('1');
    const subject = () => editor(open, 'SUBJECT');
    await user.type(subject(), 'glue{Enter}');
    await user.keyboard('{Control>}s{/Control}');
    await within(open).findByText('Nothing changed');
    expect((await desk.stored('1')).keywords).toEqual(['paper', 'ink, black', 'glue']);
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText(/^Undone in revision 1/);
    expect((await desk.stored('1')).keywords).toEqual(['paper', 'ink, black']);
    await waitFor(() => expect(within(open).queryByText('glue')).toBeNull());
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    const second = await form('2');
    await user.type(editor(second, 'SUBJECT'), 'glue{Enter}');
    await user.keyboard('{Control>}s{/Control}');
    await within(second).findByText('Nothing changed');
    await user.keyboard('{Control>}z{/Control}');
    await screen.findByText(/^Undone in revision 2/);
    expect((await desk.stored('2')).keywords).toEqual([]);
  });

  it(
    'keeps the step that cannot be sent, and drops one whose revision is deleted',
    { tags: ['long'] },
    async () => {
      const { user, service } = await desk.open('?selected=1');
      const open = await form('1');
      await user.type(editor(open, 'Supplier'), '!');
      await user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      service.answerInstead('PATCH', () => new Response('<h1>Bad proxy</h1>', { status: 502 }));
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText(/^The save of revision 1 is not undone\./);
      expect(within(open).getByRole('button', { name: 'Undo in 1' })).toBeTruthy();
      await desk.root.delete(desk.pathOf('1'));
      await user.keyboard('{Control>}z{/Control}');
      await screen.findByText('Revision 1 was not found.');
      expect(within(open).queryByRole('button', { name: /^Undo in/ })).toBeNull();
    },
  );
});
