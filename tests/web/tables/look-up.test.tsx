/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { buildRecords, buildTable, type FieldInput, rightOn } from '#tests/support/builders.ts';
import { openGrids } from './open-grids.tsx';

const grids = await openGrids();
const FIRM = 2;
const NAME = 3;

let tables = 0;

/** A table whose firms are looked up in another one. @param more columns at its end */
const open = (name: Partial<FieldInput> = {}, more: readonly FieldInput[] = []) => {
  const table = `FIRMS_${++tables}`;
  return grids.open({
    columns: [
      { name: 'code', label: 'Code' },
      {
        name: 'firm',
        label: 'Firm',
        optionsFrom: { table, column: 'no', fills: { name: 'name', town: 'town', land: 'land' } },
      },
      { name: 'name', label: 'Name', ...name },
      { name: 'town', label: 'Town' },
      { name: 'land', label: 'Country' },
      ...more,
    ],
    rows: [
      [
        'A-1',
        null,
        name.required ? 'First' : null,
        null,
        null,
        ...more.map(({ required }) => (required ? 'First' : null)),
      ],
    ],
    beside: async (database) => {
      const columns = [{ name: 'no' }, { name: 'name' }, { name: 'town' }, { name: 'land' }];
      const firms = await buildTable(database, columns, table);
      await buildRecords(database, firms, [
        ['12', 'Nut & Co.', 'Bonn', 'DE'],
        ['123', 'Bolt Ltd.', 'Wien', 'AT'],
      ]);
      return [rightOn(firms, 'read')];
    },
  });
};

it('stores a value as typed, though the record found for its beginning is still offered', async () => {
  const page = await open();
  await page.typeInto(0, FIRM, '12');
  const options = () => screen.queryAllByRole('option', { hidden: true, selected: true });
  await waitFor(() =>
    expect(options().map(({ textContent }) => textContent)).toEqual(['12Nut & Co. · Bonn · DE']),
  );
  const release = page.service.hold('GET');
  await page.user.keyboard('3{Enter}');
  release();
  await page.user.keyboard('{ArrowUp}');
  await page.foot().findByText('Saved');
  expect(await page.stored()).toMatchObject([{ firm: '123' }]);
});

describe('a value that is confirmed before its record is read', () => {
  it('fills the other cells as a choice does, in one undo step', async () => {
    const page = await open();
    const release = page.service.hold('GET');
    await page.typeInto(0, FIRM, '123{Enter}');
    await page.foot().findByText('Saved');
    expect(await page.stored()).toMatchObject([{ firm: '123', name: null }]);
    release();
    await waitFor(async () =>
      expect(await page.stored()).toMatchObject([{ firm: '123', name: 'Bolt Ltd.', town: 'Wien' }]),
    );
    await page.user.keyboard('{Control>}z{/Control}');
    await waitFor(async () =>
      expect(await page.stored()).toMatchObject([{ firm: null, name: null, town: null }]),
    );
    await page.user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    await waitFor(async () =>
      expect(await page.stored()).toMatchObject([{ firm: '123', name: 'Bolt Ltd.', town: 'Wien' }]),
    );
  });

  it(
    'leaves cells that were changed meanwhile, or are being edited',
    { tags: ['long'] },
    async () => {
      const page = await open();
      const release = page.service.hold('GET');
      await page.typeInto(0, FIRM, '123{Tab}By hand{Tab}B');
      release();
      await waitFor(async () => expect(await page.stored()).toMatchObject([{ land: 'AT' }]));
      await page.user.keyboard('erlin{Enter}');
      await waitFor(async () =>
        expect(await page.stored()).toMatchObject([
          { firm: '123', name: 'By hand', town: 'Berlin' },
        ]),
      );
    },
  );

  it('fills none if the value was changed meanwhile', async () => {
    const page = await open();
    const release = page.service.hold('GET');
    await page.typeInto(0, FIRM, '123{Enter}{ArrowUp}12{Enter}');
    release();
    await waitFor(async () =>
      expect(await page.stored()).toMatchObject([{ firm: '12', name: 'Nut & Co.', town: 'Bonn' }]),
    );
  });

  it(
    'completes a new row that was left, and belongs to its undo step',
    { tags: ['long'] },
    async () => {
      const page = await open({ required: true });
      const release = page.service.hold('GET');
      await page.typeInto(1, 1, 'A-2{Tab}123{Enter}{ArrowUp}{ArrowUp}');
      await waitFor(() => expect(page.cell(1, NAME).getAttribute('aria-invalid')).toBe('true'));
      release();
      await waitFor(async () =>
        expect(await page.stored()).toMatchObject([
          { code: 'A-1' },
          { code: 'A-2', firm: '123', name: 'Bolt Ltd.', town: 'Wien' },
        ]),
      );
    },
  );

  it('creates no row in which one still types', { tags: ['long'] }, async () => {
    const page = await open({}, [
      { name: 'pages', label: 'Pages', type: 'integer' },
      { name: 'floor', label: 'Floor', required: true },
    ]);
    const [pages, floor] = [6, 7];
    const release = page.service.hold('GET');
    await page.typeInto(1, FIRM, '123{Tab}{Tab}{Tab}{Tab}many{Tab}');
    expect(page.cell(1, pages).getAttribute('aria-invalid')).toBe('true');
    release();
    await waitFor(() => expect(page.cell(1, NAME).textContent).toBe('Bolt Ltd.'));
    expect(page.cell(1, floor).getAttribute('aria-invalid')).toBeNull();
  });

  it('belongs to the creation of its new row', async () => {
    const page = await open();
    const release = page.service.hold('GET');
    await page.typeInto(1, FIRM, '123{Enter}{ArrowUp}{ArrowUp}');
    await waitFor(async () => expect(await page.stored()).toHaveLength(2));
    release();
    await waitFor(async () =>
      expect((await page.stored())[1]).toMatchObject({ firm: '123', name: 'Bolt Ltd.' }),
    );
    await page.user.keyboard('{Control>}z{/Control}');
    await waitFor(async () => expect(await page.stored()).toHaveLength(1));
    await page.user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
    await waitFor(async () =>
      expect((await page.stored())[1]).toMatchObject({ firm: '123', name: 'Bolt Ltd.' }),
    );
  });
});

it('a value that is typed into the form of a record and left before its record is read fills the other fields', async () => {
  const page = await open();
  await page.focus(0, FIRM);
  await page.user.keyboard('{Control>}i{/Control}');
  const form = await screen.findByRole('region', { name: 'Record 1' });
  const field = (label: string) => within(form).findByRole('textbox', { name: label });
  const firm = await within(form).findByRole('combobox', { name: 'Firm' });
  const release = page.service.hold('GET');
  await page.user.type(firm, '123{Tab}{Tab}By');
  expect(document.activeElement).toBe(await field('Town'));
  await page.foot().findByText('Saved');
  release();
  await waitFor(async () =>
    expect(await page.stored()).toMatchObject([{ firm: '123', name: 'Bolt Ltd.', land: 'AT' }]),
  );
  await page.user.keyboard(' hand{Tab}');
  await waitFor(async () =>
    expect(await page.stored()).toMatchObject([{ firm: '123', town: 'By hand' }]),
  );
});

it('a value that is typed into the form of a record, which is closed at once, fills the other fields', async () => {
  const page = await open();
  await page.focus(0, FIRM);
  await page.user.keyboard('{Control>}i{/Control}');
  const form = await screen.findByRole('region', { name: 'Record 1' });
  const firm = await within(form).findByRole('combobox', { name: 'Firm' });
  const release = page.service.hold('GET');
  await page.user.type(firm, '123{Control>}i{/Control}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Record 1' })).toBeNull());
  await page.foot().findByText('Saved');
  release();
  await waitFor(async () =>
    expect(await page.stored()).toMatchObject([{ firm: '123', name: 'Bolt Ltd.', land: 'AT' }]),
  );
});
