/** @module-tag slow */
import { waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { activeRequests } from '#web/api/request.ts';
import { editor, form, openDesk, row, shownIds } from '../archive/desk.tsx';
import { liveNetwork } from './browser.ts';
import { chooseMore } from '../more-commands.ts';

const desk = await openDesk();

async function openLive(search: string) {
  const live = await liveNetwork();
  const page = await desk.open(search, 'anna', live.network);
  await waitFor(() => expect(live.server.connections()).toBe(1));
  return {
    ...page,
    live,
    /** somebody else saves values */
    async change(id: string, values: Parameters<typeof desk.changeElsewhere>[1]) {
      await desk.changeElsewhere(id, values);
      live.tell({ archive: desk.table(), id, user: 'root' });
    },
  };
}

describe('a form while somebody else changes the revision', () => {
  it(
    'takes what they change in untouched fields and says who, and never what is typed',
    { tags: ['long'] },
    async () => {
      const page = await openLive('?selected=1');
      const open = await form('1');
      await page.user.type(editor(open, 'Supplier'), ' & Co');
      await page.change('1', { SUPPLIER: 'Müller AG', AMOUNT: 13 });
      await waitFor(() => expect(editor(open, 'Amount')).toHaveProperty('value', '13.00'));
      expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH & Co');
      expect(within(open).getByText(/^root changed this at /)).toBeTruthy();
      expect(within(open).getByText(/^root changed this, too, to/).textContent).toContain(
        'Müller AG',
      );
      expect(within(open).getByText(/^root changed Amount at .*are kept\.$/)).toBeTruthy();
      expect(within(open).getByText('1 field changed')).toBeTruthy();

      await page.user.click(within(open).getByRole('button', { name: 'Compare' }));
      const panel = await within(open).findByRole('group', { name: 'Changed meanwhile' });
      expect(panel.textContent).toMatch(/Theirs.*Müller AG.*Yours.*Muller GmbH & Co.*Before/);
      await page.user.keyboard('2{Enter}');
      await within(open).findByText('1 field changed');
      await page.user.keyboard('{Control>}s{/Control}');
      await within(open).findByText('Nothing changed');
      expect(page.writes().map(({ status }) => status)).toEqual([200]);
      expect((await desk.stored('1')).values.slice(1, 3)).toEqual(['Muller GmbH & Co', 13]);
    },
  );

  it('saves what is typed over the rest of theirs, and asks about what both have changed', async () => {
    const page = await openLive('?selected=1');
    const open = await form('1');
    await page.user.type(editor(open, 'Supplier'), ' & Co');
    await page.change('1', { SUPPLIER: 'Müller AG', AMOUNT: 13 });
    await waitFor(() => expect(editor(open, 'Amount')).toHaveProperty('value', '13.00'));
    // All fields: those that were taken over must not hide what is still open.
    await chooseMore(page.user, open, 'Validate all and save');
    const panel = await within(open).findByRole('group', { name: 'Changed meanwhile' });
    expect((await desk.stored('1')).values[1]).toBe('Müller AG');
    await page.user.click(within(panel).getByRole('radio', { name: /Theirs/ }));
    await page.user.click(within(panel).getByRole('button', { name: 'Save with this value' }));
    await within(open).findByText('Nothing changed');
    expect((await desk.stored('1')).values.slice(1, 3)).toEqual(['Müller AG', 13]);
  });

  it(
    'shows their value once the clerk has undone the own one and left the field',
    { tags: ['long'] },
    async () => {
      const page = await openLive('?selected=1');
      const open = await form('1');
      const supplier = editor(open, 'Supplier');
      await page.user.type(supplier, '!');
      await page.change('1', { SUPPLIER: 'Müller AG' });
      await within(open).findByText(/^root changed this, too/);
      await page.user.type(supplier, '{Backspace}');
      await within(open).findByText('Nothing changed');
      expect(supplier).toHaveProperty('value', 'Muller GmbH');
      await page.user.click(editor(open, 'Amount'));
      await waitFor(() => expect(supplier).toHaveProperty('value', 'Müller AG'));
    },
  );

  it('says nothing of the clerk’s own saves', { tags: ['long'] }, async () => {
    const page = await openLive('?selected=1');
    const open = await form('1');
    await page.user.type(editor(open, 'Supplier'), '!');
    await page.user.keyboard('{Control>}s{/Control}');
    page.live.tell({ archive: desk.table(), id: '1', user: 'anna' });
    await within(open).findByText('Nothing changed');
    await page.change('2', { SUPPLIER: 'Another' });
    await waitFor(async () => expect((await row('2')).textContent).toContain('Another'));
    expect(within(open).queryByText(/changed this|changed Supplier/)).toBeNull();
  });

  it('says that the revision was deleted, and keeps what was typed to be copied', async () => {
    const page = await openLive('?selected=1');
    const open = await form('1');
    await page.user.type(editor(open, 'Supplier'), '!');
    await desk.root.delete(desk.pathOf('1'));
    page.live.tell({ archive: desk.table(), id: '1', user: 'root' });
    await within(open).findByText(/^root has deleted this revision, /);
    expect(editor(open, 'Supplier')).toHaveProperty('value', 'Muller GmbH!');
    expect(within(open).getByRole('button', { name: 'Copy what you typed' })).toBeTruthy();
    await waitFor(async () => expect(await shownIds()).toEqual(['2', '3', '4']));
  });
});

describe('a list while others work', () => {
  it('shows what they change, at once', async () => {
    const page = await openLive('');
    await row('3');
    await page.change('3', { SUPPLIER: 'New here' });
    await waitFor(async () => expect((await row('3')).textContent).toContain('New here'));
  });

  it(
    'reloads what is on the screen when the stream is connected again, and says when it is not for long',
    { tags: ['long'] },
    async () => {
      const page = await openLive('');
      await row('3');
      page.live.server.answerWith({ status: 503 });
      page.live.server.cut();
      await desk.changeElsewhere('3', { SUPPLIER: 'Unheard of' });
      const marks = await page.findAllByText('Offline, reconnecting');
      expect(marks[0]?.closest('output')).toBeTruthy();
      expect((await row('3')).textContent).not.toContain('Unheard of');
      page.live.server.answerWith(null);
      await waitFor(async () => expect((await row('3')).textContent).toContain('Unheard of'));
      expect(page.queryByText('Offline, reconnecting')).toBeNull();
    },
  );

  it(
    'asks for the list a few times while ten thousand changes come',
    { tags: ['long'] },
    async () => {
      const page = await openLive('?selected=1');
      await form('1');
      await row('3');
      await waitFor(() => expect(activeRequests.get()).toBe(0));
      const before = page.service.calls.length;
      for (let id = 0; id < 10_000; id++) {
        page.live.tell({ archive: desk.table(), id: String(id), user: 'root' });
      }
      await page.change('3', { SUPPLIER: 'The last' });
      await waitFor(async () => expect((await row('3')).textContent).toContain('The last'));
      expect(page.service.calls.length - before).toBeLessThan(20);
    },
  );
});
