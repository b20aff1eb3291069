import { archiveScreen } from './support/archive-screen.ts';
import { expectNoViolations } from './support/accessibility.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { untilDraftStored } from './support/stored-edits.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
test.use({ documents: true });

test('reviews one field beside clippings of the pages, and corrects it @long', async ({ page }) => {
  const search = 'where[revisionId][in]=10001,10005,10006&sort=revisionId';
  await service.open(page, `/archives/${INVOICES}/fields/NET?${search}`);
  const card = (id: number) => page.getByRole('row', { name: new RegExp(`^Revision ${id},`) });
  const value = (id: number) => card(id).getByRole('img', { name: 'The value in the document' });
  await expect(value(10001)).toBeVisible();
  await expect(value(10005)).toBeVisible();
  await expect(card(10001)).toBeFocused();
  await expectNoViolations(page);
  await page.keyboard.press('Space');
  await expect(card(10005)).toBeFocused();
  // The amount of the VAT stands in the place of the net amount.
  await untilDraftStored(page, () => page.keyboard.type('1'));
  await untilDraftStored(page, () => page.keyboard.insertText('5755.30'));
  await page.keyboard.press('Enter');
  await expect(card(10006)).toBeFocused();
  await page.reload();
  await expect(page.getByRole('status').getByText('1 right · 1 corrected')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Bulk edit' });
  await expect(dialog.getByText('15,755.30')).toBeVisible();
  await dialog.getByRole('button', { name: 'Change 1 revision' }).click();
  await expect(dialog.getByText('1 revision changed')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('status').getByText('2 right · 0 corrected')).toBeVisible();
  const ben = await service.as('ben');
  expect((await ben.revision(INVOICES, 10005)).values['NET']).toBe(15755.3);
});

test('shows where other documents of the supplier have a value that is missing @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}/fields/SUPPLIERNO?where[revisionId][eq]=10129`);
  const place = 'Where other documents of the same supplier have the value';
  await expect(page.getByRole('img', { name: place })).toBeVisible();
});

test('proposes what the document has for a required field that is empty @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}?selected=10007`);
  const screen = archiveScreen(page);
  const date = screen.field('Invoice date');
  const before = await date.inputValue();
  await date.fill('');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: /^From the document:/ })).toBeVisible();
  await expect(date).toHaveValue('');
  await page.keyboard.press('Control+.');
  await expect(date).toHaveValue(before);
});
