/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { activeRequests } from '#web/api/request.ts';
import { viewersAnswer } from '#shared/contract/workspace-answers.ts';
import { COL, openGrids } from '../tables/open-grids.tsx';
import { liveNetwork } from './browser.ts';

const grids = await openGrids();

async function openLive(options: Parameters<typeof grids.open>[0] = {}) {
  const live = await liveNetwork();
  const page = await grids.open({ ...options, network: live.network });
  await waitFor(() => expect(live.server.connections()).toBe(1));
  const jrids = (await page.stored()).map(({ jrid }) => jrid);
  const jridOf = (row: number) => {
    const jrid = jrids[row];
    if (jrid === undefined) throw new Error(`There is no row ${row}.`);
    return jrid;
  };
  const tell = (jrid: string) => live.tell({ table: page.guid, id: jrid, user: 'root' });
  return {
    ...page,
    live,
    jridOf,
    /** somebody else changes a dataset */
    async change(row: number, dataset: Readonly<Record<string, unknown>>) {
      const { status, text } = await grids.root.put(`${page.path}/${jridOf(row)}`, { dataset });
      if (status !== 200) throw new Error(text);
      tell(jridOf(row));
    },
    async remove(row: number) {
      const body = { datasets: [{ jrid: jridOf(row) }] };
      const { status, text } = await grids.root.delete(page.path, body);
      if (status !== 204) throw new Error(text);
      tell(jridOf(row));
    },
    async create(dataset: Readonly<Record<string, unknown>>) {
      const { status, text } = await grids.root.post(page.path, { dataset });
      if (status !== 200) throw new Error(text);
      tell('999999');
    },
  };
}

/** What screen readers are told: by one place alone, so that nothing is told twice. */
function said({ grid }: { readonly grid: HTMLElement }) {
  const places = grid.parentElement?.querySelectorAll('output, [role=status], [aria-live]') ?? [];
  const place = screen.getByRole('status', { name: 'Status of the table' });
  expect([...places]).toEqual([place]);
  return within(place);
}

describe('a grid while somebody else works in the table', () => {
  it('shows a changed cell in its place, marked with who changed it', async () => {
    const page = await openLive({ search: '?sort=name' });
    await page.change(0, { name: 'Zinc' });
    await waitFor(() => expect(page.text(0, COL.name)).toBe('Zinc'));
    expect(page.cell(0, COL.name).title).toBe('root has just changed this.');
    expect(page.cell(0, COL.code).title).toBe('');
    expect(page.text(1, COL.name)).toBe('Nut');
  });

  it('leaves an open editor alone, says what came below it, and asks when it is left', async () => {
    const page = await openLive();
    await page.typeInto(0, COL.name, 'Screw');
    await page.change(0, { name: 'Rivet', pieces: 6 });
    await waitFor(() => expect(page.text(0, COL.pieces)).toBe('6'));
    const editor = within(page.grid).getByRole('combobox', { name: 'Name' });
    expect(editor).toHaveProperty('value', 'Screw');
    expect(document.activeElement).toBe(editor);
    expect(within(page.cell(0, COL.name)).getByText(/^root has changed this to/).textContent).toBe(
      'root has changed this to “Rivet”',
    );
    await said(page).findByText(/^Name has been changed to Rivet\./);
    await page.user.keyboard('{Enter}');
    await waitFor(() => expect(page.cell(0, COL.name).dataset['status']).toBe('conflict'));
    expect((await page.stored())[0]?.['name']).toBe('Rivet');
    await page.focus(0, COL.name);
    await page.user.click(await screen.findByRole('radio', { name: /^Yours/ }));
    await page.user.click(screen.getByRole('button', { name: 'Save with this value' }));
    await waitFor(async () => expect((await page.stored())[0]?.['name']).toBe('Screw'));
  });

  it('keeps what cannot be saved, and holds a conflict against their newest value', async () => {
    const page = await openLive();
    await page.typeInto(0, COL.pieces, 'many{Enter}');
    expect(page.cell(0, COL.pieces).dataset['status']).toBe('unread');
    await page.change(0, { pieces: 9, name: 'Rivet' });
    await waitFor(() => expect(page.text(0, COL.name)).toBe('Rivet'));
    expect(page.text(0, COL.pieces)).toContain('many');

    await page.typeInto(1, COL.name, 'Wing nut');
    await page.change(1, { name: 'Cap nut' });
    await within(page.cell(1, COL.name)).findByText(/^root has changed this/);
    await page.user.keyboard('{Enter}');
    await waitFor(() => expect(page.cell(1, COL.name).dataset['status']).toBe('conflict'));
    await page.change(1, { name: 'Lock nut' });
    await page.focus(1, COL.name);
    await page.user.click(await screen.findByRole('radio', { name: 'Theirs Lock nut' }));
    await page.user.click(screen.getByRole('button', { name: 'Save with this value' }));
    await waitFor(() => expect(page.text(1, COL.name)).toBe('Lock nut'));
  });

  it(
    'shows it in the open form as well, but for the field in which one types',
    { tags: ['long'] },
    async () => {
      const page = await openLive({ search: `?selected=` });
      await page.focus(0, COL.code);
      await page.user.click(page.foot().getByRole('button', { name: 'Form' }));
      const panel = await screen.findByRole('region', { name: `Record ${page.jridOf(0)}` });
      const name = within(panel).getByRole('combobox', { name: /^Name/ });
      await page.user.click(name);
      await page.user.keyboard('!');
      await page.change(0, { name: 'Rivet', pieces: 6 });
      await waitFor(() =>
        expect(within(panel).getByRole('textbox', { name: 'Pieces' })).toHaveProperty('value', '6'),
      );
      expect(name).toHaveProperty('value', 'Bolt!');
      expect(within(panel).getByText(/^root has changed this to/)).toBeTruthy();
    },
  );

  it(
    'shows who else has the record open in a form, and reports it to others',
    { tags: ['long'] },
    async () => {
      const page = await openLive();
      const path = `${page.path}/${page.jridOf(0)}/viewers`;
      await grids.root.put(path, { editing: true });
      await page.focus(0, COL.code);
      await page.user.click(page.foot().getByRole('button', { name: 'Form' }));
      const panel = await screen.findByRole('region', { name: `Record ${page.jridOf(0)}` });
      await within(panel).findByText(/ is editing this\.$/);
      const { body } = await grids.root.put(path, { editing: false });
      expect(viewersAnswer.parse(body).viewers).toMatchObject([{ username: page.username }]);
    },
  );

  it('marks what others delete, and offers to show what they add', { tags: ['long'] }, async () => {
    const page = await openLive();
    // Saved first, so that all that is ever told of has been.
    await page.typeInto(0, COL.pieces, '6{Enter}');
    await said(page).findByText(/Everything is saved/);
    await page.remove(1);
    await waitFor(() =>
      expect(page.cell(1, 0).getAttribute('aria-label')).toBe('Row 2: deleted by root'),
    );
    expect(page.text(1, COL.name)).toBe('Nut');
    await page.create({ code: 'A-9', name: 'Washer' });
    await said(page).findByText('Others added or deleted records.');
    await page.user.click(
      await page.foot().findByRole('button', { name: /^Others added or deleted/ }),
    );
    await waitFor(() => expect(page.text(2, COL.name)).toBe('Washer'));
    expect(page.text(1, COL.name)).toBe('Ring');
    expect(page.foot().queryByRole('button', { name: /^Others added/ })).toBeNull();
  });

  it(
    'does not call the clerk’s own deletion and its undoing those of others',
    { tags: ['long'] },
    async () => {
      const page = await openLive();
      const own = (row: number) =>
        page.live.tell({ table: page.guid, id: page.jridOf(row), user: page.username });
      const compared = async () => {
        const counts = () => page.service.calls.filter(({ url }) => url.includes('/count')).length;
        const before = counts();
        // Of a dataset that is not shown here: then the service is asked how many there are.
        page.live.tell({ table: page.guid, id: '999999', user: 'root' });
        await waitFor(() => expect(counts()).toBeGreaterThan(before));
        await waitFor(() => expect(activeRequests.get()).toBe(0));
        expect(page.foot().queryByRole('button', { name: /^Others added/ })).toBeNull();
      };
      await page.focus(1, COL.name);
      await page.user.keyboard('{Shift>} {/Shift}{Control>}{Delete}{/Control}');
      await page.user.click(await screen.findByRole('button', { name: 'Delete the record' }));
      own(1);
      await waitFor(() => expect(page.text(1, COL.name)).toBe('Ring'));
      await compared();
      await page.user.click(page.foot().getByRole('button', { name: 'Undo the deletion' }));
      own(1);
      await waitFor(() => expect(page.text(1, COL.name)).toBe('Nut'));
      await compared();
    },
  );

  it('does not mark the clerk’s own saves', { tags: ['long'] }, async () => {
    const page = await openLive();
    await page.typeInto(0, COL.name, 'Screw{Enter}');
    await waitFor(async () => expect((await page.stored())[0]?.['name']).toBe('Screw'));
    const reads = page.service.calls.filter(({ method }) => method === 'GET').length;
    page.live.tell({ table: page.guid, id: page.jridOf(0), user: page.username });
    await page.change(1, { name: 'Cap nut' });
    await waitFor(() => expect(page.text(1, COL.name)).toBe('Cap nut'));
    expect(page.cell(0, COL.name).title).toBe('');
    expect(
      page.service.calls.filter(
        ({ url }, at) => at >= reads && url.includes(`jrid[in]`) && url.includes(page.jridOf(0)),
      ),
    ).toEqual([]);
  });
});
