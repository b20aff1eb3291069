import { readFile } from 'node:fs/promises';
import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const TABLE = `/tables/${SUPPLIERS}`;

test('a spreadsheet creates and changes records after a look at it, and is undone @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.suppliers('?limit=200');
  const [first, second] = before;
  const csv = [
    'Supplier no.;Name;City;Discount %;Since',
    `${first?.['SUPPLIERNO']};${first?.['NAME']};Emden;1,25;31.12.2020`,
    `${second?.['SUPPLIERNO']};${second?.['NAME']};${second?.['CITY']};;`,
    '71999;Ganz Neu GmbH;Aurich;2,00;01.02.2021',
    '71998;Falsch GmbH;Aurich;abc;31.02.2020',
  ].join('\n');
  await service.open(page, TABLE);
  await expect(page.locator('[data-row="0"] [data-col="1"]')).toHaveText(/\d+/);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a spreadsheet…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a spreadsheet' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'suppliers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(dialog.getByRole('combobox', { name: 'Match records by' })).toHaveValue(
    'Supplier no.',
  );
  // On a narrow screen all of it can be read without scrolling sideways.
  await page.setViewportSize({ width: 400, height: 860 });
  await expect
    .poll(() => dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('button', { name: 'Preview' }).click();

  const drawer = page.getByRole('dialog', { name: /^(?:Import|Batch history)$/ });
  await expect(drawer.getByRole('status').first()).toHaveText(
    /^1 record would be created and 2 changed, 1 row has a problem; nothing is changed yet$/,
  );
  expect(await ben.suppliers('?limit=200')).toEqual(before);
  await drawer.getByRole('button', { name: '1 not possible' }).click();
  await expect(drawer.getByRole('region', { name: 'Records of the import' })).toContainText(
    'Row 5: Discount % “abc”: The value must be a number: digits, with a comma before decimal places. ' +
      'Since “31.02.2020”: Enter a valid date, written as DD.MM.YYYY.',
  );
  const refused = page.waitForEvent('download');
  await drawer.getByRole('link', { name: 'Download refused rows with reasons (CSV)' }).click();
  expect(await readFile(await (await refused).path(), 'utf8')).toContain('Falsch GmbH');
  await drawer.getByRole('button', { name: '1 to create' }).click();
  await expect(drawer.getByRole('region', { name: 'Records of the import' })).toContainText(
    'Ganz Neu GmbH',
  );
  await drawer.getByRole('button', { name: 'Write 3 records' }).click();
  await expect(drawer.getByRole('status').first()).toHaveText('3 records written');
  const now = await ben.suppliers('?limit=200');
  expect(now[0]).toMatchObject({ CITY: 'Emden', DISCOUNT: 1.25, SINCE: '2020-12-31' });
  expect(now.at(-1)).toMatchObject({ SUPPLIERNO: '71999', NAME: 'Ganz Neu GmbH', DISCOUNT: 2 });
  await drawer.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.locator('[data-row="0"]')).toContainText('Emden');

  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Batch history…' }).click();
  await drawer.getByRole('button', { name: /^Import of suppliers\.csv/ }).click();
  await expect(drawer.getByText('Import of suppliers.csv', { exact: true })).toBeVisible();
  await drawer.getByRole('button', { name: 'Undo all' }).click();
  await expect(drawer.getByRole('status').first()).toHaveText('3 records undone');
  expect(await ben.suppliers('?limit=200')).toEqual(before);
});

test('what the grid shows is exported as a spreadsheet @long', async ({ page }) => {
  await service.open(page, `${TABLE}?where[COUNTRY][eq]=FR&columns=NAME,CITY`);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  const downloading = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'CSV, all columns' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('SUPPLIERS.csv');
  const path = await download.path();
  const [head, ...lines] = (await readFile(path, 'utf8')).split('\r\n');
  expect(head).toContain('Supplier no.');
  const ben = await service.as('ben');
  const french = await ben.suppliers('?where[COUNTRY][eq]=FR&limit=200');
  // A note may hold line breaks: each record's line begins with its number and version.
  const records = lines.filter((line) => /^\d+,\d+,/.test(line));
  expect(records).toHaveLength(french.length);
});
