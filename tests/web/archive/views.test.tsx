/** @module-tag slow */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { viewsAnswer } from '#shared/contract/workspace-answers.ts';
import { liveNetwork } from '../live/browser.ts';
import { openDesk, row, shownIds, widthOf } from './desk.tsx';

const desk = await openDesk();

const strip = () => screen.findByRole('region', { name: 'Views' });
const viewsPath = () => `application/archiveapp/archives/${desk.table()}/views`;
const button = async (name: string | RegExp) =>
  within(await strip()).findByRole('button', { name });
const saveElsewhere = async (name: string, search: string) => {
  const answer = await desk.root.post(viewsPath(), { name, shared: true, search });
  expect(answer.status).toBe(201);
};
const savedViews = async () => {
  const { views } = viewsAnswer.parse((await desk.root.get(viewsPath())).body);
  return views.map(({ name, search }) => [name, search]);
};

/** Makes a column wider by the menu of its heading. */
async function widen(user: UserEvent, name: RegExp) {
  const heading = await screen.findByRole('columnheader', { name });
  fireEvent.contextMenu(heading);
  await user.click(await screen.findByRole('menuitem', { name: 'Wider' }));
  await user.keyboard('{Escape}');
  return heading;
}

describe('the views of a list', () => {
  it(
    'stay away until there is something to save; then keep what the list shows, by name',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open('?where[SUPPLIER][null]=true&sort=-AMOUNT');
      await row('3');
      await widen(user, /^Supplier/);
      await waitFor(() => expect(search()['widths']).toMatch(/^SUPPLIER:\d+$/));
      const widths = search()['widths'];
      await user.click(await button('Save as a view'));
      const dialog = await screen.findByRole('dialog', { name: 'Save as a view' });
      const name = within(dialog).getByRole('textbox', { name: /^Name/ });
      await waitFor(() => expect(document.activeElement).toBe(name));
      within(dialog).getByRole('checkbox', { name: 'For everybody who sees this archive' });
      await user.keyboard('Supplier missing{Enter}');
      const view = await button(/^Supplier missing 1$/);
      await waitFor(() => expect(view.getAttribute('aria-current')).toBe('true'));
      expect(within(await strip()).queryByText(/changed/)).toBeNull();

      await user.click(await button(/^All/));
      expect(await shownIds()).toEqual(['1', '2', '3', '4']);
      expect(search()).toEqual({ widths });
      await widen(user, /^Supplier/);
      await waitFor(() => expect(search()['widths']).not.toBe(widths));
      await user.click(view);
      await waitFor(async () => expect(await shownIds()).toEqual(['3']));
      expect(search()).toMatchObject({
        'where[SUPPLIER][null]': 'true',
        sort: '-AMOUNT',
        widths,
      });
    },
  );

  it(
    'have the widths of the columns in their address: a link brings them along',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open(
        '?where[AMOUNT][gt]=8&widths=SUPPLIER:333,AMOUNT:90,x:y',
      );
      await row('1');
      const heading = screen.getByRole('columnheader', { name: /^Supplier/ });
      expect(await widthOf(heading)).toBe('333px');
      await widen(user, /^Supplier/);
      await waitFor(() =>
        expect(search()).toEqual({
          'where[AMOUNT][gt]': '8',
          widths: 'AMOUNT:90,SUPPLIER:357',
        }),
      );
      expect(await widthOf(heading)).toBe('357px');
    },
  );

  it(
    'leave the columns as wide as the user left them where a link says nothing of widths',
    { tags: ['long'] },
    async () => {
      const first = await desk.open();
      await widen(first.user, /^Supplier/);
      await waitFor(() => expect(first.search()['widths']).toBeTruthy());
      const { widths } = first.search();
      const left = () =>
        first.writes().some(({ url, method }) => method === 'PUT' && url.endsWith('/lastview'));
      await waitFor(() => expect(left()).toBe(true));
      first.unmount();
      const linked = await desk.open('?sort=-AMOUNT');
      await waitFor(() => expect(linked.search()).toEqual({ sort: '-AMOUNT', widths }));
    },
  );

  it('show nothing where there are none and the list is plain', async () => {
    await desk.open();
    await row('1');
    expect(screen.queryByRole('region', { name: 'Views' })).toBeNull();
  });

  it('show how many records match, updated after a correction', { tags: ['long'] }, async () => {
    await saveElsewhere('Supplier missing', 'where%5BSUPPLIER%5D%5Bnull%5D=true');
    const { user } = await desk.open('?selected=1');
    await button(/^Supplier missing 1$/);
    const form = await screen.findByRole('region', { name: 'Form of revision 1' });
    const supplier = await within(form).findByRole('combobox', { name: /^Supplier/ });
    await user.clear(supplier);
    await user.click(within(form).getByRole('button', { name: /^Save changes/ }));
    expect(await button(/^Supplier missing 2$/)).toBeTruthy();
  });

  it('say that they were changed; the change is saved or undone', async () => {
    await saveElsewhere('Large', 'where%5BAMOUNT%5D%5Bgt%5D=8');
    const { user, search } = await desk.open();
    await user.click(await button(/^Large 2$/));
    await waitFor(async () => expect(await shownIds()).toEqual(['1', '2']));
    await user.click(screen.getByRole('columnheader', { name: 'Amount' }));
    await user.click(screen.getByRole('columnheader', { name: 'Amount' }));
    await within(await strip()).findByText('Large: changed');
    await user.click(await button(/^Large 2$/));
    await waitFor(() => expect(screen.queryByText('Large: changed')).toBeNull());
    expect(search()).not.toHaveProperty('sort');

    await user.click(screen.getByRole('columnheader', { name: 'Amount' }));
    await user.click(await button('Save the changes of the view Large'));
    await waitFor(() => expect(screen.queryByText('Large: changed')).toBeNull());
    expect(await savedViews()).toEqual([['Large', 'where%5BAMOUNT%5D%5Bgt%5D=8&sort=AMOUNT']]);
  });

  it('are renamed and deleted by keyboard', { tags: ['long'] }, async () => {
    await saveElsewhere('Large', 'where%5BAMOUNT%5D%5Bgt%5D=8');
    await saveElsewhere('Small', 'where%5BAMOUNT%5D%5Blt%5D=8');
    const { user } = await desk.open('?where[AMOUNT][gt]=8');
    (await button('View Large')).focus();
    await user.keyboard('{Enter}');
    const rename = await screen.findByRole('menuitem', { name: 'Rename or share…' });
    for (let i = 0; i < 3 && document.activeElement !== rename; i++) {
      await user.keyboard('{ArrowDown}');
    }
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Rename or share the view' });
    const name = within(dialog).getByRole('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'small{Enter}');
    expect(await within(dialog).findByText(/already a view named small/)).toBeTruthy();
    await user.clear(name);
    await user.type(name, 'Big{Enter}');
    await button(/^Big 2$/);
    await user.click(await button('View Big'));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
    await user.click(await screen.findByRole('button', { name: 'Delete the view' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Big/ })).toBeNull());
    await button(/^Small 1$/);
  });

  it(
    'keep a field that was renamed since they were read, when they get another name',
    { tags: ['long'] },
    async () => {
      await saveElsewhere('Two', 'columns=INVOICENO%2CNOTE');
      const { user } = await desk.open();
      await user.click(await button(/^Two 4$/));
      await desk.renameField('NOTE', 'REMARK');
      await user.click(await button('View Two'));
      await user.click(await screen.findByRole('menuitem', { name: 'Rename or share…' }));
      const dialog = await screen.findByRole('dialog', { name: 'Rename or share the view' });
      const name = within(dialog).getByRole('textbox', { name: /^Name/ });
      await user.clear(name);
      await user.type(name, 'Pair{Enter}');
      await button(/^Pair 4$/);
      expect(await savedViews()).toEqual([['Pair', 'columns=INVOICENO%2CREMARK']]);
    },
  );

  it('are shown with a field that is renamed, and saved with it', async () => {
    await saveElsewhere('Two', 'columns=INVOICENO%2CNOTE');
    const live = await liveNetwork();
    const { user, search } = await desk.open('', 'anna', live.network);
    await waitFor(() => expect(live.server.connections()).toBe(1));
    await user.click(await button(/^Two 4$/));
    await desk.renameField('NOTE', 'REMARK');
    live.server.end();
    await waitFor(() => expect(search()['columns']).toBe('INVOICENO,REMARK'));
    await user.click(await screen.findByRole('columnheader', { name: 'Note' }));
    await user.click(await button('Save the changes of the view Two'));
    await waitFor(() => expect(screen.queryByText('Two: changed')).toBeNull());
    expect(await savedViews()).toEqual([['Two', 'sort=REMARK&columns=INVOICENO%2CREMARK']]);
  });

  it(
    'are saved with a field that was renamed since they were changed',
    { tags: ['long'] },
    async () => {
      await saveElsewhere('Two', 'columns=INVOICENO%2CNOTE');
      const live = await liveNetwork();
      const { user, search } = await desk.open('', 'anna', live.network);
      await waitFor(() => expect(live.server.connections()).toBe(1));
      await user.click(await button(/^Two 4$/));
      await user.click(await screen.findByRole('columnheader', { name: 'Note' }));
      await within(await strip()).findByText('Two: changed');
      await desk.renameField('NOTE', 'REMARK');
      live.server.end();
      await waitFor(() =>
        expect(search()).toMatchObject({ columns: 'INVOICENO,REMARK', sort: 'REMARK' }),
      );
      await user.click(await button('Save the changes of the view Two'));
      await waitFor(() => expect(screen.queryByText('Two: changed')).toBeNull());
      expect(await savedViews()).toEqual([['Two', 'sort=REMARK&columns=INVOICENO%2CREMARK']]);
    },
  );

  it('for everybody are not changed without the right to manage', async () => {
    await saveElsewhere('Large', 'where%5BAMOUNT%5D%5Bgt%5D=8');
    const { user } = await desk.open('', await desk.userWith('write'));
    await user.click(await button(/^Large 2$/));
    await user.click(await screen.findByRole('columnheader', { name: 'Amount' }));
    await within(await strip()).findByText('Large: changed');
    expect(within(await strip()).queryByRole('button', { name: /^Save the changes/ })).toBeNull();
    expect(within(await strip()).queryByRole('button', { name: 'View Large' })).toBeNull();
    await user.click(await button('Save as another view'));
    await user.keyboard('Mine');
    expect(screen.queryByRole('checkbox', { name: /everybody/ })).toBeNull();
    await user.keyboard('{Enter}');
    await button(/^Mine 2$/);
  });

  it('come back as they were left, however soon that was after the last change', async () => {
    const first = await desk.open();
    await first.user.click(await screen.findByRole('columnheader', { name: 'Amount' }));
    await waitFor(() => expect(first.search()).toEqual({ sort: 'AMOUNT' }));
    first.unmount();
    const stored = ({ method, url, status }: (typeof first.service.calls)[number]) =>
      method === 'PUT' && url.endsWith('/lastview') && status !== null;
    await waitFor(() => expect(first.service.calls.some(stored)).toBe(true));
    const second = await desk.open();
    await waitFor(() => expect(second.search()).toEqual({ sort: 'AMOUNT' }));
  });

  it(
    'come back as they were last, though an earlier one was stored late',
    { tags: ['long'] },
    async () => {
      const first = await desk.open();
      const headers = { 'content-type': 'application/json', 'retry-after': '2' };
      const body = JSON.stringify({ code: 'unavailable', errors: {}, requestId: 'r' });
      first.service.answerInstead('PUT', () => new Response(body, { status: 503, headers }));
      const sent = () =>
        first.writes().filter(({ url, method }) => method === 'PUT' && url.endsWith('/lastview'));
      await first.user.click(await screen.findByRole('columnheader', { name: 'Amount' }));
      await waitFor(() => expect(sent()).toHaveLength(1));
      await first.user.click(await screen.findByRole('columnheader', { name: 'Supplier' }));
      await waitFor(() => expect(sent().filter(({ status }) => status === 200)).toHaveLength(2));
      first.unmount();
      const second = await desk.open();
      await waitFor(() => expect(second.search()).toEqual({ sort: 'SUPPLIER' }));
    },
  );

  it(
    'come back as the list was left last, where it is opened without one',
    { tags: ['long'] },
    async () => {
      const first = await desk.open();
      await first.user.click(await screen.findByRole('columnheader', { name: 'Amount' }));
      const left = () =>
        first.writes().some(({ url, method }) => method === 'PUT' && url.endsWith('/lastview'));
      await waitFor(() => expect(left()).toBe(true));
      first.unmount();
      const second = await desk.open();
      await waitFor(() => expect(second.search()).toEqual({ sort: 'AMOUNT' }));
      // The rows come after the address.
      await waitFor(async () => expect(await shownIds()).toEqual(['4', '1', '2', '3']));
      second.unmount();
      const linked = await desk.open('?sort=-AMOUNT');
      await waitFor(async () => expect(await shownIds()).toEqual(['2', '1', '4', '3']));
      expect(linked.search()).toEqual({ sort: '-AMOUNT' });
    },
  );
});

it('are found by name with Ctrl+K, from every page', { tags: ['long'] }, async () => {
  await saveElsewhere('Supplier missing', 'where%5BSUPPLIER%5D%5Bnull%5D=true&sort=-AMOUNT');
  const { user, navigate, search } = await desk.open();
  await row('1');
  void navigate({ to: '/' });
  await screen.findByRole('heading', { name: 'Overview' });
  await user.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Go to' }));
  await user.type(await palette.findByRole('combobox'), `missing ${desk.table()}`);
  await user.click(
    await palette.findByRole('option', { name: `Supplier missingview of ${desk.table()}` }),
  );
  expect(await shownIds()).toEqual(['3']);
  expect(search()).toMatchObject({ 'where[SUPPLIER][null]': 'true', sort: '-AMOUNT' });
  expect((await button(/^Supplier missing 1$/)).getAttribute('aria-current')).toBe('true');
});
