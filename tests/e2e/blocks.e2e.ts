import type { Page } from '@playwright/test';
import { SUPPLIERS } from './support/content.ts';
import { expectFocusInPage } from './support/focus.ts';
import { ownService } from './support/own-service.ts';
import { untilEditsStored } from './support/stored-edits.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const TABLE = `/tables/${SUPPLIERS}`;

/** The cell of a row, from 1, and a column, from 1. */
const cellIn = (page: Page) => (row: number, col: number) =>
  page.getByRole('grid').locator(`[data-row="${row - 1}"] [data-col="${col}"]`);
const marked = (page: Page) => page.locator('[role=gridcell][aria-selected=true]');
const saved = (page: Page) => page.getByText('Saved', { exact: true });

// Whether the view of the test before was remembered as its page was closed is a matter of chance.
test.beforeEach(async () => (await service.as('anna')).forgetViews());

test('fills, empties and copies a block by keys, within the block that is selected @long', async ({
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

test('continues numbers over which the handle is dragged @long', async ({ page }) => {
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
  await expect(page.locator('[data-fill-range]')).toHaveCount(3);
  await page.mouse.up();
  await expect(async () => {
    const now = await ben.suppliers('?limit=8');
    expect(now.slice(3).map(({ PAYMENTDAYS }) => PAYMENTDAYS)).toEqual([10, 20, 30, 40, 50]);
  }).toPass();
});

test('continues numbers that are saved only while the handle is dragged @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  await service.open(page, TABLE);
  const cell = cellIn(page);
  const heading = page.getByRole('columnheader', { name: 'Days to pay' });
  const days = Number(await heading.getAttribute('data-col'));
  const pulled = Promise.withResolvers<void>();
  await page.route('**/datasets**', async (route) => {
    if (route.request().method() === 'PUT') await pulled.promise;
    await route.continue();
  });
  await cell(14, days).click();
  await page.keyboard.type('11');
  await page.keyboard.press('Enter');
  await page.keyboard.type('22');
  await page.keyboard.press('Enter');
  await cell(14, days).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.locator('[data-fill-handle]').hover();
  await page.mouse.down();
  await cell(16, days).hover();
  await cell(17, days).hover();
  await expect(page.locator('[data-fill-range]')).toHaveCount(2);
  pulled.resolve();
  await expect(saved(page)).toBeVisible();
  await page.mouse.up();
  await expect(async () => {
    const now = await ben.suppliers('?limit=17');
    expect(now.slice(13).map(({ PAYMENTDAYS }) => PAYMENTDAYS)).toEqual([11, 22, 33, 44]);
  }).toPass();
});

test('a row selected by Shift+Space is deleted by Ctrl+Delete, and undoing leads to it @long', async ({
  page,
}) => {
  const admin = await service.as('admin');
  const [, , third] = await admin.suppliers('?limit=3');
  await service.open(page, '/', 'admin');
  await page.getByRole('link', { name: 'Suppliers' }).first().click();
  const cell = cellIn(page);
  await expect(cell(1, 1)).not.toBeEmpty();
  // The keyboard is still on the link: an arrow key enters the table.
  await page.keyboard.press('ArrowDown');
  await expect(cell(1, 1)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ ');
  await expect(cell(3, 1)).toHaveAttribute('aria-selected', 'true');
  const box = page.getByRole('grid');
  expect(await box.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
  await page.keyboard.press('Control+Delete');
  const question = page.getByRole('dialog', { name: 'Delete this record of Suppliers?' });
  await expect(question).toContainText(String(third?.['NAME']));
  await question.getByRole('button', { name: 'Delete the record' }).click();
  await expect(page.locator('footer').getByText('1 record deleted.')).toBeVisible();
  await expectFocusInPage(page);
  await cell(1, 1).click();
  await page.keyboard.press('Control+ArrowDown');
  await expect(cell(1, 1)).not.toBeInViewport();
  await page.keyboard.press('Control+z');
  await expect(page.locator('[data-row="2"] :focus')).toBeInViewport();
  await expect(cell(3, 1)).toHaveText(String(third?.['SUPPLIERNO']));
  await expect(page.getByRole('button', { name: /^Others added or deleted/ })).toBeHidden();
  expect((await admin.suppliers('?limit=3'))[2]).toEqual(third);
});

test('the keyboard stays with its record when the list is sorted @long', async ({ page }) => {
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

test('goes to a row by its number, selects all, and shows the keys @long', async ({ page }) => {
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
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Fill down');
});

test('an edited row stays where it is, marked, until the list is reloaded @long', async ({
  page,
}) => {
  await service.open(page, `${TABLE}?sort=CITY`);
  const cell = cellIn(page);
  const name = await cell(2, 2).innerText();
  await cell(2, 5).click();
  await page.keyboard.type('Zzyzx');
  await page.keyboard.press('Enter');
  await expect(saved(page)).toBeVisible();
  await expect(cell(2, 2)).toHaveText(name);
  await expect(page.getByRole('rowheader', { name: 'Row 2: will move' })).toBeVisible();
  await cell(2, 2).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.locator('[data-row]').filter({ hasText: 'Zzyzx' })).toHaveCount(1);
  await expect(cell(2, 2).filter({ hasText: name })).toHaveCount(0);
  await expect(page.getByText('will move')).toHaveCount(0);
  await expect(page.locator('[data-col="2"][tabindex="0"]')).toHaveText(name);
});

test('a column is pinned, moved, hidden and coloured; the address has it @long', async ({
  page,
}) => {
  await service.open(page, TABLE);
  const heading = (name: string) => page.getByRole('grid').getByRole('columnheader', { name });
  const choose = async (name: string, item: string) => {
    await heading(name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('Name', 'Freeze columns up to here');
  await choose('Street', 'Hide the column');
  await choose('City', 'Move to the left');
  await choose('City', 'Colour cells…');
  const dialog = page.getByRole('dialog', { name: 'Colour cells' });
  await dialog.getByRole('textbox', { name: 'Value' }).fill('b');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('[data-colour=red]').first()).toHaveText(/b/i);
  await expect(heading('Street')).toHaveCount(0);
  await page.reload();
  await expect(page.locator('[data-colour=red]').first()).toHaveText(/b/i);
  const labels = await page.getByRole('grid').getByRole('columnheader').allInnerTexts();
  expect(labels.slice(1, 5).map((label) => label.replace(/\s*\*$/, ''))).toEqual([
    'Supplier no.',
    'Name',
    'City',
    'Postcode',
  ]);
  await page.getByRole('grid').evaluate((box) => box.scrollBy(600, 0));
  await expect(heading('Name')).toBeInViewport({ ratio: 1 });
});

test('shows the values of a column with counts and sums, and filters by one @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const all = await ben.suppliers('?limit=200');
  const german = all.filter(({ COUNTRY }) => COUNTRY === 'DE');
  await service.open(page, TABLE);
  await page.getByRole('columnheader', { name: 'Country' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Summary…' }).click();
  const panel = page.getByRole('region', { name: 'Summary' });
  const row = panel.getByRole('row').filter({ has: page.getByRole('button', { name: 'DE' }) });
  await expect(row.getByRole('cell').nth(1)).toHaveText(String(german.length));
  // Beside each other, in line with the rest of the panel.
  const terms = panel.getByRole('term');
  const [filled, empty] = [await terms.nth(0).boundingBox(), await terms.nth(1).boundingBox()];
  expect(empty?.y).toBe(filled?.y);
  await row.getByRole('button').click();
  await expect(page.getByText(`${german.length} of ${all.length} records`)).toBeVisible();
  await expect(row.getByRole('button')).toHaveAttribute('aria-pressed', 'true');
  await row.getByRole('button').click();
  await expect(page.getByText(`${all.length} records`, { exact: true })).toBeVisible();
});

test('what was typed while the server was away outlives its tab @long', async ({
  page,
  context,
  watch,
}) => {
  watch.expectUnreachable();
  const ben = await service.as('ben');
  const [before] = await ben.suppliers('?limit=1');
  await service.open(page, TABLE);
  const cell = cellIn(page);
  await expect(cell(1, 2)).toHaveText(String(before?.['NAME']));
  await cell(1, 2).click();
  await service.kill();
  await untilEditsStored(page, async () => {
    await page.keyboard.type('Offenbach');
    await page.keyboard.press('Enter');
  });
  await expect(page.getByText('The server cannot be reached.')).toBeVisible();
  await page.close();
  await service.startAgain();
  expect((await ben.suppliers('?limit=1'))[0]).toEqual(before);

  const next = await context.newPage();
  await next.goto(service.url + TABLE);
  await expect(cellIn(next)(1, 2)).toHaveText('Offenbach');
  await expect(next.getByText('1 unsaved entry')).toBeVisible();
  await expect(async () => {
    expect((await ben.suppliers('?limit=1'))[0]).toEqual({ ...before, NAME: 'Offenbach' });
  }).toPass();
  // And it can still be undone.
  await cellIn(next)(1, 2).click();
  await next.keyboard.press('Control+z');
  await expect(async () => {
    expect((await ben.suppliers('?limit=1'))[0]).toEqual(before);
  }).toPass();
});
