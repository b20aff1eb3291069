/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { giveLocks } from '../give-locks.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

giveLocks();
const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it('An administrator writes a check, sees errors at their place, and saves it', async () => {
  const suppliers = await buildTable(database, [{ name: 'NO' }]);
  const archive = await buildArchive(database, [
    { name: 'NET', label: 'Net', type: 'decimal' },
    { name: 'VAT', label: 'VAT', type: 'decimal' },
    { name: 'TOTAL', label: 'Total', type: 'decimal' },
    { name: 'SUPPLIERNO', optionsFrom: { table: suppliers.name, column: 'NO' } },
  ]);
  const address = `/administration/archives/${archive.name}`;
  const { user } = await renderApp(app, address, {
    as: { username: 'anna', password: PASSWORD },
  });
  const checks = within(await screen.findByRole('region', { name: 'Checks' }));
  const valueOf = (label: string) => checks.getByLabelText<HTMLInputElement>(label).value;
  const choose = async (label: string, option: string) => {
    await user.click(checks.getByLabelText(label));
    await user.click(await screen.findByRole('option', { name: option, hidden: true }));
  };
  const add = async (template: string) => {
    await choose('What should it find?', template);
    await user.click(checks.getByRole('button', { name: 'Add check' }));
  };

  await add('A sum that is wrong');
  const rule = await checks.findByLabelText<HTMLTextAreaElement>('What must be true');
  expect(rule.value).toBe('NET + VAT = TOTAL');
  expect(valueOf('What is wrong')).toBe('Net and VAT do not add up to Total');
  expect(document.activeElement).toBe(checks.getByLabelText('What is wrong'));

  await user.clear(rule);
  await user.type(rule, 'net + vatt = TOTAL');
  checks.getByText('Line 1, column 7: expected a field, but there is no field “vatt”.');
  expect(rule.getAttribute('aria-invalid')).toBe('true');
  await user.clear(rule);
  await user.type(rule, 'NET + VAT = TO');
  await user.click(checks.getByRole('button', { name: 'TOTAL' }));
  expect(rule.value).toBe('NET + VAT = TOTAL');
  expect(rule.getAttribute('aria-invalid')).toBe('false');
  await choose('A finding', 'cannot be saved');
  await user.click(checks.getByLabelText('The number is far from the usual ones'));

  await add('A value that a table does not have');
  expect(valueOf('What must be true')).toBe(`SUPPLIERNO in ${suppliers.name}.NO`);
  await add('Duplicates');
  expect(checks.getAllByRole('listitem')).toHaveLength(3);
  await user.click(checks.getByRole('button', { name: 'Remove check' }));
  expect(checks.getAllByRole('listitem')).toHaveLength(2);
  expect(document.activeElement).toBe(checks.getByRole('button', { name: 'Add check' }));

  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  await user.click(await screen.findByRole('button', { name: 'Apply' }));
  await waitFor(async () => {
    const { archives } = await database.read(readDefinitions);
    const saved = archives.find(({ name }) => name === archive.name)?.definedChecks;
    expect(saved).toMatchObject({
      checks: [
        {
          name: 'CHECK_1',
          label: 'Net and VAT do not add up to Total',
          rule: 'NET + VAT = TOTAL',
          severity: 'block',
        },
        { name: 'CHECK_2', rule: `SUPPLIERNO in ${suppliers.name}.NO` },
      ],
      checksOff: ['_outlier'],
    });
  });
});

it('A rule is counted over the stored records before it is saved', { tags: ['long'] }, async () => {
  const archive = await buildArchive(database, [
    { name: 'NET', label: 'Net', type: 'decimal' },
    { name: 'TOTAL', label: 'Total', type: 'decimal' },
  ]);
  await buildRecords(database, archive, [
    [10, 11],
    [12, 11],
    [null, 11],
  ]);
  const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const checks = within(await screen.findByRole('region', { name: 'Checks' }));
  await user.click(checks.getByRole('button', { name: 'Add check' }));
  const rule = await checks.findByLabelText('What must be true');
  await user.clear(rule);
  await user.type(rule, 'NET <= TOTAL');
  await user.click(checks.getByRole('button', { name: 'Count what it finds' }));
  await checks.findByText('It finds 1 record.');
  const examples = checks.getByRole('list', { name: 'Examples' });
  within(examples).getByText('2: Net 12, Total 11');
  // The count is that of the rule that was counted.
  await user.type(rule, ' + 1');
  expect(checks.queryByText('It finds 1 record.')).toBeNull();
});

it(
  'Checks follow fields that are renamed, also two that swap their names',
  { tags: ['long'] },
  async () => {
    const archive = await buildArchive(database, [
      { name: 'NET', label: 'Net', type: 'decimal' },
      { name: 'TOTAL', label: 'Total', type: 'decimal' },
    ]);
    await buildRecords(database, archive, [[12, 11]]);
    const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
      as: { username: 'anna', password: PASSWORD },
    });
    const checks = within(await screen.findByRole('region', { name: 'Checks' }));
    await user.click(checks.getByRole('button', { name: 'Add check' }));
    const rule = await checks.findByLabelText<HTMLTextAreaElement>('What must be true');
    await user.clear(rule);
    await user.type(rule, 'NET <= TOTAL');
    const rename = async (label: string, name: string) => {
      await user.click(screen.getByRole('button', { name: label }));
      const properties = within(await screen.findByRole('group', { name: label }));
      const input = properties.getByRole('textbox', { name: /^Name/ });
      await user.clear(input);
      await user.type(input, name);
      await user.tab();
    };
    await rename('Net', 'TOTAL');
    expect(rule.value).toBe('NET <= TOTAL');
    await rename('Total', 'NET');
    expect(rule.value).toBe('TOTAL <= NET');
    expect(rule.getAttribute('aria-invalid')).toBe('false');
    await rename('Net', 'GROSS');
    expect(rule.value).toBe('GROSS <= NET');
    await user.click(checks.getByRole('button', { name: 'Count what it finds' }));
    await checks.findByText('It finds 1 record.');

    await user.click(screen.getByRole('button', { name: 'Preview changes' }));
    await user.click(await screen.findByRole('button', { name: 'Apply' }));
    await waitFor(async () => {
      const { archives } = await database.read(readDefinitions);
      expect(archives.find(({ name }) => name === archive.name)).toMatchObject({
        fields: [{ name: 'GROSS' }, { name: 'NET' }],
        definedChecks: { checks: [{ rule: 'GROSS <= NET' }] },
      });
    });
  },
);
