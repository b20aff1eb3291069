/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openApp, buildUser, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { revisionDetailAnswer } from '#shared/contract/answers.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { orderSuggestions } from '#web/features/index-form/contextual-suggestions.queries.ts';
import { sortByMatch, type LookUpOption } from '#web/fields/look-up.ts';
import { editor, form } from './desk.tsx';

const MANY = 3532;

const service = await openApp(testDatabases('sqlite').open);
const { app, database } = service;
await buildUser(database, { username: 'anna', role: 'administrator' });
const table = await buildTable(database, [
  { name: 'SNO', label: 'No.', unique: true },
  { name: 'SNAME', label: 'Name' },
  { name: 'CITY', label: 'City' },
]);
// Two firms of one name, which only their towns tell apart.
await buildRecords(
  database,
  table,
  Array.from({ length: MANY }, (_, at) => [
    String(10_001 + at),
    at === 3000 || at === 3100 ? 'Zwilling & Söhne' : `Firm ${at + 1}`,
    at === 3000 ? 'Köln' : at === 3100 ? 'Wien' : 'Bonn',
  ]),
);

/** @param firm the right on the firm, of a user who may change the rest; missing: an administrator opens it */
async function open(rows: readonly (readonly (string | number | null)[])[], firm?: 'read') {
  const archive: Archive = await buildArchive(database, [
    {
      name: 'SUPPLIERNO',
      label: 'Supplier no.',
      optionsFrom: { table: table.name, column: 'SNO', fills: { SUPPLIER: 'SNAME' } },
    },
    { name: 'SUPPLIER', label: 'Firm', maxLength: 100 },
    { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
  ]);
  await buildRecords(database, archive, rows);
  const username = firm ? `${firm}-${archive.name}` : 'anna';
  if (firm) {
    const number = archive.fields[1]?.number ?? 0;
    const right = { ...rightOn(archive, 'write'), fields: new Map([[number, firm]]) };
    await buildUser(database, { username, rights: [right, rightOn(table, 'read')] });
  }
  const page = await renderApp(app, `/archives/${archive.name}?selected=1`, {
    as: { username, password: PASSWORD },
  });
  return { ...page, open: await form('1'), archiveName: archive.name };
}

const shown = () =>
  screen.queryAllByRole('option', { hidden: true }).map((option) => option.textContent);

describe('a field with the records of a table to choose from', () => {
  it(
    'finds one of thousands at the service, distinguishes equal names, and fills the other field by Enter',
    { tags: ['long'] },
    async () => {
      const { user, open: section } = await open([['10001', 'Firm 1', null]]);
      const number = editor(section, 'Supplier no.');
      await user.clear(number);
      await user.type(number, 'zwilling');
      await waitFor(() =>
        expect(shown()).toEqual(['13001Zwilling & SöhneKöln', '13101Zwilling & SöhneWien']),
      );
      await user.keyboard('{ArrowDown}');
      const active = number.getAttribute('aria-activedescendant');
      expect(document.getElementById(active ?? '')?.textContent).toContain('Wien');
      await user.keyboard('{Enter}');
      expect(number).toHaveProperty('value', '13101');
      expect(editor(section, 'Firm')).toHaveProperty('value', 'Zwilling & Söhne');
      // Both are changes to be seen and to be undone.
      expect(within(section).getByText('2 fields changed')).toBeTruthy();
      expect(within(section).getByText('Firm 1')).toBeTruthy();
    },
  );

  it(
    'offers first what goes with the other field where the number is missing',
    { tags: ['long'] },
    async () => {
      const { user, open: section } = await open([[null, 'zwilling', null]]);
      await user.click(editor(section, 'Supplier no.'));
      await waitFor(() => expect(shown().slice(0, 2).join()).toMatch(/^13001.*13101/));
      expect(await screen.findByText(/^40 of 3,532|^4\d of 3,532/)).toBeTruthy();
      // Coming by and pressing Enter chooses nothing.
      await user.keyboard('{Enter}');
      expect(within(section).getByText('Nothing changed')).toBeTruthy();
      await user.keyboard('{Escape}');
      expect(shown()).toEqual([]);
      expect(document.activeElement).toBe(editor(section, 'Supplier no.'));
    },
  );

  it('chooses a number that is typed in full, and keeps any other text', async () => {
    const { user, open: section } = await open([[null, 'x', null]]);
    const number = editor(section, 'Supplier no.');
    await user.type(number, '12345');
    await waitFor(() => expect(shown()[0]).toBe('12345Firm 2345Bonn'));
    await user.tab();
    expect(editor(section, 'Firm')).toHaveProperty('value', 'Firm 2345');
    await user.clear(number);
    await user.type(number, 'none such');
    await user.tab();
    expect(number).toHaveProperty('value', 'none such');
    expect(editor(section, 'Firm')).toHaveProperty('value', 'Firm 2345');
  });

  it('fills nothing into a field that can only be read', async () => {
    const { user, open: section } = await open([['10001', 'Firm 1', null]], 'read');
    const number = editor(section, 'Supplier no.');
    await user.type(number, '{Backspace}2{Control>}s{/Control}');
    await within(section).findByText('Nothing changed');
    expect(editor(section, 'Firm')).toHaveProperty('value', 'Firm 1');
  });

  it('fills nothing when the value is typed over and put back, before its list is there and after it', async () => {
    const { user, open: section } = await open([['10001', 'By hand', null]]);
    const number = editor(section, 'Supplier no.');
    await user.type(number, '{Backspace}1{Tab}');
    // An answer to this may come only after what the list of the typed number fills in.
    await user.type(number, '{Backspace}1');
    await waitFor(() => expect(shown()[0]).toBe('10001Firm 1Bonn'));
    await user.tab();
    expect(editor(section, 'Firm')).toHaveProperty('value', 'By hand');
    expect(within(section).getByText('Nothing changed')).toBeTruthy();
    await user.type(number, '{Backspace}2');
    await waitFor(() => expect(shown()[0]).toBe('10002Firm 2Bonn'));
    await user.tab();
    await user.type(number, '{Backspace}1');
    await waitFor(() => expect(shown()[0]).toBe('10001Firm 1Bonn'));
    await user.tab();
    expect(editor(section, 'Firm')).toHaveProperty('value', 'Firm 1');
  });

  it('waits after Enter for the records of the typed text, and chooses none if the text changes', async () => {
    const { user, open: section, service: network } = await open([[null, 'x', null]]);
    const number = editor(section, 'Supplier no.');
    await user.type(number, '1234');
    await waitFor(() => expect(shown()[0]).toBe('12340Firm 2340Bonn'));
    const release = network.hold('GET');
    await user.type(number, '5{Enter}');
    expect(number).toHaveProperty('value', '12345');
    expect(editor(section, 'Firm')).toHaveProperty('value', 'x');
    release();
    await waitFor(() => expect(editor(section, 'Firm')).toHaveProperty('value', 'Firm 2345'));
    expect(shown()).toEqual([]);
    const releaseAgain = network.hold('GET');
    await user.type(number, '{Backspace}6{Enter}7');
    releaseAgain();
    await waitFor(() => expect(shown()).toEqual([]));
    expect(number).toHaveProperty('value', '123467');
    expect(editor(section, 'Firm')).toHaveProperty('value', 'Firm 2345');
  });

  it('chooses none after a save', { tags: ['long'] }, async () => {
    const { user, open: section, service: network } = await open([[null, 'x', null]]);
    const number = editor(section, 'Supplier no.');
    await user.type(number, '123');
    await waitFor(() => expect(shown()[0]).toBe('12300Firm 2300Bonn'));
    const release = network.hold('GET');
    await user.type(number, '4{Enter}{Control>}s{/Control}');
    release();
    await within(section).findByText('Nothing changed');
    // The answer that Enter has waited for is there; the record can still be chosen.
    await waitFor(() => expect(shown()[0]).toBe('12340Firm 2340Bonn'));
    expect(number).toHaveProperty('value', '1234');
    expect(editor(section, 'Firm')).toHaveProperty('value', 'x');
  });
});

it('says of a text that no record has it as a number', { tags: ['long'] }, async () => {
  const numbers = await buildTable(database, [{ name: 'NO', type: 'decimal' }], 'NUMBERS');
  await buildRecords(database, numbers, [[12.5], [100]]);
  const archive = await buildArchive(database, [
    { name: 'NO', label: 'Number', optionsFrom: { table: 'NUMBERS', column: 'NO' } },
    { name: 'AMOUNT', label: 'Amount', type: 'decimal' },
  ]);
  await buildRecords(database, archive, [[null, null]]);
  const page = await renderApp(app, `/archives/${archive.name}?selected=1`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const section = await form('1');
  const number = editor(section, 'Number');
  const note = () => within(section).queryByText(/is not in/)?.textContent ?? null;
  for (const wrong of ['13', '012', '12.50', 'twelve']) {
    await page.user.clear(number);
    await page.user.type(number, wrong);
    await waitFor(() => expect(note()).toContain(wrong));
  }
  await page.user.clear(number);
  await page.user.type(number, '100');
  await waitFor(() => expect(note()).toBeNull());
});

describe('saving at once after a number was typed', () => {
  const saved = async (archiveName: string, id: string) => {
    const anna = await service.signedIn('anna');
    const { body } = await anna.get(
      `application/archiveapp/archives/${archiveName}/documents/${id}`,
    );
    const [revision] = revisionDetailAnswer.parse(body).archivedocumentrevisions;
    return revision?.indexFields.map(({ value }) => value);
  };

  it('takes what goes with it along, before the list is there and after it', async () => {
    const {
      user,
      open: section,
      archiveName,
    } = await open([
      ['10001', 'Firm 1', null],
      ['10002', 'Firm 2', null],
    ]);
    const number = editor(section, 'Supplier no.');
    await user.clear(number);
    await user.type(number, '12345{Control>}s{/Control}');
    await within(section).findByText('Nothing changed');
    expect(await saved(archiveName, '1')).toEqual(['12345', 'Firm 2345', null]);
    await user.clear(number);
    await user.type(number, '12346');
    await waitFor(() => expect(shown()[0]).toBe('12346Firm 2346Bonn'));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await form('2');
    expect(await saved(archiveName, '1')).toEqual(['12346', 'Firm 2346', null]);
    expect(await saved(archiveName, '2')).toEqual(['10002', 'Firm 2', null]);
  });

  it(
    'chooses the option that the arrow keys have selected, and keeps what was typed in the other field',
    { tags: ['long'] },
    async () => {
      const { user, open: section, archiveName } = await open([['10001', 'Firm 1', null]]);
      const number = editor(section, 'Supplier no.');
      await user.clear(number);
      await user.type(number, 'zwilling');
      await waitFor(() => expect(shown()).toHaveLength(2));
      await user.keyboard('{ArrowDown}{Control>}s{/Control}');
      await within(section).findByText('Nothing changed');
      expect(await saved(archiveName, '1')).toEqual(['13101', 'Zwilling & Söhne', null]);
      await user.clear(number);
      await user.type(number, '10005{Tab}');
      await user.clear(editor(section, 'Firm'));
      await user.type(editor(section, 'Firm'), 'By hand{Control>}s{/Control}');
      await within(section).findByText('Nothing changed');
      expect(await saved(archiveName, '1')).toEqual(['10005', 'By hand', null]);
    },
  );

  it(
    'says that a number is not in the table, and saves it all the same',
    { tags: ['long'] },
    async () => {
      const { user, open: section, archiveName } = await open([['70040', 'Firm 1', null]]);
      const told = () => within(section).queryByText(/is not in/)?.textContent;
      await waitFor(() => expect(told()).toMatch(/^“70040” is not in /));
      const number = editor(section, 'Supplier no.');
      await user.clear(number);
      await user.type(number, '10001');
      await waitFor(() => expect(told()).toBeUndefined());
      await user.type(number, '99');
      await waitFor(() => expect(told()).toMatch(/^“1000199” is not in /));
      await user.keyboard('{Control>}s{/Control}');
      await within(section).findByText('Nothing changed');
      expect(await saved(archiveName, '1')).toEqual(['1000199', 'Firm 1', null]);
    },
  );
});

describe('suggestions for a field that a choice fills', () => {
  it(
    'have the table’s value first, nothing twice that looks equal, and not the present value',
    { tags: ['long'] },
    async () => {
      const { user, open: section } = await open([
        ['10007', 'Firm seven', null],
        ['10007', 'Firm seven', null],
        ['10007', 'Firm  7', null],
        ['10007', 'Firm  7', null],
        ['10007', 'Other', null],
        ['10007', 'Other', null],
      ]);
      await user.click(editor(section, 'Firm'));
      await waitFor(() => expect(shown()).toEqual(['Firm 7', 'Other']));
    },
  );

  it('come in this order', () => {
    expect(
      orderSuggestions(
        ['A'],
        ['stored', 'b', 'A ', 'now', 'caf\u00e9', 'cafe\u0301'],
        'now',
        'stored',
      ),
    ).toEqual(['A', 'b', 'café', 'stored']);
  });
});

describe('the order of what was found', () => {
  it('has the same value first, then those that begin so', () => {
    const option = (value: string): LookUpOption => ({
      jrid: value,
      value,
      fills: [],
      filledValues: [],
      more: [],
    });
    const values = ['x12', '123', '1', '12', 'Ä12'].map(option);
    expect(sortByMatch(values, '12').map(({ value }) => value)).toEqual([
      '12',
      '123',
      'x12',
      '1',
      'Ä12',
    ]);
  });
});
