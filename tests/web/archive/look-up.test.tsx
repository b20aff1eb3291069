import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openApp, buildUser, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import type { Archive } from '#server/db/records/thing.ts';
import { byNearness, type LookUpOption } from '#web/ui/fields/look-up.ts';
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

async function open(rows: readonly (readonly (string | number | null)[])[]) {
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
  const anna = await service.signedIn('anna');
  await vi.waitFor(async () => {
    const { status } = await anna.get(`application/users/anna/archives/${archive.name}`);
    if (status !== 200) throw new Error('Not there yet.');
  });
  const page = await renderApp(app, `/archives/${archive.name}?selected=1`, {
    as: { username: 'anna', password: PASSWORD },
  });
  return { ...page, open: await form('1') };
}

const shown = () =>
  screen.queryAllByRole('option', { hidden: true }).map((option) => option.textContent);

describe('a field with the datasets of a table to choose from', () => {
  it('finds one of thousands at the service, tells twins apart, and fills the other field by Enter', async () => {
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
    // Both are changes to be seen and to be taken back.
    expect(within(section).getByText('2 fields changed')).toBeTruthy();
    expect(within(section).getByText('Firm 1')).toBeTruthy();
  });

  it('offers first what goes with the other field where the number is missing', async () => {
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
  });

  it('takes a number typed in full for a choice, and lets any other text stand', async () => {
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
});

describe('the order of what was found', () => {
  it('has the same value first, then those that begin so', () => {
    const option = (value: string): LookUpOption => ({
      jrid: value,
      value,
      fills: [],
      beside: [],
      more: [],
    });
    const values = ['x12', '123', '1', '12', 'Ä12'].map(option);
    expect(byNearness(values, '12').map(({ value }) => value)).toEqual([
      '12',
      '123',
      'x12',
      '1',
      'Ä12',
    ]);
  });
});
