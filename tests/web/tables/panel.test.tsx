/** @module-tag slow */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

type Page = Awaited<ReturnType<typeof grids.open>>;

const formOf = (jrid: string) => screen.findByRole('region', { name: `Record ${jrid}` });

function editor(form: HTMLElement, label: string): HTMLElement {
  const found = form.querySelector(`[data-column="${label.toLowerCase()}"]`);
  const input = found?.querySelector<HTMLElement>('textarea, input:not([type=radio])');
  if (!input) throw new Error(`There is no editor of ${label}.`);
  return input;
}

async function retype({ user }: Page, form: HTMLElement, label: string, text: string) {
  await user.click(editor(form, label));
  await user.clear(editor(form, label));
  await user.type(editor(form, label), text);
}

const change = async ({ path }: Page, jrid: string, dataset: object) => {
  const { status } = await grids.root.put(`${path}/${jrid}`, { dataset });
  expect(status).toBe(200);
};

describe('the form of a record', () => {
  test(
    'Ctrl+I opens the focused row, with the keyboard in it; Escape and Ctrl+I lead back',
    { tags: ['long'] },
    async () => {
      const page = await grids.open();
      await page.focus(1, COL.name);
      await page.user.keyboard('{Control>}i{/Control}');
      const form = await formOf('2');
      await waitFor(() => expect(document.activeElement).toBe(editor(form, 'Code')));
      expect(editor(form, 'Name')).toHaveProperty('value', 'Nut');
      expect(within(form).getByText('Row 2 of 3')).toBeDefined();
      await page.user.keyboard('{Escape}');
      await waitFor(() => expect(document.activeElement).toBe(page.cell(1, COL.name)));
      await page.user.keyboard('{Control>}i{/Control}');
      await waitFor(() => expect(document.activeElement).toBe(editor(form, 'Code')));
      await page.user.keyboard('{Control>}i{/Control}');
      await waitFor(() => expect(screen.queryByRole('region', { name: /^Dataset/ })).toBeNull());
      await waitFor(() => expect(document.activeElement).toBe(page.cell(1, COL.name)));
    },
  );

  test(
    'the button of a row and the one of the foot open it too, and choose no row',
    { tags: ['long'] },
    async () => {
      const { user, cell, foot, focus } = await grids.open();
      await user.hover(cell(2, 0));
      await user.click(within(cell(2, 0)).getByTitle(/^Open the row as a form/));
      await formOf('3');
      expect(foot().queryByText(/selected/)).toBeNull();
      await user.click(screen.getByRole('button', { name: 'Close the form' }));
      await focus(0, COL.note);
      await user.click(foot().getByRole('button', { name: 'Form' }));
      await formOf('1');
    },
  );

  test(
    'is named in the address; the focused row follows it, and it follows the row',
    { tags: ['long'] },
    async () => {
      const { user, focus, grid } = await grids.open({ search: '?selected=2' });
      await formOf('2');
      const current = () => grid.querySelector('[data-current]')?.getAttribute('data-row');
      await waitFor(() => expect(current()).toBe('1'));
      await focus(2, COL.code);
      await formOf('3');
      await user.keyboard('{ArrowUp}');
      await formOf('2');
    },
  );

  test(
    'Alt+↓ and Alt+↑ go along the list, from field to same field, and stop at its ends',
    { tags: ['long'] },
    async () => {
      const page = await grids.open({ search: '?selected=3&sort=-code' });
      const { user } = page;
      let form = await formOf('3');
      await waitFor(() => expect(within(form).getByText('Row 1 of 3')).toBeDefined());
      await user.click(editor(form, 'Pieces'));
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      form = await formOf('2');
      await waitFor(() => expect(document.activeElement).toBe(editor(form, 'Pieces')));
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      form = await formOf('1');
      await waitFor(() => expect(document.activeElement).toBe(editor(form, 'Pieces')));
      await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
      expect(within(form).getByRole('button', { name: 'Next record' })).toHaveProperty(
        'disabled',
        true,
      );
      await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
      await formOf('2');
    },
  );

  test(
    'a column that the user may only read is changed neither in the form nor in the grid',
    { tags: ['long'] },
    async () => {
      const { typeInto, text } = await grids.open({
        search: '?selected=1',
        before: async ({ username, guid }) => {
          const rights = { tables: { [guid]: { right: 'write', fields: { name: 'read' } } } };
          const { status } = await grids.root.patch(`configuration/users/${username}`, {
            user: { rights },
          });
          expect(status).toBe(200);
        },
      });
      const form = await formOf('1');
      expect(editor(form, 'Name')).toHaveProperty('readOnly', true);
      expect(editor(form, 'Code')).toHaveProperty('readOnly', false);
      await typeInto(0, COL.name, 'x{Enter}');
      await typeInto(0, COL.name, '{Delete}');
      expect(text(0, COL.name)).toBe('Bolt');
    },
  );

  test('who may only read sees it and changes nothing', { tags: ['long'] }, async () => {
    const { user, text } = await grids.open({ access: 'read', search: '?selected=1' });
    const form = await formOf('1');
    expect(editor(form, 'Name')).toHaveProperty('readOnly', true);
    expect(within(form).queryByRole('button', { name: 'Delete…' })).toBeNull();
    await user.click(within(form).getByRole('button', { name: 'History' }));
    await within(form).findByRole('list', { name: '' });
    expect(within(form).queryByRole('button', { name: /^Restore/ })).toBeNull();
    expect(text(0, COL.name)).toBe('Bolt');
  });
});

describe('writing in the form', () => {
  test('a value is saved when its field is left, shown in the grid, and sent alone', async () => {
    const page = await grids.open({ search: '?selected=1' });
    const form = await formOf('1');
    await retype(page, form, 'Name', 'Screw');
    expect(page.writes()).toEqual([]);
    await page.user.tab();
    await waitFor(() => expect(page.text(0, COL.name)).toBe('Screw'));
    await page.foot().findByText('Saved');
    expect((await page.stored())[0]).toMatchObject({ name: 'Screw', note: 'one\r\ntwo' });
    expect(page.writes()).toMatchObject([{ body: { dataset: { name: 'Screw' } } }]);
    // And what is typed in the grid stands in the form, which goes along with the row.
    await page.typeInto(0, COL.pieces, '12{Tab}');
    await waitFor(() => expect(editor(form, 'Pieces')).toHaveProperty('value', '12'));
  });

  test('text that cannot be read is reported in both places, and corrected or restored from either', async () => {
    const page = await grids.open({ search: '?selected=2' });
    const form = await formOf('2');
    await retype(page, form, 'Pieces', 'many{Enter}');
    await page.foot().findByText(/1 entry is not saved/);
    expect(page.cell(1, COL.pieces).getAttribute('aria-invalid')).toBe('true');
    expect(editor(form, 'Pieces').getAttribute('aria-invalid')).toBe('true');
    expect(editor(form, 'Pieces')).toHaveProperty('value', 'many');
    expect(page.writes()).toEqual([]);
    await page.user.click(within(form).getByRole('button', { name: 'Restore Pieces' }));
    expect(page.cell(1, COL.pieces).getAttribute('aria-invalid')).toBeNull();
    expect(editor(form, 'Pieces')).toHaveProperty('value', '7');
  });

  test('Escape undoes what is typed, and leaving for another record does not', async () => {
    const page = await grids.open({ search: '?selected=1' });
    let form = await formOf('1');
    await retype(page, form, 'Pieces', '99{Escape}');
    expect(editor(form, 'Pieces')).toHaveProperty('value', '5');
    await retype(page, form, 'Name', 'Right{Alt>}{ArrowDown}{/Alt}');
    form = await formOf('2');
    expect(editor(form, 'Name')).toHaveProperty('value', 'Nut');
    await page.foot().findByText('Saved');
    expect((await page.stored()).map(({ name }) => name)).toEqual(['Right', 'Nut', 'Ring']);
  });

  test('nothing typed is lost where the form is closed under one’s fingers', async () => {
    const page = await grids.open({ search: '?selected=1' });
    const form = await formOf('1');
    await retype(page, form, 'Name', 'Kept');
    fireEvent.click(within(form).getByRole('button', { name: 'Close the form' }));
    await waitFor(() => expect(page.text(0, COL.name)).toBe('Kept'));
    await page.foot().findByText('Saved');
    expect((await page.stored())[0]).toMatchObject({ name: 'Kept' });
  });

  test('choices are saved at once', { tags: ['long'] }, async () => {
    const page = await grids.open({ search: '?selected=1' });
    const form = await formOf('1');
    await page.user.click(within(form).getByRole('radio', { name: 'No' }));
    await waitFor(() => expect(page.text(0, COL.active)).toBe('No'));
    await page.user.click(editor(form, 'State'));
    await page.user.click(await screen.findByRole('option', { name: 'closed' }));
    await waitFor(() => expect(page.text(0, COL.state)).toBe('closed'));
    await page.foot().findByText('Saved');
    expect((await page.stored())[0]).toMatchObject({ active: false, state: 'closed' });
  });

  test('a conflict is shown and settled in the form', { tags: ['long'] }, async () => {
    const page = await grids.open({ search: '?selected=1' });
    const form = await formOf('1');
    await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Bolt'));
    await change(page, '1', { name: 'Theirs' });
    await retype(page, form, 'Name', 'Mine{Enter}');
    await page.user.click(await within(form).findByRole('radio', { name: 'Yours Mine' }));
    expect(page.cell(0, COL.name).getAttribute('aria-invalid')).toBe('true');
    await page.user.click(within(form).getByRole('button', { name: 'Save with this value' }));
    await page.foot().findByText('Saved');
    expect((await page.stored())[0]).toMatchObject({ name: 'Mine' });
  });

  test(
    'a record that the filter leaves out is shown and changed all the same',
    { tags: ['long'] },
    async () => {
      const page = await grids.open({ search: '?selected=1&where[code][eq]=A-2' });
      const form = await formOf('1');
      expect(within(form).queryByText(/^Row /)).toBeNull();
      await retype(page, form, 'Name', 'Unlisted{Enter}');
      await page.foot().findByText('Saved');
      expect((await page.stored())[0]).toMatchObject({ name: 'Unlisted' });
      expect(editor(form, 'Name')).toHaveProperty('value', 'Unlisted');
    },
  );
});

describe('the history of a record', () => {
  const openHistory = async ({ user }: Page, form: HTMLElement) => {
    const history = within(form).getByRole('region', { name: 'History' });
    await user.click(within(history).getByRole('button', { name: 'History' }));
    return history;
  };

  test('shows who changed what; one value is restored', { tags: ['long'] }, async () => {
    const page = await grids.open();
    await change(page, '1', { name: 'Second', pieces: 9 });
    await page.focus(0, COL.name);
    await page.user.keyboard('{Control>}i{/Control}');
    const form = await formOf('1');
    await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Second'));
    const history = await openHistory(page, form);
    await within(history).findByText('root');
    expect(history.textContent).toMatch(/Changed.*NameBolt→ becomes Second/);
    await page.user.click(
      within(history).getByRole('button', { name: /^Restore Name as it was before/ }),
    );
    await page.foot().findByText('Saved');
    expect((await page.stored())[0]).toMatchObject({ name: 'Bolt', pieces: 9 });
    expect(page.text(0, COL.name)).toBe('Bolt');
    // The history goes on with it.
    await waitFor(() =>
      expect(within(history).getAllByRole('button', { name: /^Restore Name/ })).toHaveLength(2),
    );
  });

  test(
    'a whole state is restored, of all columns that changed since',
    { tags: ['long'] },
    async () => {
      const page = await grids.open();
      await change(page, '1', { name: 'Second', note: null });
      await change(page, '1', { name: 'Third', pieces: 9 });
      await change(page, '1', { name: 'Fourth', active: null });
      await page.focus(0, COL.name);
      await page.user.keyboard('{Control>}i{/Control}');
      const form = await formOf('1');
      await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Fourth'));
      const history = await openHistory(page, form);
      const states = await within(history).findAllByRole('button', { name: /^Restore this state/ });
      const second = states.at(1);
      if (!second) throw new Error('There is no second state.');
      await page.user.click(second);
      await page.foot().findByText('Saved');
      await waitFor(async () =>
        expect((await page.stored())[0]).toMatchObject({
          name: 'Second',
          note: null,
          pieces: 5,
          active: true,
        }),
      );
    },
  );
});

describe('links', () => {
  test(
    'addresses in a text open outside, and a value taken from a table leads to its record',
    { tags: ['long'] },
    async () => {
      let named = '';
      const page = await grids.open({
        columns: [
          { name: 'code', label: 'Code' },
          { name: 'firm', label: 'Firm', optionsFrom: { table: 'FIRMS', column: 'no' } },
          {
            name: 'rate',
            label: 'Rate',
            type: 'decimal',
            scale: 7,
            optionsFrom: { table: 'FIRMS', column: 'rate' },
          },
        ],
        rows: [['https://example.org/a, info@example.org', '7', 0.000_000_1]],
        beside: async (database) => {
          const firms = await buildTable(database, [{ name: 'no' }, { name: 'rate' }], 'FIRMS');
          await buildRecords(database, firms, [
            ['6', '0.0000001'],
            ['7', '2'],
          ]);
          named = firms.guid;
          return [rightOn(firms, 'read')];
        },
      });
      await page.focus(0, COL.code);
      await page.user.keyboard('{Control>}i{/Control}');
      const form = await formOf('1');
      const web = within(form).getByRole('link', { name: 'Open https://example.org/a' });
      expect(web.getAttribute('href')).toBe('https://example.org/a');
      expect(web.getAttribute('rel')).toContain('noopener');
      expect(web.getAttribute('target')).toBe('_blank');
      const mail = within(form).getByRole('link', { name: 'Write to info@example.org' });
      expect(mail.getAttribute('href')).toBe('mailto:info@example.org');
      // A number finds the text that is equal to it.
      const others = () => within(form).getAllByRole('link', { name: /^Show it in / });
      await waitFor(() =>
        expect(others().map((link) => link.getAttribute('href'))).toEqual([
          `/tables/${named}?selected=2`,
          `/tables/${named}?selected=1`,
        ]),
      );
      await page.user.click(others()[0] ?? form);
      await waitFor(() =>
        expect(editor(screen.getByRole('region', { name: 'Record 2' }), 'No')).toHaveProperty(
          'value',
          '7',
        ),
      );
    },
  );
});

describe('deleting', () => {
  const clickDelete = async ({ user }: Page, form: HTMLElement) => {
    await user.click(within(form).getByRole('button', { name: 'Delete…' }));
    return screen.findByRole('dialog');
  };

  test('says who holds its values; undone from the notice', { tags: ['long'] }, async () => {
    const page = await grids.open({
      search: '?selected=1',
      beside: async (database, table) => {
        const archive = await buildArchive(database, [
          { name: 'part', label: 'Part', optionsFrom: { table: table.name, column: 'CODE' } },
        ]);
        await buildRecords(database, archive, [['A-1'], ['A-1'], ['A-2']]);
        return [rightOn(archive, 'read')];
      },
    });
    const form = await formOf('1');
    const dialog = await clickDelete(page, form);
    await within(dialog).findByText(/^2 revisions of ARCHIVE_\w+ have A-1 in Part/);
    await page.user.click(within(dialog).getByRole('button', { name: 'Delete the record' }));
    await page.foot().findByText('1 record deleted.');
    await within(form).findByText(/^You deleted this record/);
    expect(await page.stored()).toHaveLength(2);
    const [deletion] = page.writes().filter(({ method }) => method === 'DELETE');
    expect(deletion?.body).toMatchObject({
      datasets: [{ jrid: '1', ifMatch: expect.any(String) }],
    });
    await page.user.click(page.foot().getByRole('button', { name: 'Undo the deletion' }));
    await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Bolt'));
    expect(await page.stored()).toHaveLength(3);
  });

  test('says of several together who holds one of their values', { tags: ['long'] }, async () => {
    const page = await grids.open({
      rows: [
        ['A,1\\\\', 'Bolt'],
        ['A-2', 'Nut'],
        ['A-3', 'Ring'],
      ],
      beside: async (database, table) => {
        const archive = await buildArchive(database, [
          { name: 'part', label: 'Part', optionsFrom: { table: table.name, column: 'CODE' } },
        ]);
        await buildRecords(database, archive, [['A,1\\\\'], ['A-2'], ['A-2'], ['A-3']]);
        return [rightOn(archive, 'read')];
      },
    });
    await page.user.click(page.cell(0, 0));
    await page.user.click(page.cell(1, 0));
    await page.user.click(page.foot().getByRole('button', { name: 'Delete…' }));
    const dialog = await screen.findByRole('dialog');
    const consequence = /^3 revisions of ARCHIVE_\w+ have one of these values in Part/;
    expect(await within(dialog).findByText(consequence)).toBeDefined();
  });

  test('one that was changed meanwhile is not deleted unseen', { tags: ['long'] }, async () => {
    const page = await grids.open({ search: '?selected=1' });
    const form = await formOf('1');
    await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Bolt'));
    await change(page, '1', { name: 'Theirs' });
    const dialog = await clickDelete(page, form);
    await within(dialog).findByText(/^None of the records that you can see uses its values/);
    await page.user.click(within(dialog).getByRole('button', { name: 'Delete the record' }));
    await within(dialog).findByText('Nothing was deleted');
    expect(await page.stored()).toHaveLength(3);
    await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Theirs'));
  });

  test(
    'later it is brought back from its history, by who deleted it',
    { tags: ['long'] },
    async () => {
      const page = await grids.open({ search: '?selected=2' });
      const form = await formOf('2');
      const dialog = await clickDelete(page, form);
      await page.user.click(within(dialog).getByRole('button', { name: 'Delete the record' }));
      const restore = await within(form).findByRole('button', { name: 'Restore the record' });
      await within(form).findByText('Deleted', { exact: true });
      await page.user.click(restore);
      await waitFor(() => expect(editor(form, 'Name')).toHaveProperty('value', 'Nut'));
      expect((await page.stored()).map(({ name }) => name)).toEqual(['Bolt', 'Nut', 'Ring']);
      // The notice does not offer what is done: that would delete it again.
      await waitFor(() =>
        expect(page.foot().queryByRole('button', { name: 'Undo the deletion' })).toBeNull(),
      );
    },
  );

  test(
    'what somebody else deleted is shown with its history alone',
    { tags: ['long'] },
    async () => {
      const page = await grids.open();
      const { status } = await grids.root.send('DELETE', page.path, { datasets: [{ jrid: '2' }] });
      expect(status).toBe(204);
      await page.focus(1, COL.name);
      await page.user.keyboard('{Control>}i{/Control}');
      const form = await formOf('2');
      await within(form).findByText(/^root deleted this record/);
      expect(within(form).queryByRole('button', { name: 'Restore the record' })).toBeNull();
      expect(within(form).getByRole('region', { name: 'History' }).textContent).toContain('Nut');
    },
  );
});

test('text typed into a cell stays there when the form follows', { tags: ['long'] }, async () => {
  const page = await grids.open({ search: '?selected=1' });
  const { user } = page;
  await user.click(editor(await formOf('1'), 'Name'));
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  const next = await formOf('2');
  await waitFor(() => expect(document.activeElement).toBe(editor(next, 'Name')));
  await page.focus(2, COL.pieces);
  await user.keyboard('12');
  await formOf('3');
  await user.keyboard('34{Enter}');
  await waitFor(async () => expect((await page.stored())[2]).toMatchObject({ pieces: 1234 }));
});

/** Three pages of the list: the first ends with row 100. */
const MANY_ROWS = Array.from({ length: 250 }, (_, i) => [
  `R-${i + 1}`,
  'x',
  null,
  i,
  null,
  null,
  null,
]);

test(
  'a form that was closed while the next record was read stays closed',
  { tags: ['long'] },
  async () => {
    const page = await grids.open({ rows: MANY_ROWS });
    const { user, service, search } = page;
    await page.focus(0, COL.name);
    const readOn = service.hold('GET');
    await user.keyboard('{Control>}g{/Control}100{Enter}{Control>}i{/Control}');
    await user.click(editor(await formOf('100'), 'Name'));
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await user.click(screen.getByRole('button', { name: 'Close the form' }));
    await waitFor(() => expect(search()['selected']).toBeUndefined());
    readOn();
    await waitFor(() => expect(page.grid.textContent).toContain('R-101'));
    expect(search()['selected']).toBeUndefined();
  },
);

test('the form of a record that is read late leaves the focus in another input', async () => {
  const { user, service, focus } = await grids.open({ rows: MANY_ROWS });
  await focus(0, COL.name);
  const readOn = service.hold('GET');
  await user.keyboard('{Control>}g{/Control}100{Enter}{Control>}i{/Control}');
  await user.click(editor(await formOf('100'), 'Name'));
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await user.click(screen.getByRole('button', { name: /^Go to row/ }));
  const goTo = await screen.findByRole('textbox', { name: 'Go to row' });
  await user.type(goTo, '1');
  readOn();
  await formOf('101');
  await user.keyboard('2');
  expect(goTo).toHaveProperty('value', '12');
});

test(
  'a next record that cannot be read is reported, and read when the user tries again',
  { tags: ['long'] },
  async () => {
    const page = await grids.open({ rows: MANY_ROWS });
    const { user, service } = page;
    await page.focus(0, COL.name);
    const answerAgain = service.failReads('offset=100');
    await user.keyboard('{Control>}g{/Control}100{Enter}{Control>}i{/Control}');
    await user.click(editor(await formOf('100'), 'Name'));
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    const notice = (await screen.findByText(/^Row 101 could not be read\./)).parentElement;
    await formOf('100');
    answerAgain();
    await user.click(within(notice ?? document.body).getByRole('button', { name: 'Try again' }));
    const next = await formOf('101');
    await waitFor(() => expect(document.activeElement).toBe(editor(next, 'Name')));
  },
);
