/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { editor } from '../archive/desk.tsx';
import { atEnd } from './desk.tsx';

const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);

const FIELDS = [
  { name: 'NO', label: 'Number' },
  { name: 'NET', label: 'Net', type: 'decimal', scale: 2 },
  { name: 'VAT', label: 'VAT', type: 'decimal', scale: 2 },
  { name: 'DUE', label: 'Due', type: 'date', required: true },
];
const CHECKS = [
  { name: 'RATE', label: 'VAT above net', rule: 'VAT <= NET', fields: ['NET', 'VAT'] },
];
const SWAPPED = 10;

it(
  'What a check finds is corrected one by one with two keys each, the cursor in the field of the finding',
  { tags: ['long'] },
  async () => {
    await buildUser(database, { username: 'anna', role: 'administrator' });
    const archive = await buildArchive(database, FIELDS, [], { checks: CHECKS });
    await buildRecords(database, archive, [
      ['right', 100, 19, '2026-01-01'],
      ...Array.from({ length: SWAPPED }, (_, i) => [`swapped ${i}`, 19, 100, '2026-01-01']),
      ['no date', 100, 19, null],
    ]);
    const { user } = await renderApp(app, `/archives/${archive.name}?sort=NO`, {
      as: { username: 'anna', password: PASSWORD },
    });
    await user.click(await screen.findByRole('button', { name: /^Checks/ }));
    const menu = within(await screen.findByRole('menu', { name: /^Checks/ }));
    await user.click(await menu.findByRole('menuitem', { name: 'Correct these: VAT above net' }));
    for (let id = 2; id < 2 + SWAPPED; id++) {
      const shown = await screen.findByRole('region', { name: `Form of revision ${id}` });
      await within(shown).findAllByRole('button', { name: 'Swap Net and VAT' });
      await waitFor(() => expect(document.activeElement).toBe(editor(shown, 'Net')));
      await user.keyboard('{Control>}.{/Control}');
      expect(editor(shown, 'VAT')).toHaveProperty('value', '19.00');
      await user.keyboard('{Control>}{Enter}{/Control}');
    }
    await waitFor(() => expect(atEnd()).toBe(true));
  },
);

it('What checks find is a work list on the overview, most first, and begins a queue', async () => {
  await buildUser(database, { username: 'ben', role: 'administrator' });
  const archive = await buildArchive(database, FIELDS, [], { checks: CHECKS });
  await buildRecords(database, archive, [
    ['right', 100, 19, '2026-01-01'],
    ['swapped', 19, 100, '2026-01-01'],
    ['also swapped', 19, 100, '2026-01-01'],
    ['no date', 100, 19, null],
  ]);
  const client = await signedIn('ben');
  await vi.waitFor(async () => {
    const { body } = await client.get(`application/archiveapp/archives/${archive.name}/checks`);
    expect(checksAnswer.parse(body).checks.every(({ count }) => count !== null)).toBe(true);
  });
  const { user } = await renderApp(app, '/', { as: { username: 'ben', password: PASSWORD } });
  const card = within(await screen.findByRole('article', { name: archive.name }));
  const found = within(await card.findByRole('region', { name: 'Found by checks' }));
  const rows = () => found.getAllByRole('listitem').map(({ textContent }) => textContent);
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(rows()[0]).toBe('VAT above net0 of 22Start');
  await user.click(found.getByRole('button', { name: 'Start: VAT above net' }));
  const shown = await screen.findByRole('region', { name: 'Form of revision 2' });
  await waitFor(() => expect(document.activeElement).toBe(editor(shown, 'Net')));
});
