/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { figuresAnswer } from '#shared/contract/check-figures.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const service = await openApp(testDatabases('sqlite').open, {
  figuresByPerson: true,
});
await buildUser(service.database, {
  username: 'anna',
  displayName: 'Anna Weiss',
  role: 'administrator',
});
const admin: TestClient = await service.signedIn('anna');

const FIELDS = [
  { name: 'NET', type: 'decimal', label: 'Net' },
  { name: 'TOTAL', type: 'decimal', label: 'Total' },
];
const CHECKS = [{ name: 'SUM', label: 'The total is wrong', rule: 'NET * 2 = TOTAL' }];

let built: Archive;
let archive: ArchiveAdministration;
const build = async (rows: readonly (readonly number[])[]) => {
  built = await buildArchive(service.database, FIELDS, []);
  await buildRecords(service.database, built, rows);
  archive = new ArchiveAdministration(admin, built.name);
  await archive.put(FIELDS, { checks: CHECKS });
};
beforeEach(() =>
  build([
    [1, 2],
    [1, 3],
    [2, 5],
  ]),
);

const counted = (count: number) =>
  vi.waitFor(async () => {
    const path = `${archive.records}/checks/figures`;
    const { checks, days } = figuresAnswer.parse((await admin.get(path)).body);
    expect(checks.every((check) => check.count !== null)).toBe(true);
    expect(checks[0]).toMatchObject({ name: 'SUM', count });
    return days;
  });
const open = (rest = '/figures') =>
  renderApp(service.app, `/archives/${archive.table}${rest}`, {
    as: { username: 'anna', password: PASSWORD },
  });
const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

it('shows what checks find, what was put right and by whom, and leads to the records', async () => {
  await counted(2);
  await admin.patch(`${archive.records}/documents/2/indexdata`, {
    indexFields: [{ name: 'TOTAL', value: 2 }],
  });
  await counted(1);
  const { user, search } = await open();
  await screen.findByText('1 of 2 (50.0 %)');
  expect(screen.getByRole('link', { name: '2 (66.7 %)' })).toBeTruthy();
  expect(cells(await screen.findByRole('row', { name: /^The total is wrong/ }))).toEqual([
    '1',
    '1',
    '50.0 %',
  ]);
  expect(cells(screen.getByRole('row', { name: /^Net/ }))).toEqual(['1']);
  expect(cells(screen.getByRole('row', { name: /^Other commands/ }))).toEqual(['1']);
  expect(cells(screen.getByRole('row', { name: /^Anna Weiss/ }))).toEqual(['1']);
  screen.getByText(/as soon as two days are known/);
  await user.click(screen.getByRole('link', { name: '1' }));
  await waitFor(() => expect(search()).toEqual({ 'where[check][eq]': 'SUM' }));
});

it('plots the days, each plot with its numbers as a table', { tags: ['long'] }, async () => {
  const days = await counted(2);
  const about = { scope: 'archive', thing_id: built.id } as const;
  await service.database.write((db) =>
    db.k
      .insertInto('daily_findings')
      .values([
        { ...about, name: 'SUM', day: days[80] ?? '', count: 5 },
        { ...about, name: '', day: days[85] ?? '', count: 4 },
      ])
      .execute(),
  );
  const { user, search } = await open();
  await screen.findByRole('img', { name: 'The total is wrong: 2, at most 5' });
  screen.getByRole('img', { name: 'Records with findings: 2, at most 4' });
  expect(cells(await screen.findByRole('row', { name: /^The total is wrong/ }))).toEqual([
    '2',
    '0',
    '0.0 %',
  ]);
  await user.click(screen.getByText('As a table', { selector: '[aria-label$="is wrong"]' }));
  const table = screen.getAllByRole('table').at(-1);
  expect(
    within(table ?? document.body)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['2', '5']);
  await user.click(screen.getByRole('radio', { name: '30 days' }));
  await waitFor(() => expect(search()).toEqual({ days: '30' }));
});

it(
  'says that nothing is wrong, and is reached from the menu of checks and the palette',
  { tags: ['long'] },
  async () => {
    await build([[1, 2]]);
    await counted(0);
    const { user } = await open('');
    await user.click(await screen.findByRole('button', { name: /^Checks/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Figures…' }));
    await screen.findByText('The checks find nothing.');
    await user.click(screen.getByRole('link', { name: 'Back to the list' }));
    await screen.findByRole('button', { name: /^Checks/ });
    await user.keyboard('{Control>}k{/Control}');
    const palette = within(await screen.findByRole('dialog', { name: 'Go to' }));
    await user.type(await palette.findByRole('combobox'), `figures ${archive.table}`);
    await user.click(await palette.findByRole('option', { name: `Figures: ${archive.table}` }));
    expect(await screen.findByText('The checks find nothing.')).toBeTruthy();
  },
);
