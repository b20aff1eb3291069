/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { draftStorage } from '#web/features/index-form/draft-storage.ts';
import { openDesk } from '../archive/desk.tsx';
import { PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const desk = await openDesk();
beforeEach(() => sessionStorage.clear());

const card = (id: string) => screen.findByRole('row', { name: new RegExp(`^Revision ${id},`) });
const editor = async (id: string) =>
  within(await card(id)).findByRole('textbox', { name: `Amount of revision ${id}` });
const open = async () => {
  const page = await desk.open(`/fields/AMOUNT?sort=-AMOUNT`);
  await screen.findByRole('grid', { name: 'Amount of each record' });
  return page;
};
const progress = (text: string) => screen.findByText(text, { selector: '[role=status]' });
const focusedCard = () => document.activeElement?.getAttribute('aria-label');

it('Space marks a value as right, typing corrects it, and Ctrl+Z undoes both', async () => {
  const { user, writes } = await open();
  await editor('2');
  await waitFor(() => expect(focusedCard()).toBe('Revision 2, Amount'));
  await within(await card('2')).findByText('No document');
  await user.keyboard(' ');
  expect(focusedCard()).toBe('Revision 1, Amount');
  await progress('1 right · 0 corrected');
  await user.keyboard('12.75{Enter}');
  await waitFor(() => expect(focusedCard()).toBe('Revision 4, Amount'));
  await progress('1 right · 1 corrected');
  expect(await editor('1')).toHaveProperty('value', '12.75');
  await within(await card('1')).findByText('10.50');
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  expect(focusedCard()).toBe('Revision 1, Amount: corrected');
  await user.keyboard('{Control>}z{/Control}');
  await progress('1 right · 0 corrected');
  expect(await editor('1')).toHaveProperty('value', '10.50');
  await user.keyboard('{Control>}z{/Control}');
  await progress('0 right · 0 corrected');
  expect(focusedCard()).toBe('Revision 2, Amount');
  await user.keyboard('{Control>}{Shift>}z{/Shift}{/Control}');
  await progress('1 right · 0 corrected');
  await user.keyboard('7x{Escape}');
  expect(focusedCard()).toBe('Revision 2, Amount: right');
  expect(writes()).toEqual([]);
});

it(
  'Corrections are previewed and applied as a bulk edit; what was typed is kept until then',
  { tags: ['long'] },
  async () => {
    const first = await open();
    await first.user.click(await editor('1'));
    await first.user.clear(await editor('1'));
    await first.user.keyboard('x{Enter}');
    await within(await card('1')).findByRole('alert');
    await first.user.keyboard('{Control>}{Enter}{/Control}');
    await screen.findByText('Correct the value of revision 1 first.');
    await waitFor(() => expect(focusedCard()).toBe('Revision 1, Amount: corrected'));
    await first.user.keyboard('12.75{Enter}');
    await first.user.click(await editor('4'));
    await first.user.clear(await editor('4'));
    await first.user.keyboard('{Enter}');
    await progress('0 right · 2 corrected');
    await waitFor(async () =>
      expect(await draftStorage().read('anna', desk.table())).toHaveLength(2),
    );
    first.unmount();

    const { user } = await open();
    await progress('0 right · 2 corrected');
    expect(await editor('1')).toHaveProperty('value', '12.75');
    await desk.changeElsewhere('4', { SUPPLIER: 'Somebody' });
    await user.click(screen.getByRole('button', { name: /^Preview 2 corrections/ }));
    const dialog = within(await screen.findByRole('dialog'));
    const apply = await dialog.findByRole('button', { name: 'Change 1 revision' });
    await waitFor(() => expect(isDisabled(apply)).toBe(false));
    await user.click(apply);
    await dialog.findByText('1 revision changed');
    await user.keyboard('{Escape}');
    await progress('1 right · 1 corrected');
    expect((await desk.stored('1')).values[2]).toBe(12.75);
    expect((await desk.stored('4')).values[2]).toBe(7);
  },
);

it('Space does not pass a record that is not loaded yet', async () => {
  let readOn = () => {};
  const { user } = await desk.open('/fields/AMOUNT?sort=-AMOUNT', 'anna', (service) => {
    readOn = service.hold('GET', '/documents/2');
  });
  await card('2');
  await waitFor(() => expect(focusedCard()).toBe('Revision 2, Amount'));
  await user.keyboard(' ');
  expect(focusedCard()).toBe('Revision 2, Amount');
  readOn();
  await editor('2');
  await user.keyboard(' ');
  expect(focusedCard()).toBe('Revision 1, Amount');
  await progress('1 right · 0 corrected');
});

/** The review of the first field, which is renamed after something was typed into it for revision 1. */
async function openRenamed() {
  await desk.renameField('NOTE', 'REMARK');
  const page = await desk.open('/fields/-');
  const note = async (id: string) =>
    within(await card(id)).findByRole('textbox', { name: `Note of revision ${id}` });
  await page.user.type(await note('1'), 'x');
  await desk.renameField('REMARK', 'COMMENT');
  await page.queryClient.invalidateQueries();
  await waitFor(async () => expect(await note('1')).toHaveProperty('value', 'one\ntwo  '));
  return { ...page, note };
}

it('A value can be removed where something was typed before the field was renamed', async () => {
  const { user, note } = await openRenamed();
  await progress('0 right · 0 corrected');
  await user.clear(await note('1'));
  await progress('0 right · 1 corrected');
  expect(await note('1')).toHaveProperty('value', '');
});

it('What was typed into a field that was renamed since is no correction of the new one', async () => {
  const { user, note } = await openRenamed();
  await user.type(await note('3'), 'y');
  await user.click(screen.getByRole('button', { name: /^Preview 1 correction/ }));
  const dialog = within(await screen.findByRole('dialog'));
  const apply = await dialog.findByRole('button', { name: 'Change 1 revision' });
  await waitFor(() => expect(isDisabled(apply)).toBe(false));
  await user.click(apply);
  await dialog.findByText('1 revision changed');
  expect((await desk.stored('1')).values[0]).toBe('one\r\ntwo  ');
  expect((await desk.stored('3')).values[0]).toBe('y');
});

/** The review of a field that is looked up in a table of four firms. */
async function openLookUp() {
  const { app, database } = desk.service;
  const firms = await buildTable(database, [{ name: 'NO', unique: true }, { name: 'NAME' }]);
  await buildRecords(
    database,
    firms,
    ['70310', '70311', '70140', '70141'].map((no) => [no, `Firm ${no}`]),
  );
  const archive = await buildArchive(database, [
    {
      name: 'SUPPLIERNO',
      label: 'Supplier no.',
      optionsFrom: { table: firms.name, column: 'NO', fills: { SUPPLIER: 'NAME' } },
    },
    { name: 'SUPPLIER', label: 'Supplier', maxLength: 60 },
  ]);
  await buildRecords(database, archive, [
    ['1', 'A'],
    ['2', 'B'],
    ['70141', 'C'],
  ]);
  const page = await renderApp(app, `/archives/${archive.name}/fields/SUPPLIERNO`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const number = async (id: string) =>
    within(await card(id)).findByRole('combobox', { name: `Supplier no. of revision ${id}` });
  for (const id of ['1', '2', '3']) await number(id);
  await waitFor(() => expect(focusedCard()).toMatch(/^Revision/));
  return { ...page, number, archive };
}

it(
  'Enter in a look-up after the field that it fills in was renamed empties none of the earlier records',
  { tags: ['long'] },
  async () => {
    const { user, number, queryClient, archive } = await openLookUp();
    const root = new ArchiveAdministration(desk.root, archive.name);
    await user.keyboard('70310{Enter}');
    await waitFor(() => expect(focusedCard()).toBe('Revision 2, Supplier no.'));
    await root.rename('SUPPLIER', 'FIRM');
    await queryClient.invalidateQueries();
    await user.click(await number('2'));
    await user.clear(await number('2'));
    await user.keyboard('70311{Enter}');
    await progress('0 right · 2 corrected');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const dialog = within(await screen.findByRole('dialog'));
    const apply = await dialog.findByRole('button', { name: 'Change 2 revisions' });
    await waitFor(() => expect(isDisabled(apply)).toBe(false));
    await user.click(apply);
    await dialog.findByText('2 revisions changed');
    expect(await root.values('1')).toEqual({ FIRM: 'A', SUPPLIERNO: '70310' });
    expect(await root.values('2')).toEqual({ FIRM: 'Firm 70311', SUPPLIERNO: '70311' });
  },
);

it('Enter in a look-up moves to the next record: it takes the first option, or what is typed if none is there yet', async () => {
  const { user, number, service } = await openLookUp();
  await user.keyboard('7031');
  // Those of an earlier text are shown as well, but none of them is selected.
  await screen.findByRole('option', { name: /Firm 70310/, selected: true });
  const readOn = service.hold('GET');
  await user.keyboard('{Enter}70311{Enter}70140{Enter}');
  expect(focusedCard()).toBe('Revision 3, Supplier no.: corrected');
  readOn();
  await progress('0 right · 3 corrected');
  expect(await number('1')).toHaveProperty('value', '70310');
  expect(await number('2')).toHaveProperty('value', '70311');
  expect(await number('3')).toHaveProperty('value', '70140');
});

it('Enter in a look-up before its options are there fills in what goes with the typed value, as one step', async () => {
  const { user, service } = await openLookUp();
  const readOn = service.hold('GET');
  await user.keyboard('70311{Enter}70140{Enter}');
  expect(focusedCard()).toBe('Revision 3, Supplier no.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(screen.queryByRole('dialog')).toBeNull();
  readOn();
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Firm 70311');
  await dialog.findByText('Firm 70140');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(await card('2'));
  await user.keyboard('{Control>}z{/Control}');
  await progress('0 right · 1 corrected');
  await user.keyboard('{Control>}{Shift>}z{/Shift}{Enter}{/Control}');
  await within(await screen.findByRole('dialog')).findByText('Firm 70140');
});

it('Escape in a look-up fills in nothing', async () => {
  const { user, number } = await openLookUp();
  await user.type(await number('3'), '9{Escape}');
  await user.click(await card('1'));
  await user.keyboard('70140{Enter}{Control>}{Enter}{/Control}');
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('Firm 70140');
  expect(dialog.queryByText('Firm 70141')).toBeNull();
});
