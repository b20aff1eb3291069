import { readFile } from 'node:fs/promises';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { expectNoViolations, ROWS } from './support/accessibility.ts';
import { archiveScreen, choose } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { expectFocusInPage } from './support/focus.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('corrects by rules: plans, changes, leaves out what others changed, takes all back @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10001);
  await service.open(page, `/archives/${INVOICES}`);
  const { row } = archiveScreen(page);
  await row(10001).getByRole('gridcell').first().click();
  await row(10005)
    .getByRole('gridcell')
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'By rules…' }).click();

  const dialog = page.getByRole('dialog', { name: 'Correct 5 revisions by rules' });
  await choose(page, 'Which field do you want to correct?', 'Remark');
  await choose(page, 'Change of Remark', 'Set to');
  await dialog.getByRole('group', { name: 'Remark' }).getByLabel('Value').fill('checked');
  await choose(page, 'Another rule for', 'Remark');
  const second = dialog.getByRole('group', { name: 'Remark' }).nth(1);
  await second.getByLabel('Change of Remark').click();
  await page.getByRole('option', { name: 'Add suffix' }).click();
  await second.getByLabel('Text').fill(' by hand');
  await expectNoViolations(page, { except: ROWS });
  await page.keyboard.press('Control+Enter');

  await expect(dialog.getByRole('status').first()).toContainText('5 revisions would change');
  await expect(dialog.getByRole('listitem')).toHaveCount(5);
  await expect(dialog.getByRole('listitem').first()).toContainText('checked by hand');
  // Nobody knows a revision by its number.
  await expect(dialog.getByRole('listitem').first()).toContainText(
    String(before.values['INVOICENO']),
  );
  expect((await ben.revision(INVOICES, 10001)).etag).toBe(before.etag);
  await expectNoViolations(page, { except: ROWS });

  await ben.correct(INVOICES, 10003, { REMARK: 'Ben was here' });
  await dialog.getByRole('button', { name: 'Change 5 revisions' }).click();
  await expect(dialog.getByRole('status').first()).toContainText('4 revisions changed');
  await dialog.getByRole('button', { name: '1 changed by others meanwhile' }).click();
  await expect(dialog.getByRole('listitem')).toContainText('10003');
  const { values } = await ben.revision(INVOICES, 10003);
  await expect(dialog.getByRole('listitem')).toContainText(String(values['INVOICENO']));
  await expect(dialog.getByRole('listitem')).toContainText('ben');
  expect((await ben.revision(INVOICES, 10001)).values['REMARK']).toBe('checked by hand');
  expect((await ben.revision(INVOICES, 10003)).values['REMARK']).toBe('Ben was here');

  await ben.correct(INVOICES, 10002, { REMARK: 'Ben again' });
  await dialog.getByRole('button', { name: 'Undo all' }).click();
  await expect(dialog.getByRole('status').first()).toContainText('3 revisions undone');
  await expectFocusInPage(page);
  await expect(
    dialog.getByRole('button', { name: '1 edited since then, not undone' }),
  ).toBeVisible();
  expect((await ben.revision(INVOICES, 10001)).values).toEqual(before.values);
  expect((await ben.revision(INVOICES, 10002)).values['REMARK']).toBe('Ben again');
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(dialog).toBeHidden();
  await expectFocusInPage(page);

  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Batch history…' }).click();
  const listed = page.getByRole('dialog').getByRole('listitem');
  await expect(listed.first()).toContainText('undone');
});

test('says what a rule still needs, and plans nothing before @long', async ({ page, watch }) => {
  watch.expectStatus(422);
  await service.open(page, `/archives/${INVOICES}`);
  await archiveScreen(page).row(10001).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: 'By rules…' }).click();
  await choose(page, 'Which field do you want to correct?', 'Remark');
  await choose(page, 'Change of Remark', 'Replace a pattern');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('alert')).toContainText('Enter the pattern');
  await page.getByLabel('Pattern').fill('(');
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(page.getByRole('alert')).toContainText('pattern');
});

test('exports what is filtered, takes the corrected file in again @long', async ({ page }) => {
  const ben = await service.as('ben');
  await service.open(page, `/archives/${INVOICES}?sort=revisionId`);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel (XLSX), all fields' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${INVOICES}.xlsx`);
  const { sheets } = await readXlsx(await readFile(await download.path()));
  const rows = (sheets[0]?.rows ?? []).map((cells) => [...cells]);
  const remark = rows[0]?.indexOf('Remark') ?? -1;
  expect(remark).toBeGreaterThan(1);
  expect(rows.length).toBeGreaterThan(150);
  const corrected = rows[8] ?? [];
  const id = Number(corrected[0]);
  corrected[remark] = 'corrected in a spreadsheet';
  const bytes = await writeXlsx({ sheets: [{ name: 'Any', rows }] });

  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a corrected file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a corrected file' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'corrected.xlsx',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(bytes),
  });
  await expect(
    dialog.getByText('Changes by others since the export will be detected.'),
  ).toBeVisible();
  // On a phone everything of a column is in sight as well.
  const usual = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 390, height: 844 });
  const chosen = await dialog.getByRole('combobox', { name: 'Mapping of Remark' }).boundingBox();
  expect((chosen?.x ?? 0) + (chosen?.width ?? Infinity)).toBeLessThan(390);
  await page.setViewportSize(usual);
  await expectNoViolations(page, { except: ROWS });
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');

  const plan = page.getByRole('dialog', { name: 'Bulk edit', exact: true });
  await expect(plan.getByRole('status').first()).toContainText('1 revision would change');
  await expect(plan.getByRole('button', { name: 'Change 1 revision' })).toBeFocused();
  // The keys are still held: what has just been drawn is not applied.
  await page.keyboard.down('Enter');
  await page.keyboard.up('Control');
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(plan.getByRole('status').first()).toContainText('1 revision would change');
  expect((await ben.revision(INVOICES, id)).values['REMARK']).not.toBe(corrected[remark]);
  await expect(plan.getByRole('listitem')).toContainText('corrected in a spreadsheet');
  await expect(plan.getByRole('button', { name: 'Change 1 revision' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(plan.getByRole('status').first()).toContainText('1 revision changed');
  expect((await ben.revision(INVOICES, id)).values['REMARK']).toBe('corrected in a spreadsheet');
});

test('asks how ambiguous dates are meant, once @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}`);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a corrected file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a corrected file' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'dates.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Revision id;INVOICEDATE\n10010;03/04/2025\n10011;05/06/2025\n'),
  });
  const go = dialog.getByRole('button', { name: 'Preview' });
  await expect(dialog.getByText('What does “03/04/2025” mean?')).toBeVisible();
  await expect(go).toBeDisabled();
  await choose(page, 'What does “03/04/2025” mean?', 'day, month, year');
  await go.click();
  const plan = page.getByRole('dialog', { name: 'Bulk edit', exact: true });
  const planned = plan
    .getByRole('region', { name: 'Revisions of the batch' })
    .getByRole('listitem');
  await expect(planned.first()).toContainText('03/04/2025');
  await plan.getByRole('button', { name: 'Cancel' }).click();
});

test('shows which type each column looks like, and what does not fit its field @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}`);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a corrected file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a corrected file' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'types.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Revision id;PAGES;Odd\n10010;3;12.03.2024\n10011;many;13.03.2024\n'),
  });
  const row = (name: string) => dialog.getByRole('row').filter({ hasText: name });
  await expect(row('PAGES').getByRole('cell', { name: 'text', exact: true })).toBeVisible();
  await expect(row('PAGES')).toContainText(
    'whole number; 1 cell is not a valid whole number: “many”',
  );
  await expect(row('Odd').getByRole('cell', { name: 'date', exact: true })).toBeVisible();
  await expectNoViolations(page, { within: '[role=dialog]' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('a file that cannot be read says so, and another can be chosen @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(422);
  await service.open(page, `/archives/${INVOICES}`);
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a corrected file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a corrected file' });
  const files = dialog.locator('input[type=file]');
  await files.setInputFiles({
    name: 'old.xls',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('d0cf11e0a1b11ae100', 'hex'),
  });
  await expect(dialog.getByRole('alert')).toContainText('Save it as XLSX');
  await files.setInputFiles({
    name: 'new.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Number,Remark\n10010,x\n'),
  });
  await expect(dialog.getByRole('alert')).toContainText('revision ids');
  await choose(page, 'Mapping of Number', 'Revision id');
  await expect(dialog.getByRole('button', { name: 'Preview' })).toBeEnabled();
});
