import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('a menu whose code is loaded late takes no focus from an input @long', async ({ page }) => {
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/assets\/popovers-.*\.js$/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await service.open(page, `/archives/${INVOICES}`);
  const fields = page.getByRole('button', { name: 'Fields' });
  const popover = page.getByRole('dialog', { name: 'Choose the fields of the list' });
  const search = page.getByRole('searchbox', { name: 'Search' });
  const answered = page.waitForResponse(/\/assets\/popovers-.*\.js$/);
  await fields.click();
  await search.click();
  await page.keyboard.type('Brightwater');
  loaded.resolve();
  await answered;
  await page.keyboard.type(' and Sons');
  await expect(search).toHaveValue('Brightwater and Sons');
  await expect(search).toBeFocused();
  await expect(popover).toHaveCount(0);
  await fields.click();
  await expect(popover).toBeVisible();
});
