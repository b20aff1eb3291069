import { expectNoViolations } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('a clerk begins the day by keys: starts a work list, leaves it, resumes it @long', async ({
  page,
}) => {
  await service.open(page, '/', 'ben');
  const lists = page.getByRole('region', { name: 'Work lists' });
  const start = lists.getByRole('button', { name: /^Start: Supplier no/ });
  await start.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^1 of \d$/)).toBeVisible();
  await expect(archiveScreen(page).field('Supplier no.')).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByText(/^2 of \d$/)).toBeVisible();
  await page.getByRole('button', { name: 'Exit queue' }).click();
  await page.getByRole('link', { name: 'Indexdesk' }).click();
  const resume = lists.getByRole('link', { name: /^Resume: Supplier no/ });
  await resume.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^2 of \d$/)).toBeVisible();
});

test('unsaved changes of forms and grids, flags and changes of others lead to their places @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}?selected=10003`, 'ben');
  await archiveScreen(page).field('Remark').fill('not saved');
  await page.getByRole('link', { name: 'Indexdesk' }).click();
  const unsaved = page.getByRole('region', { name: 'Not saved' });
  await expect(unsaved.getByRole('link', { name: /^Revision 10003/ })).toBeVisible();

  await service.open(page, `/tables/${SUPPLIERS}`, 'ben');
  const since = page.locator('[data-row="2"]').getByRole('gridcell').last();
  await since.click();
  await page.keyboard.type('no value of the column');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Not saved' })).toBeVisible();
  const anna = await service.as('anna');
  await anna.correct(INVOICES, 10010, { REMARK: 'Changed by Anna' });
  await page.getByRole('link', { name: 'Indexdesk' }).click();
  await expect(
    unsaved.getByRole('link', { name: /^Entries of the table ?Suppliers/ }),
  ).toBeVisible();
  const changes = page.getByRole('region', { name: 'Latest changes' });
  await expect(changes.getByRole('link').first()).toContainText('Revision 10010');
  await expectNoViolations(page);
  await unsaved.getByRole('link', { name: /^Revision 10003/ }).click();
  await expect(archiveScreen(page).field('Remark')).toHaveValue('not saved');
});

test('nothing that is shown moves while the overview is read @long', async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift: unknown = Reflect.get(entry, 'value');
        const before = Number(document.documentElement.dataset['shift'] ?? 0);
        document.documentElement.dataset['shift'] = String(before + Number(shift));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await service.open(page, '/', 'ben');
  await expect(page.getByRole('region', { name: 'Latest changes' })).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Work lists' }).getByRole('listitem'),
  ).not.toHaveCount(0);
  const shift = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0));
  expect(shift).toBeLessThan(0.02);
});
