import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('one dataset as a form, by keyboard alone', async ({ page }) => {
  const ben = await service.as('ben');
  const [first, second] = await ben.suppliers('?limit=2');
  await service.open(page, `/tables/${SUPPLIERS}`);
  const grid = page.getByRole('grid', { name: 'Suppliers' });
  await expect(grid.getByRole('rowheader', { name: 'Row 1', exact: true })).toBeVisible();
  await grid.getByRole('gridcell').first().focus();
  await page.keyboard.press('Control+i');
  const form = (jrid: string | undefined) => page.getByRole('region', { name: `Dataset ${jrid}` });
  const city = (jrid: string | undefined) => form(jrid).getByLabel('City', { exact: true });
  await expect(form(first?.jrid).locator('[data-column] input').first()).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`selected=${first?.jrid}$`));

  while (!(await city(first?.jrid).evaluate((input) => input === document.activeElement))) {
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Lübeck');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(city(second?.jrid)).toBeFocused();
  await expect(grid.getByRole('gridcell', { name: 'Lübeck' }).first()).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect((await ben.suppliers('?limit=1'))[0]).toEqual({ ...first, CITY: 'Lübeck' });

  await page.keyboard.press('Alt+ArrowUp');
  await expect(city(first?.jrid)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(grid.locator('[role=gridcell]:focus')).toBeVisible();
  await page.keyboard.press('Control+i');
  await page.keyboard.press('Control+i');
  await expect(form(first?.jrid)).toBeHidden();
});
