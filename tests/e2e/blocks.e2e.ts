import type { Page } from '@playwright/test';
import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const TABLE = `/tables/${SUPPLIERS}`;

/** The cell of a row, from 1, and a column, from 1. */
const cellIn = (page: Page) => (row: number, col: number) =>
  page.getByRole('grid').locator(`[data-row="${row - 1}"] [data-col="${col}"]`);
const marked = (page: Page) => page.locator('[role=gridcell][aria-selected=true]');
const saved = (page: Page) => page.getByText('Saved', { exact: true });

test('fills, empties and copies a block by keys, within the block that is selected', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.suppliers('?limit=4');
  await service.open(page, TABLE);
  const cell = cellIn(page);
  const city = 5;
  await expect(cell(1, city)).toHaveText(String(before[0]?.['CITY']));
  await cell(1, city).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(marked(page)).toHaveCount(3);
  await page.keyboard.press('Control+d');
  await expect(cell(3, city)).toHaveText(String(before[0]?.['CITY']));
  await expect(saved(page)).toBeVisible();
  // Typing goes to the cell where the selection began; Enter goes on within it.
  await page.keyboard.type('Ulm');
  await page.keyboard.press('Enter');
  await expect(cell(2, city)).toBeFocused();
  await expect(marked(page)).toHaveCount(3);
  await page.keyboard.type('Kiel');
  await page.keyboard.press('Control+Enter');
  for (const row of [1, 2, 3]) await expect(cell(row, city)).toHaveText('Kiel');
  await expect(async () => {
    const now = await ben.suppliers('?limit=4');
    expect(now.map(({ CITY }) => CITY)).toEqual(['Kiel', 'Kiel', 'Kiel', before[3]?.['CITY']]);
  }).toPass();
  await page.keyboard.press('Delete');
  await expect(async () => {
    const now = await ben.suppliers('?limit=4');
    expect(now.map(({ CITY }) => CITY)).toEqual([null, null, null, before[3]?.['CITY']]);
  }).toPass();
});

test('goes on with numbers that the handle is pulled over', async ({ page }) => {
  const ben = await service.as('ben');
  await service.open(page, TABLE);
  const cell = cellIn(page);
  const heading = page.getByRole('columnheader', { name: 'Days to pay' });
  const days = Number(await heading.getAttribute('data-col'));
  await cell(4, days).click();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await cell(4, days).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.locator('[data-fill-handle]').hover();
  await page.mouse.down();
  await cell(6, days).hover();
  await cell(8, days).hover();
  await expect(page.locator('[data-pulled]')).toHaveCount(3);
  await page.mouse.up();
  await expect(async () => {
    const now = await ben.suppliers('?limit=8');
    expect(now.slice(3).map(({ PAYMENTDAYS }) => PAYMENTDAYS)).toEqual([10, 20, 30, 40, 50]);
  }).toPass();
});

test('the keyboard stays with its record when the list is sorted', async ({ page }) => {
  await service.open(page, TABLE);
  const cell = cellIn(page);
  const name = await cell(12, 2).innerText();
  await cell(12, 2).click();
  await page.getByRole('columnheader', { name: 'City' }).click();
  await expect(page.getByRole('columnheader', { name: 'City' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
  await expect(page.locator('[data-col="2"]:focus')).toHaveText(name);
});

test('goes to a row by its number, selects all, and shows the keys', async ({ page }) => {
  await service.open(page, TABLE);
  const cell = cellIn(page);
  await cell(1, 1).click();
  await page.keyboard.press('Control+g');
  await page.keyboard.type('40');
  await page.keyboard.press('Enter');
  await expect(cell(40, 1)).toBeFocused();
  await page.keyboard.press('Control+a');
  await expect(cell(41, 3)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Fill down');
});
