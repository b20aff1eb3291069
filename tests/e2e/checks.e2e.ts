import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectNoViolations } from './support/accessibility.ts';
import { runInHost } from './support/hosted-service.ts';
import { INVOICES } from './support/content.ts';
import { countedKeys } from './support/counted-keys.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const PARTNERS = 'c4b6a1de-52a1-4e0f-9d0c-2f6f6f0b7a10';
const ORDERS = 'ORDERS';
/** Orders whose net amount and VAT stand in each other's place. */
const SWAPPED = 10;

const fieldsOf = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));
const order = (revisionId: number, PARTNER: string, SELLER: string, isSwapped = false) => ({
  revisionId,
  indexFields: fieldsOf({
    PARTNER,
    SELLER,
    NET: isSwapped ? 19 : 100,
    VAT: isSwapped ? 100 : 19,
  }),
});

const DEFINITION = {
  tables: [
    {
      guid: PARTNERS,
      name: 'PARTNERS',
      label: 'Partners',
      columns: [
        { name: 'NO', label: 'Number', type: 'text', unique: true },
        { name: 'NAME', label: 'Name', type: 'text' },
        { name: 'CITY', label: 'City', type: 'text' },
      ],
      checks: [
        {
          name: 'TWICE',
          label: 'Same name',
          duplicates: [['NAME']],
          ignore: ['case', 'punctuation'],
        },
      ],
      datasets: [
        { jrid: 1, NO: '10', NAME: 'Acme', CITY: null },
        { jrid: 2, NO: '11', NAME: 'ACME.', CITY: 'Bonn' },
        { jrid: 3, NO: '20', NAME: 'Bolt', CITY: 'Kiel' },
      ],
    },
  ],
  archives: [
    {
      guid: '8b1f3a52-6c0e-4f7c-8f6b-5d1b7e2c9a44',
      table: ORDERS,
      name: 'Orders',
      indexFields: [
        {
          name: 'PARTNER',
          label: 'Partner',
          type: 'text',
          optionsFrom: { table: 'PARTNERS', column: 'NO' },
        },
        { name: 'SELLER', label: 'Seller', type: 'text' },
        { name: 'NET', label: 'Net', type: 'decimal', scale: 2 },
        { name: 'VAT', label: 'VAT', type: 'decimal', scale: 2 },
      ],
      checks: [
        { name: 'RATE', label: 'VAT above net', rule: 'VAT <= NET', fields: ['NET', 'VAT'] },
      ],
      documents: [
        order(1, '10', 'Müller GmbH'),
        order(2, '11', 'Müller GmbH'),
        order(3, '20', 'Müller Gmbh'),
        order(4, '20', 'Mueller G.m.b.H.'),
        ...Array.from({ length: SWAPPED }, (_, i) => order(5 + i, '20', `Seller ${i}`, true)),
      ],
    },
  ],
};

const service = ownService({
  prepare: async (dataDir) => {
    await copyContent(dataDir);
    const folder = await mkdtemp(join(tmpdir(), 'indexdesk-e2e-checks-'));
    const file = join(folder, 'definition.json');
    await writeFile(file, JSON.stringify(DEFINITION));
    await runInHost(['load', file, '--data', dataDir]);
    await rm(folder, { recursive: true });
  },
});

test('duplicates of a table are merged, look-ups follow, and all is undone @long', async ({
  page,
  watch,
}) => {
  // The news that the records have changed may come before the answer to the merge: the deleted one is then read again.
  watch.expectStatus(404);
  const admin = await service.as('admin');
  const partnerOf = async (id: number) => (await admin.revision(ORDERS, id)).values['PARTNER'];
  await service.open(page, `/tables/${PARTNERS}/duplicates/TWICE`, 'admin');
  await expect(page.getByText('Group 1 of 1')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Comparison' }).getByText('ACME.')).toBeVisible();
  await page.keyboard.press('m');
  const bar = page.getByRole('region', { name: 'Merge…' });
  await expect(bar).toContainText('Partner 11 → 10');
  const city = page.getByRole('button', { name: 'City: Bonn, of Record 2' });
  await expect(city).toHaveAttribute('aria-pressed', 'true');
  await expectNoViolations(page);
  expect(await partnerOf(2)).toBe('11');
  await bar.getByRole('button', { name: 'Merge 2 records' }).click();
  await expect(page.getByText('All duplicates are resolved.')).toBeVisible();
  expect(await partnerOf(2)).toBe('10');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The merge is undone.')).toBeVisible();
  expect(await partnerOf(2)).toBe('11');
  await expect(page.getByText('Group 1 of 1')).toBeVisible();
});

test('values that are nearly equal are cleaned up, also in the next import @long', async ({
  page,
}) => {
  const admin = await service.as('admin');
  const sellerOf = async (id: number) => (await admin.revision(ORDERS, id)).values['SELLER'];
  await service.open(page, `/archives/${ORDERS}/values/SELLER`, 'admin');
  const group = page.getByRole('radiogroup', {
    name: 'The right value of the group “Müller GmbH”',
  });
  await group.getByRole('radio', { name: /^Müller GmbH/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 group chosen: 2 values in 2 records will change.')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Correct in imports and pastes too' }).check();
  await expectNoViolations(page);
  await page.keyboard.press('Control+Enter');
  const plan = page.getByRole('dialog', { name: /Bulk edit/ });
  await expect(plan.getByText('Seller: 2 values cleaned up')).toBeVisible();
  expect(await sellerOf(3)).toBe('Müller Gmbh');
  await plan.getByRole('button', { name: 'Change 2 revisions' }).click();
  await expect(plan.getByRole('button', { name: 'Undo all' })).toBeVisible();
  expect([await sellerOf(3), await sellerOf(4)]).toEqual(['Müller GmbH', 'Müller GmbH']);

  await page.goto(`${service.url}/archives/${ORDERS}`);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a corrected file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a corrected file' });
  const csv = 'revisionId;Seller\n5;Mueller G.m.b.H.\n6;Bolt';
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(plan).toContainText('“Mueller G.m.b.H.” was corrected to “Müller GmbH”');
  await plan.getByRole('button', { name: 'Change 2 revisions' }).click();
  await expect.poll(() => sellerOf(6)).toBe('Bolt');
  expect(await sellerOf(5)).toBe('Müller GmbH');
});

test('nothing of the menu of checks is cut off on a narrow screen @long', async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 860 });
  await service.open(page, `/archives/${INVOICES}`);
  await page.getByRole('button', { name: /^Checks/ }).click();
  const menu = page.getByRole('menu', { name: /^Checks/ });
  const review = menu.getByRole('menuitem', { name: /^Review next to the pages/ }).first();
  await expect(review).toBeInViewport({ ratio: 1 });
  await expect(menu).toBeInViewport({ ratio: 1 });
});

test('ten swapped amounts are corrected with two keys each @long', async ({ page }) => {
  const admin = await service.as('admin');
  await service.open(page, `/archives/${ORDERS}`, 'admin');
  await page.getByRole('button', { name: /^Checks/ }).click();
  await page.getByRole('menuitem', { name: 'Correct these: VAT above net' }).click();
  const keys = countedKeys(page);
  for (let id = 5; id < 5 + SWAPPED; id++) {
    const form = page.getByRole('region', { name: `Form of revision ${id}` });
    await expect(form.getByRole('button', { name: 'Swap Net and VAT' }).first()).toBeVisible();
    await expect(form.getByRole('textbox', { name: /^Net/ })).toBeFocused();
    await keys.press('Control+.');
    await expect(form.getByRole('textbox', { name: /^VAT/ })).toHaveValue('19.00');
    await keys.press('Control+Enter');
  }
  expect(keys.count()).toBe(2 * SWAPPED);
  await expect.poll(() => admin.ids(ORDERS, 'where[check][eq]=RATE')).toEqual([]);
  expect((await admin.revision(ORDERS, 14)).values).toMatchObject({ NET: 100, VAT: 19 });
});

test('figures say what the checks of an archive find, and lead to the records @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}/figures`, 'admin');
  const row = page.getByRole('row', { name: /^Net and VAT do not give the total/ });
  await expect(row.getByRole('link')).toHaveText(/^\d+$/);
  await expectNoViolations(page);
  await page.setViewportSize({ width: 400, height: 860 });
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth))
    .toBeLessThanOrEqual(0);
  await row.getByRole('link').click();
  await expect(page).toHaveURL(/where\[check\]\[eq\]=SUM|where%5Bcheck%5D%5Beq%5D=SUM/);
});
