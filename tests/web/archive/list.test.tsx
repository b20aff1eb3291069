import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { form, grid, openDesk, row, shownIds, widthOf } from './desk.tsx';

const desk = await openDesk();

describe('the list of an archive', () => {
  it(
    'shows what the address says: filter, search, order and columns',
    { tags: ['long'] },
    async () => {
      await desk.open('?where[AMOUNT][gt]=8&q=GmbH&sort=-AMOUNT&columns=revisionId,AMOUNT');
      expect(await shownIds()).toEqual(['2', '1']);
      const headings = within(await grid()).getAllByRole('columnheader');
      expect(headings.map(({ textContent }) => textContent)).toEqual([
        'Select all',
        'Revision',
        'Amount',
      ]);
      expect(headings[2]?.getAttribute('aria-sort')).toBe('descending');
      expect((await row('2')).textContent).toContain('20.00');
      expect(await screen.findByText('2 of 4 revisions, filtered')).toBeTruthy();
    },
  );

  it('writes amounts with thousands separators, right-aligned', { tags: ['long'] }, async () => {
    await desk.newArchive([['R-1', null, 1234567.5, null, null, null]]);
    await desk.open('?columns=revisionId,AMOUNT');
    const [, , amount] = within(await row('1')).getAllByRole('gridcell');
    expect(amount?.textContent).toBe('1,234,567.50');
    expect(amount?.dataset).toMatchObject({ number: 'true' });
  });

  it('keeps its rows where they cannot be read again', { tags: ['long'] }, async () => {
    const { service, queryClient } = await desk.open();
    await row('1');
    service.failReads(`/archives/${desk.table()}/`);
    await act(() => queryClient.invalidateQueries());
    expect(screen.queryByText('The list could not be read')).toBeNull();
    expect(await shownIds()).toEqual(['1', '2', '3', '4']);
  });

  it('shows all where the address sorts by a field that does not exist', async () => {
    const { user } = await desk.open('?sort=GONE');
    await user.click(await screen.findByRole('button', { name: 'Show all revisions' }));
    expect(await shownIds()).toEqual(['1', '2', '3', '4']);
  });

  it('begins with its first row', { tags: ['long'] }, async () => {
    await desk.open();
    await row('1');
    expect((await grid()).scrollTop).toBe(0);
  });

  it(
    'shows the conditions that are on also while they are not edited, each to be removed',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?where[AMOUNT][gt]=8&where[PAID][eq]=true');
      await screen.findByText('1 of 4 revisions, filtered');
      const chips = () => screen.queryByRole('region', { name: 'Filtered by' });
      expect(chips()).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Filter 2' }));
      expect(chips()?.textContent).toBe('Filtered byOnlyAmount is more than 8Paid is Yes');
      await user.click(screen.getByRole('button', { name: 'Remove: Paid is Yes' }));
      await screen.findByText('2 of 4 revisions, filtered');
      expect(chips()?.textContent).toBe('Filtered byOnlyAmount is more than 8');
    },
  );

  it(
    'has the focus when its page is opened, and is entered by ↓ from the search',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open();
      const list = await grid();
      expect(document.activeElement).toBe(list);
      await user.keyboard('{ArrowDown}{Enter}');
      await form('2');
      await user.type(screen.getByRole('searchbox', { name: /^Search in/ }), 'R-3{ArrowDown}');
      expect(document.activeElement).toBe(list);
      await waitFor(async () => expect(await shownIds()).toEqual(['3']));
    },
  );

  it(
    'has the cursor in the form of a revision that one was led to',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?selected=1');
      await user.click(await row('1'));
      await user.keyboard('{Control>}k{/Control}');
      await user.type(await screen.findByRole('combobox', { name: /revision number$/ }), '3');
      await user.click(
        await screen.findByRole('option', { name: new RegExp(`revision 3 in ${desk.table()}`) }),
      );
      const open = await form('3');
      await waitFor(() => expect(open.contains(document.activeElement)).toBe(true));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(open.contains(document.activeElement)).toBe(true);
    },
  );

  it('selects all that match by the box in its heading, and none by it again', async () => {
    const { user } = await desk.open();
    await row('1');
    const box = screen.getByRole('checkbox', { name: 'Select all' });
    await user.click(within(await row('2')).getAllByRole('gridcell')[0] ?? box);
    await waitFor(() => expect(box.getAttribute('aria-checked')).toBe('mixed'));
    await user.click(box);
    expect(box.getAttribute('aria-checked')).toBe('true');
    expect(await screen.findByText('All 4 that match selected')).toBeTruthy();
    await user.click(box);
    expect(box.getAttribute('aria-checked')).toBe('false');
  });

  it(
    'has nothing chosen of yes and no in a condition until one is',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open();
      await row('1');
      await user.click(screen.getByRole('button', { name: 'Filter' }));
      const condition = screen.getByRole('group', { name: 'Condition' });
      await user.selectOptions(within(condition).getByLabelText('Field'), 'Paid');
      const choices = () => within(condition).getAllByRole('radio');
      expect(choices().map((choice) => choice.getAttribute('value'))).toEqual(['true', 'false']);
      expect(choices().filter((choice) => choice.matches(':checked'))).toEqual([]);
      await user.click(within(condition).getByText('No'));
      await screen.findByText('1 of 4 revisions, filtered');
    },
  );

  it('has its size for screen readers and is one tab stop', { tags: ['long'] }, async () => {
    await desk.open();
    const list = await grid();
    await row('1');
    expect(list.getAttribute('aria-rowcount')).toBe('5');
    expect((await row('3')).getAttribute('aria-rowindex')).toBe('4');
    expect(
      [...list.querySelectorAll('[tabindex]:not([tabindex="-1"])')].map((inner) => inner.outerHTML),
    ).toEqual([]);
    expect(list.tabIndex).toBe(0);
  });

  it('sorts by a click on a heading, with Shift by several, and writes it into the address', async () => {
    const { user, search, history } = await desk.open();
    await row('1');
    const heading = (name: string) => screen.getByRole('columnheader', { name });
    await user.click(heading('Paid'));
    await waitFor(async () => expect(await shownIds()).toEqual(['3', '2', '4', '1']));
    await user.keyboard('{Shift>}');
    await user.click(heading('Amount'));
    await user.keyboard('{/Shift}');
    await waitFor(async () => expect(await shownIds()).toEqual(['3', '4', '2', '1']));
    expect(search()).toEqual({ sort: 'PAID,AMOUNT' });
    history.back();
    await waitFor(async () => expect(await shownIds()).toEqual(['3', '2', '4', '1']));
  });

  it(
    'begins a changed sort or filter at its first row, also while a form is open',
    { tags: ['long'] },
    async () => {
      await desk.newArchive(
        Array.from({ length: 30 }, (_, i) => [`R-${i + 1}`, null, 30 - i, null, null, null]),
      );
      const { user } = await desk.open('?selected=20');
      const list = await grid();
      const active = () =>
        document.getElementById(list.getAttribute('aria-activedescendant') ?? '')?.dataset['row'];
      await waitFor(() => expect(active()).toBe('19'));
      list.scrollTo({ top: 200 });
      await user.click(screen.getByRole('columnheader', { name: 'Amount' }));
      await waitFor(async () => expect((await shownIds())[0]).toBe('30'));
      await waitFor(() => expect(active()).toBe('0'));
      expect(list.scrollTop).toBe(0);
      expect(screen.getByRole('region', { name: 'Form of revision 20' })).toBeTruthy();
      list.focus();
      await user.keyboard('{ArrowDown}');
      await waitFor(() => expect(active()).toBe('1'));
    },
  );

  it(
    'has a menu at each heading that sorts, filters, moves and hides its column',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open();
      await row('1');
      const choose = async (name: string, item: string) => {
        fireEvent.contextMenu(screen.getByRole('columnheader', { name: new RegExp(`^${name}`) }));
        await user.click(await screen.findByRole('menuitem', { name: item }));
      };
      await choose('Amount', 'Sort descending');
      await waitFor(async () => expect(await shownIds()).toEqual(['2', '1', '4', '3']));
      expect(search()).toEqual({ sort: '-AMOUNT' });
      await choose('Paid', 'Hide the column');
      await waitFor(() => expect(screen.queryByRole('columnheader', { name: /^Paid/ })).toBeNull());
      expect(search()['columns']).toBe('revisionId,INVOICENO,SUPPLIER,AMOUNT,DUE,NOTE');
      await choose('Amount', 'Move to the left');
      await waitFor(() =>
        expect(search()['columns']).toBe('revisionId,INVOICENO,AMOUNT,SUPPLIER,DUE,NOTE'),
      );
      await choose('Supplier', 'Filter by this column');
      const value = await screen.findByRole('textbox', { name: 'Value' });
      await waitFor(() => expect(document.activeElement).toBe(value));
      await user.keyboard('Too long');
      await waitFor(async () => expect(await shownIds()).toEqual(['4']));
      expect(screen.queryByRole('menuitem', { name: 'Summary…' })).toBeNull();
    },
  );

  it(
    'reaches the headings by ArrowUp; there Enter sorts, and the key of the grid opens the menu',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open();
      await row('1');
      const list = await grid();
      const current = () =>
        document.getElementById(list.getAttribute('aria-activedescendant') ?? '');
      act(() => list.focus());
      await user.keyboard('{ArrowUp}{ArrowRight}{ArrowRight}{ArrowRight}');
      expect(current()).toBe(screen.getByRole('columnheader', { name: /^Amount/ }));
      await user.keyboard('{Enter}');
      await waitFor(async () => expect(await shownIds()).toEqual(['4', '1', '2', '3']));
      expect(search()).toEqual({ sort: 'AMOUNT' });
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      await user.click(await screen.findByRole('menuitem', { name: 'Sort descending' }));
      await waitFor(async () => expect(await shownIds()).toEqual(['2', '1', '4', '3']));
      await waitFor(() => expect(document.activeElement).toBe(list));
      await user.keyboard('{ArrowDown}');
      expect(current()).toBe(await row('2'));
      await user.keyboard('{F1}');
      const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
      expect(
        within(sheet.getByRole('region', { name: 'On a heading' })).getByText(/^Its menu/),
      ).toBeTruthy();
    },
  );

  it('fits a column to its texts by a double click on its edge', { tags: ['long'] }, async () => {
    // jsdom measures no text: the width is estimated by the number of characters.
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    await desk.open();
    await row('4');
    const heading = screen.getByRole('columnheader', { name: /^Supplier/ });
    const edge = heading.lastElementChild;
    if (!edge) throw new Error('The heading has no edge.');
    fireEvent.doubleClick(edge);
    // 17 characters of 7.2 pixels in the longest text, and the space beside it.
    await waitFor(async () => expect(await widthOf(heading)).toBe('146px'));
    const invoice = screen.getByRole('columnheader', { name: /^Invoice/ });
    fireEvent.doubleClick(invoice.lastElementChild ?? invoice);
    // The heading itself is the longest.
    await waitFor(async () => expect(await widthOf(invoice)).toBe('140px'));
  });

  it(
    'takes a second click on a heading as one, while the rows of the first are awaited',
    { tags: ['long'] },
    async () => {
      const { user, search, service } = await desk.open();
      await row('1');
      const release = service.hold('GET');
      const heading = screen.getByRole('columnheader', { name: 'Amount' });
      await user.click(heading);
      await waitFor(() => expect(heading.getAttribute('aria-sort')).toBe('ascending'));
      await user.click(heading);
      await waitFor(() => expect(heading.getAttribute('aria-sort')).toBe('descending'));
      expect(search()).toEqual({ sort: '-AMOUNT' });
      release();
      await waitFor(async () => expect(await shownIds()).toEqual(['2', '1', '4', '3']));
    },
  );

  it('filters by a field of each type in words', { tags: ['long'] }, async () => {
    const { user, search } = await desk.open();
    await row('1');
    await user.click(screen.getByRole('button', { name: 'Filter' }));
    const condition = await screen.findByRole('group', { name: 'Condition' });
    await user.selectOptions(within(condition).getByLabelText('Field'), 'Due');
    await user.selectOptions(within(condition).getByLabelText('Test'), 'is before');
    await user.type(within(condition).getByLabelText('Value'), '2026-02-30');
    expect(await within(condition).findByText(/Enter a valid date/)).toBeTruthy();
    expect(search()).toEqual({});
    await user.clear(within(condition).getByLabelText('Value'));
    await user.type(within(condition).getByLabelText('Value'), '2026-02-01');
    await waitFor(async () => expect(await shownIds()).toEqual(['1']));
    expect(search()).toEqual({ 'where[DUE][lt]': '2026-02-01' });
    await user.selectOptions(within(condition).getByLabelText('Field'), 'SUBJECT');
    await user.type(within(condition).getByLabelText('Value'), 'ink, black');
    await waitFor(() => expect(search()).toEqual({ 'where[keyword.SUBJECT][eq]': 'ink, black' }));
    await waitFor(async () => expect(await shownIds()).toEqual(['1']));
  });

  it(
    'filters by alternatives, which are shown as one and come back from the address',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open('?or[1][AMOUNT][eq]=7&or[1][DUE][lt]=2026-02-01');
      await waitFor(async () => expect(await shownIds()).toEqual(['1', '4']));
      const conditions = await screen.findAllByRole('group', { name: 'Condition' });
      expect(conditions).toHaveLength(2);
      const [, second] = conditions;
      if (!second) throw new Error('The second condition is missing.');
      // A range is two conditions of the service, and cannot be an alternative.
      expect(within(second).queryByRole('option', { name: 'is between' })).toBeNull();
      await user.selectOptions(within(second).getByLabelText('And or or'), 'and');
      await waitFor(() =>
        expect(search()).toEqual({ 'where[AMOUNT][eq]': '7', 'where[DUE][lt]': '2026-02-01' }),
      );
      expect(document.activeElement).toBe(within(second).getByLabelText('And or or'));
      await user.selectOptions(within(second).getByLabelText('And or or'), 'or');
      await waitFor(async () => expect(await shownIds()).toEqual(['1', '4']));
      await user.click(screen.getByRole('button', { name: 'Filter 1', expanded: true }));
      expect(screen.getByRole('region', { name: 'Filtered by' }).textContent).toMatch(
        /^Filtered byOnlyAmount is 7(?:\.00)? or Due is before /,
      );
    },
  );

  it(
    'filters by a range, which is sent as gte and lte and read back as one condition',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open();
      await row('1');
      await user.click(screen.getByRole('button', { name: 'Filter' }));
      const condition = await screen.findByRole('group', { name: 'Condition' });
      await user.selectOptions(within(condition).getByLabelText('Field'), 'Amount');
      await user.selectOptions(within(condition).getByLabelText('Test'), 'is between');
      await user.type(within(condition).getByLabelText('From'), '12');
      await user.type(within(condition).getByLabelText('To'), '8');
      expect(await within(condition).findByText(/must not come after the second/)).toBeTruthy();
      expect(search()).toEqual({});
      await user.clear(within(condition).getByLabelText('From'));
      await user.type(within(condition).getByLabelText('From'), '7');
      await waitFor(async () => expect(await shownIds()).toEqual(['4']));
      expect(search()).toEqual({ 'where[AMOUNT][gte]': '7', 'where[AMOUNT][lte]': '8' });
      await user.click(screen.getByRole('button', { name: /^Filter/, expanded: true }));
      await user.click(await screen.findByRole('button', { name: /^Remove: Amount is between 7/ }));
      await waitFor(() => expect(search()).toEqual({}));
    },
  );

  it(
    'filters by how a text begins, which is sent as a range and read back as one condition',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open();
      await row('1');
      await user.click(screen.getByRole('button', { name: 'Filter' }));
      const condition = await screen.findByRole('group', { name: 'Condition' });
      await user.selectOptions(within(condition).getByLabelText('Field'), 'Supplier');
      await user.selectOptions(within(condition).getByLabelText('Test'), 'begins with');
      await user.type(within(condition).getByLabelText('Value'), 'MÜLLER g');
      await waitFor(async () => expect(await shownIds()).toEqual(['1', '2']));
      expect(Object.keys(search())).toEqual(['where[SUPPLIER][gt]', 'where[SUPPLIER][lt]']);
      await user.click(screen.getByRole('button', { name: 'Filter 1', expanded: true }));
      expect(screen.getByRole('region', { name: 'Filtered by' }).textContent).toBe(
        'Filtered byOnlySupplier begins with “MÜLLER g”',
      );
      await user.click(screen.getByRole('button', { name: /^Filter/ }));
      const again = await screen.findByRole('group', { name: 'Condition' });
      const value = within(again).getByLabelText('Value');
      expect(value).toHaveProperty('value', 'MÜLLER g');
      await user.clear(value);
      // A part of the text is not its beginning.
      await user.type(value, 'GmbH');
      expect(await screen.findByText('No revision matches')).toBeTruthy();
    },
  );

  it(
    'filters by a period that moves on with the days, and keeps it as it is',
    { tags: ['long'] },
    async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-02-03T09:00:00') });
      try {
        const { user, search, service } = await desk.open();
        await row('1');
        await user.click(screen.getByRole('button', { name: 'Filter' }));
        const condition = await screen.findByRole('group', { name: 'Condition' });
        await user.selectOptions(within(condition).getByLabelText('Field'), 'Due');
        await user.selectOptions(within(condition).getByLabelText('Test'), 'is in the period');
        expect(search()).toEqual({});
        await user.selectOptions(within(condition).getByLabelText('Period'), 'Last month');
        await waitFor(async () => expect(await shownIds()).toEqual(['1']));
        expect(search()).toEqual({ 'where[DUE][within]': 'days:last-month' });
        const sent = decodeURIComponent(
          service.calls.findLast(({ url }) => url.includes('/index?'))?.url ?? '',
        );
        expect(sent).toContain('where[DUE][gte]=2026-01-01&where[DUE][lte]=2026-01-31');
        await user.click(screen.getByRole('button', { name: /^Filter/, expanded: true }));
        expect(screen.getByRole('region', { name: 'Filtered by' }).textContent).toBe(
          'Filtered byOnlyDue is in the period “last month”',
        );
        await user.click(screen.getByRole('button', { name: 'Save as a view' }));
        await user.type(
          await screen.findByRole('textbox', { name: /^Name/ }),
          'Due last month{Enter}',
        );
        expect(await screen.findByRole('button', { name: /^Due last month 1$/ })).toBeTruthy();
        // A month later the same view has other revisions.
        vi.setSystemTime(new Date('2026-03-03T09:00:00'));
        cleanup();
        const later = await desk.open();
        await later.user.click(await screen.findByRole('button', { name: /^Due last month/ }));
        await waitFor(async () => expect(await shownIds()).toEqual(['3']));
      } finally {
        vi.useRealTimers();
      }
    },
  );

  it(
    'reads the days of “is one of” as the reader writes them, and says which is none',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open();
      await row('1');
      await user.click(screen.getByRole('button', { name: 'Filter' }));
      const condition = await screen.findByRole('group', { name: 'Condition' });
      await user.selectOptions(within(condition).getByLabelText('Field'), 'Due');
      await user.selectOptions(within(condition).getByLabelText('Test'), 'is one of');
      await user.type(
        within(condition).getByLabelText('Values'),
        '2026-1-31{Enter}2026-02-30{Enter}',
      );
      expect(await within(condition).findByText(/^“2026-02-30”: Enter a valid date/)).toBeTruthy();
      await user.keyboard('{Backspace}20260228{Enter}');
      await waitFor(async () => expect(await shownIds()).toEqual(['1', '3']));
      expect(search()).toEqual({ 'where[DUE][in]': '2026-01-31,2026-02-28' });
    },
  );

  it('chooses columns and their order', async () => {
    const { user, search } = await desk.open();
    await row('1');
    await user.click(screen.getByRole('button', { name: 'Fields' }));
    const fields = within(
      await screen.findByRole('dialog', { name: 'Choose the fields of the list' }),
    );
    await user.click(fields.getByRole('checkbox', { name: 'Note' }));
    await user.click(fields.getByRole('button', { name: 'Move Amount up' }));
    await waitFor(() =>
      expect(search()).toEqual({
        columns: 'revisionId,INVOICENO,AMOUNT,SUPPLIER,PAID,DUE',
      }),
    );
  });

  it(
    'shows keyword fields as columns, which are read only then and not sorted by',
    { tags: ['long'] },
    async () => {
      const { user, search, service } = await desk.open('?columns=revisionId,INVOICENO');
      await row('1');
      const asked = () => service.calls.filter(({ url }) => url.includes('/documents?'));
      expect(asked()).toEqual([]);
      await user.click(screen.getByRole('button', { name: 'Fields' }));
      await user.click(await screen.findByRole('checkbox', { name: 'SUBJECT' }));
      await waitFor(async () => expect((await row('1')).textContent).toBe('1R-1paper, ink, black'));
      expect((await row('2')).textContent).toBe('2R-2');
      expect(search()).toEqual({ columns: 'revisionId,INVOICENO,keyword.SUBJECT' });
      await user.keyboard('{Escape}');
      const heading = screen.getByRole('columnheader', { name: /^SUBJECT/ });
      await user.click(heading);
      expect(heading.getAttribute('aria-sort')).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Sort' }));
      await user.click(await screen.findByRole('button', { name: 'Sort by a field' }));
      const offered = within(screen.getByLabelText('Sort by')).getAllByRole('option');
      expect(offered.map(({ textContent }) => textContent)).not.toContain('SUBJECT');
      await user.keyboard('{Escape}');
      fireEvent.contextMenu(heading);
      await user.click(await screen.findByRole('menuitem', { name: 'Filter by this column' }));
      expect(screen.queryByRole('menuitem', { name: 'Sort ascending' })).toBeNull();
      await user.type(await screen.findByRole('textbox', { name: 'Value' }), 'paper');
      await waitFor(async () => expect(await shownIds()).toEqual(['1']));
      expect((await row('1')).textContent).toContain('paper, ink, black');
    },
  );

  it(
    'exports keyword fields with all fields, and among those shown',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?columns=revisionId,NOTE,keyword.SUBJECT');
      await row('1');
      await user.click(screen.getByRole('button', { name: 'Spreadsheet' }));
      const linkOf = async (name: string) => {
        const item = await screen.findByRole('menuitem', { name });
        return new URL(item.getAttribute('href') ?? '', 'http://x');
      };
      const shown = await linkOf('Excel (XLSX), fields shown');
      expect(shown.searchParams.get('fields')).toBe('NOTE,keyword.SUBJECT');
      const all = await linkOf('CSV, all fields');
      expect(all.searchParams.get('fields')).toBeNull();
      const path = all.pathname.slice(all.pathname.indexOf('application/'));
      const { text } = await desk.root.get(path + all.search);
      expect(text).toContain('Invoice no.,Supplier,Amount,Paid,Due,Note,SUBJECT');
      expect(text).toContain('"paper,ink\\, black"');
    },
  );

  it(
    'moves by keys, opens a form with Enter and closes it with Escape',
    { tags: ['long'] },
    async () => {
      const { user, search } = await desk.open();
      await row('1');
      (await grid()).focus();
      await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
      const opened = await form('3');
      expect(search()).toEqual({ selected: '3' });
      await waitFor(() => expect(opened.contains(document.activeElement)).toBe(true));
      await user.keyboard('{Escape}');
      expect(document.activeElement).toBe(await grid());
      await user.keyboard('{Escape}');
      await waitFor(() => expect(search()).toEqual({}));
    },
  );

  it('without matches has the focus itself, so that keys reach the page', async () => {
    const { user } = await desk.open('?q=nothing-like-this');
    const title = await screen.findByText('No revision matches');
    await waitFor(() => expect(document.activeElement?.contains(title)).toBe(true));
    expect(document.activeElement).not.toBe(document.body);
    await user.tab();
    await user.keyboard('{Enter}');
    const list = await grid();
    await waitFor(() => expect(document.activeElement).toBe(list));
  });

  it('selects with Space, Shift, Ctrl, clicks and all that match', async () => {
    const { user } = await desk.open();
    await row('1');
    (await grid()).focus();
    const selected = async () => {
      const rows = await Promise.all(['1', '2', '3', '4'].map((id) => row(id)));
      return rows.map((one) => one.getAttribute('aria-selected') === 'true');
    };
    await user.keyboard(' ');
    await waitFor(async () => expect(await selected()).toEqual([true, false, false, false]));
    await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    await waitFor(async () => expect(await selected()).toEqual([true, true, true, false]));
    await user.keyboard('{Control>}');
    await user.click(await row('2'));
    await user.keyboard('{/Control}');
    await waitFor(async () => expect(await selected()).toEqual([true, false, true, false]));
    expect(await screen.findByText('2 selected')).toBeTruthy();
    await user.keyboard('{Control>}a{/Control}');
    expect(await screen.findByText('All 4 that match selected')).toBeTruthy();
    // One of all taken away again leaves the others.
    await user.keyboard(' ');
    await waitFor(async () => expect(await selected()).toEqual([true, false, true, true]));
    await user.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(async () => expect(await selected()).toEqual([false, false, false, false]));
  });

  it('reads only the pages that are looked at', async () => {
    await desk.newArchive(
      Array.from({ length: 1_000 }, (_, i) => [`N-${i + 1}`, null, null, null, null, null]),
    );
    const { service } = await desk.open('?columns=revisionId,INVOICENO');
    await row('1');
    const list = await grid();
    expect(list.getAttribute('aria-rowcount')).toBe('1001');
    list.scrollTo({ top: 700 * 31 });
    expect((await row('705')).textContent).toContain('N-705');
    const offsets = service.calls
      .filter(({ url }) => url.includes('/index?'))
      .map(({ url }) => new URL(url, 'http://x').searchParams.get('offset'));
    expect(new Set(offsets)).toEqual(new Set(['0', '600', '700']));
  });

  it('opens the form of a revision that the filter leaves out', { tags: ['long'] }, async () => {
    await desk.open('?q=nothing+like+it&selected=2');
    expect(await screen.findByText('No revision matches')).toBeTruthy();
    expect(await form('2')).toBeTruthy();
  });

  it(
    'says what is wrong with a filter and leads back to all revisions',
    { tags: ['long'] },
    async () => {
      const { user } = await desk.open('?where[NOSUCH][eq]=1');
      await waitFor(() => expect(screen.queryAllByText(/no field NOSUCH/i)).not.toEqual([]));
      // The open filter strip, which cannot complete such a condition, leaves it in the address.
      const strip = await screen.findByRole('region', { name: 'Filter' });
      expect(within(strip).getByText('There is no such field.')).toBeTruthy();
      await user.click(await screen.findByRole('button', { name: 'Show all revisions' }));
      expect(await row('1')).toBeTruthy();
    },
  );

  it('says that an archive is empty, and waits for a server that is away', async () => {
    await desk.newArchive([]);
    const { service } = await desk.open();
    expect(await screen.findByText('This archive is empty')).toBeTruthy();
    // Calls that are still under way have no status.
    expect(service.calls.filter(({ status }) => status !== null && status !== 200)).toEqual([]);
    const list = within(screen.getByRole('region', { name: 'Revisions' }));
    const links = list.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/administration/load-documents', '/administration/load']);
  });

  it('says who fills an empty archive to those who may not', async () => {
    await desk.newArchive([]);
    await desk.open('', await desk.userWith('read'));
    expect(await screen.findByText(/Administrators load them/)).toBeTruthy();
  });
});
