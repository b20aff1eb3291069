/** @module-tag slow */
import { randomUUID } from 'node:crypto';
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildTable } from '#tests/support/builders.ts';
import { ArchiveAdministration } from '#tests/support/definitions-client.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { definedArchivesAnswer } from '#shared/contract/configuration-definitions.ts';

const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
await buildUser(database, { username: 'root', role: 'administrator' });

const CHECK = 'Create the archive and check the rows';
const FOR_DOCUMENTS = 'Create the archive and load its files';

async function openLoadData() {
  const page = await renderApp(app, '/administration/load', {
    as: { username: 'anna', password: PASSWORD },
  });
  const { user, container } = page;
  const upload = async (place: HTMLElement, ...files: File[]) => {
    const input = place.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('There is no input for a file.');
    await user.upload(input, files);
  };
  const choose = async (name: string) =>
    upload(container, new File([`Code;Sum\r\n${name};12\r\n`], `${name}.csv`));
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  return { ...page, upload, choose, press };
}

describe('another file that is chosen before the answer about the first', () => {
  const cases = sampled(1, [
    { held: 'archives', late: 'imports', button: CHECK, names: ['Early', 'Late'] },
    { held: 'imports', late: 'imports', button: CHECK, names: ['One', 'Two'] },
    { held: 'archives', late: 'archives', button: FOR_DOCUMENTS, names: ['Left', 'Right'] },
  ]);
  test.each(cases)('shows its own form ($held, $button)', async ({ held, late, button, names }) => {
    const { service, choose, press } = await openLoadData();
    const [first = '', second = ''] = names;
    const sentTo = (path: string) =>
      service.calls.find(({ method, url }) => method === 'POST' && url.endsWith(path));
    await screen.findByText(/^CSV, TSV/);
    await choose(first);
    await screen.findByDisplayValue(first);
    const release = service.hold('POST', held);
    await press(button);
    await waitFor(() => expect(sentTo(held)).toMatchObject({ status: null }));
    await choose(second);
    // The first archive is created: its columns are chosen.
    if (held === 'imports') await press('Discard');
    await screen.findByDisplayValue(second);
    release();
    await waitFor(() => expect(sentTo(late)).toMatchObject({ status: expect.any(Number) }));
    await press(CHECK);
    const job = await screen.findByRole('region', { name: 'What is loaded' });
    await within(job).findByRole('heading', { name: second });
  });
});

test('a file that could not be read is read again on demand', async () => {
  const { service, choose, press } = await openLoadData();
  await screen.findByText(/^CSV, TSV/);
  service.answerInstead('POST', () => new Response('Bad gateway', { status: 502 }));
  await choose('Again');
  await press('Try again');
  await screen.findByDisplayValue('Again');
  expect(screen.queryByRole('alert')).toBeNull();
});

test(
  'the columns of another separator are shown, also if something else is changed before they are read',
  { tags: ['long'] },
  async () => {
    const { user, service, choose } = await openLoadData();
    await screen.findByText(/^CSV, TSV/);
    await choose('Columns');
    await screen.findByDisplayValue('Columns');
    await user.selectOptions(screen.getByLabelText('Separator'), 'Comma');
    await screen.findByRole('checkbox', { name: 'Load the column Code;Sum' });
    const release = service.hold('POST', 'analyses');
    await user.selectOptions(screen.getByLabelText('Separator'), 'Semicolon');
    await user.selectOptions(screen.getByLabelText('Numbers and dates'), 'de-DE');
    release();
    await screen.findByRole('checkbox', { name: 'Load the column Sum' });
    expect(screen.getByLabelText('Name of Code')).toHaveProperty('value', 'CODE');
  },
);

test('a refused mapping says why at its column, and another target has a mapping of its own', async () => {
  const [first, second] = [
    await buildTable(database, [
      { name: 'CODE', label: 'Code' },
      { name: 'SUM_TOTAL', label: 'Gross' },
    ]),
    await buildTable(database, [{ name: 'CODE', label: 'Code' }]),
  ];
  const { user, container, upload, press } = await openLoadData();
  await screen.findByText(/^CSV, TSV/);
  await upload(container, new File(['Code;Sum total;Gross\r\nA-1;1;2\r\n'], 'Bills.csv'));
  await screen.findByDisplayValue('Bills');
  await user.click(screen.getByRole('radio', { name: 'An existing one' }));
  const choose = async (name: string, label: string) => {
    const select = await screen.findByRole('combobox', { name });
    await user.clear(select);
    await user.type(select, `${label}{Enter}`);
  };
  await choose('Archive or table', first.label);
  const sumTotal = await screen.findByRole('combobox', { name: 'Sum total goes to' });
  // The name that its header would have belongs to the column that another header names.
  expect(sumTotal).toHaveProperty('value', 'Not loaded');
  expect(screen.getByRole('combobox', { name: 'Gross goes to' })).toHaveProperty('value', 'Gross');
  await choose('Code goes to', 'Not loaded');
  await choose('Sum total goes to', 'Gross');
  await press('Check the rows');
  await screen.findByText('Two columns are mapped to the same field.');
  expect(screen.getByRole('combobox', { name: 'Gross goes to' }).getAttribute('aria-invalid')).toBe(
    'true',
  );
  await choose('Archive or table', second.label);
  await waitFor(() =>
    expect(screen.queryByText('Two columns are mapped to the same field.')).toBeNull(),
  );
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Code goes to' })).toHaveProperty('value', 'Code'),
  );
});

test('a length is sent by the key that creates the archive', async () => {
  const { user, service, choose } = await openLoadData();
  await screen.findByText(/^CSV, TSV/);
  await choose('Lengths');
  await screen.findByDisplayValue('Lengths');
  await user.clear(screen.getByLabelText('Length of Code'));
  await user.type(screen.getByLabelText('Length of Code'), '20{Control>}{Enter}{/Control}');
  await screen.findByRole('region', { name: 'What is loaded' });
  const sent = service.calls.find(
    ({ method, url }) => method === 'POST' && url.endsWith('archives'),
  );
  expect(sent?.body).toMatchObject({
    archive: { indexFields: [{ name: 'CODE', maxLength: 20 }, {}] },
  });
});

describe('rows that do not fit', () => {
  /** Opens the plan of a file with these rows. */
  async function openPlan(rows: readonly string[], fileName = 'Sums.csv') {
    const table = await buildTable(database, [
      { name: 'CODE', label: 'Code' },
      { name: 'SUM', label: 'Sum', type: 'integer' },
    ]);
    const page = await openLoadData();
    const { user, container, upload, press } = page;
    await screen.findByText(/^CSV, TSV/);
    await upload(container, new File([['Code;Sum', ...rows].join('\r\n')], fileName));
    await user.click(await screen.findByRole('radio', { name: 'An existing one' }));
    const select = await screen.findByRole('combobox', { name: 'Archive or table' });
    await user.type(select, `${table.label}{Enter}`);
    await screen.findByRole('combobox', { name: 'Sum goes to' });
    await press('Check the rows');
    return page;
  }

  /** Opens the plan of a file with one sum that is no number in each row, and corrects the first. */
  async function openRejected(count: number) {
    const page = await openPlan(Array.from({ length: count }, (_, at) => `A-${at};x`));
    const { user } = page;
    const sum = await screen.findByRole('textbox', { name: 'Sum, Row 2' });
    await user.clear(sum);
    await user.type(sum, '12');
    return { ...page, sum };
  }

  test('are shown again with what was typed when their plan is cancelled', async () => {
    const { press } = await openRejected(1);
    await screen.findByText('Import of Sums.csv');
    await press('Check the row again');
    await screen.findByRole('button', { name: 'Write 1 record' });
    await screen.findByText('Import of Sums (corrected).csv');
    await press('Cancel');
    expect(await screen.findByRole('textbox', { name: 'Sum, Row 2' })).toHaveProperty(
      'value',
      '12',
    );
  });

  test('say at their cells what is wrong, until these are changed', async () => {
    const { user } = await openPlan(['A-1;x', 'A-2;', 'A-3']);
    const wrong = await screen.findByRole('textbox', { name: 'Sum, Row 2' });
    const code = screen.getByRole('textbox', { name: 'Code, Row 2' });
    const missing = screen.getByRole('textbox', { name: 'Sum, Row 4' });
    const WRONG = 'The value must be a number: digits, with a minus sign if negative.';
    const stateOf = (cell: HTMLElement) => [cell.getAttribute('aria-invalid'), cell.title];
    expect(stateOf(wrong)).toEqual(['true', WRONG]);
    expect(stateOf(code)).toEqual(['false', '']);
    expect(stateOf(missing)).toEqual([
      'true',
      'The row has no value here. Enter one, or check the row again to leave it empty.',
    ]);
    await user.type(wrong, '1');
    expect(stateOf(wrong)).toEqual(['false', '']);
    await user.type(wrong, '{Backspace}');
    expect(stateOf(wrong)).toEqual(['true', WRONG]);
  });

  test('keep what is typed while the rows that fit are shown', async () => {
    const { user, service, press } = await openPlan(['A-1;1', 'A-2;x']);
    const show = service.hold('GET', 'outcome=pending&limit=200');
    const wrong = await screen.findByRole('textbox', { name: 'Sum, Row 3' });
    await user.type(wrong, '1');
    show();
    const write = await screen.findByRole('button', { name: 'Write 1 record' });
    await waitFor(() => expect(write).toHaveProperty('disabled', false));
    await user.keyboard('2{Enter}');
    expect(wrong).toHaveProperty('value', 'x12');
    expect(write.isConnected).toBe(true);
    await press('Check the row again');
  });

  test('lead from their reason to the wrong value, by keys', async () => {
    const { user } = await openPlan(['A-1;x']);
    const REASON = { name: /^Row 2: Sum “x”: The value must be a number/ };
    (await screen.findByRole('button', REASON)).focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Sum, Row 2' }));
    await user.keyboard('1');
    expect(screen.queryByRole('button', REASON)).toBeNull();
    expect(screen.getAllByText(REASON.name)).not.toEqual([]);
  });

  test('take their missing values as empty once they are checked again', async () => {
    const { press } = await openPlan(['A-1']);
    await press('Check the row again');
    expect(await screen.findByRole('button', { name: 'Write 1 record' })).toBeTruthy();
  });

  test('are sent in a file that is named after the loaded one, however often', async () => {
    const { user, press } = await openPlan(['A-1;x'], 'Sums (corrected).csv');
    const correct = async (text: string) => {
      const sum = await screen.findByRole('textbox', { name: 'Sum, Row 2' });
      await user.clear(sum);
      await user.type(sum, text);
      await press('Check the row again');
    };
    await correct('y');
    await screen.findByText('Import of Sums (corrected) (corrected).csv');
    await correct('12');
    await screen.findByRole('button', { name: 'Write 1 record' });
    expect(screen.getByText('Import of Sums (corrected) (corrected).csv')).toBeTruthy();
  });

  test('cannot be changed while they are planned, and keep the focus', async () => {
    const { user, service, sum, press } = await openRejected(1);
    const release = service.hold('POST', 'imports');
    await press('Check the row again');
    await user.type(sum, '3');
    expect(sum).toHaveProperty('value', '12');
    expect(document.activeElement).toBe(sum);
    release();
    await screen.findByRole('button', { name: 'Write 1 record' });
  });

  test('are all sent, also those that are not shown yet', { tags: ['long'] }, async () => {
    const { press } = await openRejected(202);
    await press('Check the 202 rows again');
    await screen.findByRole('button', { name: 'Write 1 record' });
    expect(
      await screen.findByText('201 rows do not fit: correct them and send them again'),
    ).toBeTruthy();
  });
});

test('a file that was saved again after it was chosen is to be chosen again', async () => {
  const { service, choose } = await openLoadData();
  await screen.findByText(/^CSV, TSV/);
  service.lose();
  const read = vi.spyOn(Blob.prototype, 'slice').mockReturnValue(
    Object.assign(new Blob(), {
      arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')),
    }),
  );
  onTestFinished(() => read.mockRestore());
  await choose('Saved again');
  expect(
    await screen.findByText('The file has changed since it was chosen. Choose it again.'),
  ).toBeTruthy();
  service.reach();
});

test('tables of a definition file that have one label each say why they are refused', async () => {
  const { container, upload, press } = await openLoadData();
  const taken = [
    await buildTable(database, [{ name: 'CODE' }]),
    await buildTable(database, [{ name: 'CODE' }]),
  ];
  await screen.findByText(/^CSV, TSV/);
  const tables = taken.map(({ name }) => ({
    guid: randomUUID(),
    name,
    label: 'Rates',
    columns: [{ name: 'CODE', type: 'text' }],
  }));
  await upload(container, new File([JSON.stringify({ tables })], 'definitions.json'));
  const complained = vi.spyOn(console, 'error');
  onTestFinished(() => complained.mockRestore());
  await press('Create 2 archives and tables');
  await waitFor(() => expect(screen.getAllByText('Rates could not be created')).toHaveLength(2));
  expect(complained).not.toHaveBeenCalled();
});

test('the others of a definition file are created if one is refused', async () => {
  const { container, upload, press, service } = await openLoadData();
  const taken = await buildTable(database, [{ name: 'CODE' }]);
  await screen.findByText(/^CSV, TSV/);
  const table = (name: string) => ({
    guid: randomUUID(),
    name,
    label: name,
    columns: [{ name: 'CODE', type: 'text' }],
  });
  const content = JSON.stringify({
    tables: [table(taken.name), table('FREE_ONE'), table('FREE_TWO')],
  });
  await upload(container, new File([content], 'definitions.json'));
  await press('Create 3 archives and tables');
  await screen.findByText(`${taken.name} could not be created`);
  await screen.findByRole('button', { name: 'Create 1 archive or table' });
  const created = service.calls.filter(
    ({ method, url }) => method === 'POST' && url.endsWith('tables'),
  );
  expect(created.map(({ status }) => status === 201)).toEqual([false, true, true]);
});

describe('the files of an archive that is created from a spreadsheet', () => {
  const SCANS = ['Code;Front;Back', 'A-1;a-front.pdf;a-back.pdf', 'A-2;b-front.pdf;b-back.pdf'];
  const COLUMN = { name: 'Column with the names of the files' };

  /** Creates an archive named after its spreadsheet. @param leftOut columns that become no fields */
  async function openDocuments(name: string, lines: readonly string[], ...leftOut: string[]) {
    const page = await openLoadData();
    const { container, user, service, queryClient, upload, press } = page;
    await screen.findByText(/^CSV, TSV/);
    await upload(container, new File([lines.join('\r\n')], `${name}.csv`));
    await screen.findByDisplayValue(name);
    for (const column of leftOut) {
      await user.click(screen.getByRole('checkbox', { name: `Load the column ${column}` }));
    }
    await press(FOR_DOCUMENTS);
    const section = await screen.findByRole('region', { name: 'Documents of the new archive' });
    await within(section).findByRole('combobox', COLUMN);
    const analyses = () =>
      service.calls.filter(({ method, url }) => method === 'POST' && url.endsWith('/analyses'));
    let current = name;
    /** Somebody else renames the archive, and the page reads its definition again. */
    const renameElsewhere = async (newName: string) => {
      await rename(current, newName);
      current = newName;
      await act(() => queryClient.invalidateQueries());
      await within(section).findByRole('heading', { name: newName });
    };
    return { ...page, section, analyses, renameElsewhere };
  }

  async function rename(name: string, newName: string): Promise<void> {
    const root = await signedIn('root');
    const { body } = await root.get('configuration/archives');
    const { archives } = definedArchivesAnswer.parse(body);
    const found = archives.find((one) => one.name === name);
    if (!found) throw new Error(`There is no archive ${name}.`);
    const { table, indexFields } = found;
    const { status, text } = await new ArchiveAdministration(root, table).put(indexFields, {
      name: newName,
    });
    if (status !== 200) throw new Error(text);
  }

  test(
    'keep the chosen column of file names, and the spreadsheet is read once',
    { tags: ['long'] },
    async () => {
      const { user, section, analyses, upload, press, renameElsewhere } = await openDocuments(
        'Scans',
        SCANS,
        'Front',
        'Back',
      );
      const column = within(section).getByRole('combobox', COLUMN);
      const read = analyses().length;
      await user.selectOptions(column, 'Back');
      await upload(section, new File(['1'], 'a-back.pdf'), new File(['22'], 'b-back.pdf'));
      await within(section).findByText('All files can be stored.');
      await renameElsewhere('Scans of bills');
      await press('Load 2 documents');
      await within(section).findByText('2 of 2 stored');
      await renameElsewhere('Scans of all bills');
      expect(within(section).getByRole('combobox', COLUMN)).toHaveProperty('value', '2');
      expect(analyses()).toHaveLength(read);
    },
  );

  test('stay without a spreadsheet after it was removed', { tags: ['long'] }, async () => {
    const { section, analyses, press, renameElsewhere } = await openDocuments(
      'Pages',
      SCANS,
      'Front',
      'Back',
    );
    const read = analyses().length;
    await press('Remove the spreadsheet');
    await renameElsewhere('Pages of bills');
    // A call that the first change causes is sent before the end of the second.
    await renameElsewhere('Pages of all bills');
    expect(within(section).queryByRole('combobox', COLUMN)).toBeNull();
    expect(analyses()).toHaveLength(read);
  });

  const guessed = [
    // Dates look like names with an extension, and a row may have no file.
    { name: 'Dates', lines: ['Datum;Datei', '01.03.2026;a.pdf', '02.03.2026;'] },
    { name: 'Unknown header', lines: ['Datum;Scan', '01.03.2026;a.pdf', '02.03.2026;b.7z'] },
    { name: 'Header before looks', lines: ['Site;File', 'acme.com;a.pdf', 'corp.org;'] },
    { name: 'Looks before number', lines: ['Document no.;Scan', 'D-1;a.pdf', 'D-2;b.pdf'] },
  ];
  test.each(sampled(1, guessed))(
    'are named in the column that is guessed: $name',
    async ({ name, lines }) => {
      const { section } = await openDocuments(name, lines);
      expect(within(section).getByRole('combobox', COLUMN)).toHaveProperty('value', '1');
    },
  );
});
