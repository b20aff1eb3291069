import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('one record as a form, by keyboard alone @long', async ({ page }) => {
  const ben = await service.as('ben');
  const [first, second] = await ben.suppliers('?limit=2');
  await service.open(page, `/tables/${SUPPLIERS}`);
  const grid = page.getByRole('grid', { name: 'Suppliers' });
  await expect(grid.getByRole('rowheader', { name: 'Row 1', exact: true })).toBeVisible();
  await grid.getByRole('gridcell').first().focus();
  await page.keyboard.press('Control+i');
  const form = (jrid: string | undefined) => page.getByRole('region', { name: `Record ${jrid}` });
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

test('the history restores a value; a deletion says its consequence and is undone from the deleted records @long', async ({
  page,
  watch,
}) => {
  // The form of a deleted dataset asks for it.
  watch.expectStatus(404);
  const ben = await service.as('ben');
  const third = (await ben.suppliers('?limit=3')).at(-1);
  await service.open(page, `/tables/${SUPPLIERS}?selected=${third?.jrid}`, 'admin');
  const form = page.getByRole('region', { name: `Record ${third?.jrid}` });
  const city = form.getByLabel('City', { exact: true });
  await city.fill('Leer');
  await city.press('Enter');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await form.getByRole('button', { name: 'History' }).click();
  const newest = form.getByRole('listitem').filter({ hasText: 'Leer' }).first();
  await expect(newest).toContainText('Administrator');
  await newest.getByRole('button', { name: /^Restore City as it was before/ }).click();
  await expect(city).toHaveValue(String(third?.['CITY']));
  // Two entries, each with the one change in it.
  await expect(form.getByRole('listitem').filter({ hasText: 'Leer' })).toHaveCount(4);

  await form.getByRole('button', { name: 'Delete…' }).click();
  const question = page.getByRole('dialog', { name: 'Delete this record of Suppliers?' });
  await expect(question).toContainText(
    `${third?.jrid} ${third?.['SUPPLIERNO']} · ${third?.['NAME']}`,
  );
  await expect(question).toContainText(
    /chosen from this table|None of the records that you can see uses/,
  );
  await question.getByRole('button', { name: 'Delete the record' }).click();
  await expect(form).toContainText('You deleted this record');
  expect(await ben.suppliers(`?where[jrid][eq]=${third?.jrid}`)).toEqual([]);

  await page.getByRole('button', { name: 'Deleted records' }).first().click();
  const deleted = page.getByRole('region', { name: 'Deleted records' });
  await expect(deleted.getByRole('listitem')).toContainText(`${third?.jrid}`);
  await deleted.getByRole('checkbox', { name: `Choose record ${third?.jrid}` }).check();
  await deleted.getByRole('button', { name: 'Restore 1 record' }).click();
  await expect(deleted).toContainText('No record of this table is deleted.');
  expect(await ben.suppliers(`?where[jrid][eq]=${third?.jrid}`)).toEqual([third]);
});
