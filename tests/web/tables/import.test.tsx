/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openGrids } from './open-grids.tsx';

const grids = await openGrids();

/** Opens a table, and the import of a file with three columns, of which the last is none of the table. */
async function openImport() {
  const page = await grids.open();
  const { user } = page;
  await user.click(screen.getByRole('button', { name: 'Spreadsheet' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Import a spreadsheet…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import a spreadsheet' });
  const input = dialog.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('There is no input for a file.');
  const choose = (name: string) =>
    user.upload(input, new File(['Code;Name;Remark\r\nA-1;Screw;new\r\n'], name));
  await choose('parts.csv');
  const remark = await within(dialog).findByRole('combobox', { name: 'Mapping of Remark' });
  const map = async (label: string) => {
    await user.clear(remark);
    await user.type(remark, `${label}{Enter}`);
  };
  return { ...page, dialog, choose, remark, map };
}

test(
  'two columns that are mapped to one column leave the mapping on the screen, with the error',
  { tags: ['long'] },
  async () => {
    const { user, service, dialog, remark, map } = await openImport();
    const release = service.hold('POST', 'inspections');
    await map('Name');
    await screen.findByLabelText('Reading the file');
    expect(document.activeElement).toBe(remark);
    release();
    await within(dialog).findByText('Two columns are mapped to the same field.');
    expect(remark).toHaveProperty('value', 'Name');
    expect(document.activeElement).toBe(remark);
    expect(remark.getAttribute('aria-invalid')).toBe('true');

    await map('Note');
    const preview = within(dialog).getByRole('button', { name: /^Preview/ });
    await waitFor(() => expect(preview.getAttribute('aria-disabled')).toBeNull());
    expect(within(dialog).queryByRole('alert')).toBeNull();
    await user.click(preview);
    const plan = await screen.findByRole('dialog', { name: 'Import' });
    await user.click(await within(plan).findByRole('button', { name: 'Back to the columns' }));
    expect(await screen.findByRole('combobox', { name: 'Mapping of Remark' })).toHaveProperty(
      'value',
      'Note',
    );
  },
);

test('an import is asked about before it is closed with choices, and kept if the answer is no', async () => {
  const { user, map } = await openImport();
  await map('Note');
  await user.keyboard('{Escape}');
  const question = await screen.findByRole('dialog', { name: 'Discard unsaved changes?' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(question.isConnected).toBe(false));
  screen.getByRole('dialog', { name: 'Import a spreadsheet' });
});

test('another file is asked about before it replaces the mapping', async () => {
  const { user, dialog, choose, remark, map } = await openImport();
  await map('Note');
  await choose('others.csv');
  await screen.findByRole('dialog', { name: 'Discard unsaved changes?' });
  expect(remark).toHaveProperty('value', 'Note');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await within(dialog).findByText('others.csv');
  await waitFor(() =>
    expect(within(dialog).getByRole('combobox', { name: 'Mapping of Remark' })).not.toHaveProperty(
      'value',
      'Note',
    ),
  );
});

test('a file that could not be read is read again on demand', { tags: ['long'] }, async () => {
  const { user, service, dialog, choose } = await openImport();
  service.answerInstead('POST', () => new Response('Bad gateway', { status: 502 }));
  await choose('others.csv');
  await user.click(await within(dialog).findByRole('button', { name: 'Try again' }));
  await within(dialog).findByRole('combobox', { name: 'Mapping of Remark' });
  expect(within(dialog).queryByRole('alert')).toBeNull();
});
