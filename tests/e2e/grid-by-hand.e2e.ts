import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { runInHost } from './support/hosted-service.ts';
import { SUPPLIERS } from './support/content.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const LONG = '0f6f2a52-93d1-4c58-a1d3-6b2f5b8d9e01';
/** Enough that rows of four lines are together taller than a browser makes an element. */
const LONG_ROWS = 145_000;

const service = ownService({
  prepare: async (dataDir) => {
    await copyContent(dataDir);
    const file = join(dataDir, '..', 'long.json');
    const columns = [
      { name: 'NO', label: 'No.', type: 'integer' },
      { name: 'DAY', label: 'Day', type: 'date' },
    ];
    const datasets = Array.from({ length: LONG_ROWS }, (_, i) => ({ NO: i + 1 }));
    const tables = [{ guid: LONG, name: 'LONG', label: 'Long list', columns, datasets }];
    await writeFile(file, JSON.stringify({ tables }));
    await runInHost(['load', file, '--data', dataDir]);
  },
});
const TABLE = `/tables/${SUPPLIERS}`;

const cellIn = (page: Page) => (row: number, col: number) =>
  page.getByRole('grid').locator(`[data-row="${row - 1}"] [data-col="${col}"]`);
const marked = (page: Page) => page.locator('[role=gridcell][data-marked]');
const heading = (page: Page, name: string) =>
  page.getByRole('grid').getByRole('columnheader', { name: new RegExp(`^${name}`) });
const widthOf = async (locator: Locator) => (await locator.boundingBox())?.width ?? 0;
const labels = async (page: Page) =>
  (await page.getByRole('grid').getByRole('columnheader').allInnerTexts())
    .slice(1)
    .map((label) => label.replace(/\s*[*\d]*\s*$/, ''));

test.beforeEach(async () => (await service.as('anna')).forgetViews());

test('selects cells and blocks beside each other, fills to the right, puts in today @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.suppliers('?limit=8');
  await service.open(page, TABLE);
  const cell = cellIn(page);
  const col = async (name: string) => Number(await heading(page, name).getAttribute('data-col'));
  const [street, city] = [await col('Street'), await col('City')];

  await cell(2, city).click();
  await cell(4, city).click({ modifiers: ['Control'] });
  await expect(marked(page)).toHaveCount(2);
  await cell(6, street).hover();
  await page.keyboard.down('Control');
  await page.mouse.down();
  await cell(7, city).hover();
  await page.mouse.up();
  await page.keyboard.up('Control');
  await expect(marked(page)).toHaveCount(2 + 2 * (city - street + 1));
  await page.keyboard.press('Control+Space');
  await expect(cell(1, city)).toHaveAttribute('aria-selected', 'true');
  await expect(cell(1, street)).toHaveAttribute('aria-selected', 'true');
  await expect(cell(1, 1)).toHaveAttribute('aria-selected', 'false');

  const name = await col('Name');
  expect(street).toBe(name + 1);
  await cell(3, name).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Control+r');
  await expect(cell(4, street)).toHaveText(String(before[3]?.['NAME']));
  await expect(async () => {
    const now = await ben.suppliers('?limit=8');
    expect(now.slice(2, 4).map(({ STREET }) => STREET)).toEqual(
      before.slice(2, 4).map(({ NAME }) => NAME),
    );
  }).toPass();
  await page.keyboard.press('Control+z');
  await expect(cell(3, street)).toHaveText(String(before[2]?.['STREET']));

  await service.open(page, `/tables/${LONG}`, 'admin');
  await cell(2, 2).click();
  await page.keyboard.press('Control+;');
  const today = await page.evaluate(() => new Date().toLocaleDateString('en-GB'));
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.keyboard.press('F2');
  await expect(page.getByRole('textbox', { name: 'Day' })).toHaveValue(today);
});

test('moves by keys to all edges, and a page at a time @long', async ({ page }) => {
  await service.open(page, TABLE);
  const cell = cellIn(page);
  const focused = page.locator('[role=gridcell]:focus');
  const place = async () => {
    const [row, col] = await focused.evaluate((cell) => [
      cell.closest('[data-row]')?.getAttribute('data-row'),
      cell.getAttribute('data-col'),
    ]);
    return [Number(row), Number(col)] as const;
  };
  await cell(5, 3).click();
  const grid = page.getByRole('grid');
  const [rows, cols] = [
    Number(await grid.getAttribute('aria-rowcount')) - 1,
    Number(await grid.getAttribute('aria-colcount')) - 1,
  ];
  const steps: readonly (readonly [string, number, number])[] = [
    ['End', 4, cols],
    ['Home', 4, 1],
    ['Control+ArrowRight', 4, cols],
    ['Control+ArrowDown', rows - 1, cols],
    ['Control+ArrowLeft', rows - 1, 1],
    ['Control+ArrowUp', 0, 1],
    ['Control+End', rows - 1, cols],
    ['Control+Home', 0, 1],
  ];
  for (const [key, row, col] of steps) {
    await page.keyboard.press(key);
    await expect.poll(place, key).toEqual([row, col]);
    await expect(focused).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press('PageDown');
  await expect.poll(async () => (await place())[0]).toBeGreaterThan(5);
  await page.keyboard.press('PageUp');
  await expect.poll(place).toEqual([0, 1]);
  await page.keyboard.press('Control+Shift+End');
  await expect(page.getByText(`${rows * cols} cells selected`)).toBeVisible();
});

test('columns: width by pulling and by keys, place by pulling, several sorts, lines; the address keeps them @long', async ({
  page,
}) => {
  await service.open(page, TABLE);
  const name = heading(page, 'Name');
  await expect(name).toBeVisible();
  const before = await widthOf(name);
  const box = await name.boundingBox();
  if (!box) throw new Error('The heading is not drawn.');
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.abs((await widthOf(name)) - before - 62)).toBeLessThan(4);
  expect(await name.getAttribute('aria-sort')).toBe('none');
  await cellIn(page)(1, 2).click();
  await page.keyboard.press('ArrowUp');
  await expect(name).toBeFocused();
  await page.keyboard.press('Alt+ArrowDown');
  await page.getByRole('menuitem', { name: 'Narrower' }).press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(async () => Math.abs((await widthOf(name)) - before - 38)).toBeLessThan(4);
  await expect(name).toBeFocused();

  const first = await labels(page);
  await name.getByText('Name').dragTo(heading(page, 'City'));
  const moved = first.filter((label) => label !== 'Name');
  moved.splice(first.indexOf('City'), 0, 'Name');
  await expect.poll(() => labels(page)).toEqual(moved);

  await heading(page, 'Country').click();
  await heading(page, 'City').click({ modifiers: ['Shift'] });
  await heading(page, 'City').click({ modifiers: ['Shift'] });
  await expect(heading(page, 'Country')).toHaveAttribute('aria-sort', 'ascending');
  await expect(heading(page, 'City')).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/sort=COUNTRY(?:,|%2C)-CITY/);

  const height = async () => (await cellIn(page)(1, 1).boundingBox())?.height ?? 0;
  const line = await height();
  await page.getByRole('button', { name: 'Row height: 1' }).click();
  await page.getByRole('menuitem', { name: 'Up to 3 lines' }).click();
  await expect.poll(height).toBeGreaterThan(line + 20);
  await page.reload();
  await expect.poll(height).toBeGreaterThan(line + 20);
  await expect.poll(() => labels(page)).toEqual(moved);
  await expect(heading(page, 'City')).toHaveAttribute('aria-sort', 'descending');
  await expect.poll(async () => Math.abs((await widthOf(name)) - before - 38)).toBeLessThan(4);
});

test('the last row is reached by the scroll bar, beyond the height that a browser gives an element @long', async ({
  page,
}) => {
  await service.open(page, `/tables/${LONG}?lines=4`, 'admin');
  const cell = cellIn(page);
  await expect(cell(1, 1)).toHaveText('1');
  const grid = page.getByRole('grid');
  const tallest = await grid.evaluate((box) => box.scrollHeight);
  expect(tallest).toBeLessThan(13_000_000);
  await grid.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
  await expect(cell(LONG_ROWS, 1)).toHaveText(String(LONG_ROWS));
  await expect(cell(LONG_ROWS, 1)).toBeInViewport();
  await expect(page.getByRole('row', { name: 'New record' })).toHaveAttribute(
    'aria-rowindex',
    String(LONG_ROWS + 2),
  );
  // In proportion in between, and by the wheel row by row.
  await grid.evaluate((box) => box.scrollTo({ top: box.scrollHeight / 2 }));
  // The first that is drawn is the one that holds the keyboard.
  const top = async () => Number(await page.locator('[data-row]').nth(1).getAttribute('data-row'));
  await expect.poll(async () => Math.abs((await top()) - LONG_ROWS / 2)).toBeLessThan(50);
  const from = await top();
  await grid.hover();
  await page.mouse.wheel(0, 500);
  await expect.poll(async () => (await top()) - from).toBeGreaterThan(3);
  expect((await top()) - from).toBeLessThan(9);
});

test('gives screen readers the position of each row and cell, what is wrong in it, and nothing else @long', async ({
  page,
}) => {
  await service.open(page, `${TABLE}?frozen=2`);
  const cell = cellIn(page);
  const grid = page.getByRole('grid');
  await expect(cell(1, 1)).toBeVisible();
  const places = () =>
    grid.evaluate((grid) => {
      const numbers = (elements: Iterable<Element>, name: string) =>
        [...elements].map((element) => Number(element.getAttribute(name) ?? Number.NaN));
      const rows = [...grid.querySelectorAll('[role=row]')];
      return {
        rows: numbers(rows, 'aria-rowindex'),
        cells: rows.map((row) => numbers(row.children, 'aria-colindex')),
        count: Number(grid.getAttribute('aria-rowcount')),
        columns: Number(grid.getAttribute('aria-colcount')),
        roles: rows.flatMap((row) => [...row.children].map(({ role }) => role)),
      };
    });
  const inOrder = (numbers: readonly number[], last: number) =>
    numbers.every((number, i) => number > (numbers[i - 1] ?? 0) && number <= last);
  // At the left, and at the right with the frozen columns and the row that does not exist yet.
  for (const key of ['Control+Home', 'Control+End']) {
    await cell(1, 1).focus();
    await page.keyboard.press(key);
    await expect.poll(async () => (await places()).rows.length).toBeGreaterThan(5);
    const { rows, cells, count, columns, roles } = await places();
    expect(inOrder(rows, count), String(rows)).toBe(true);
    for (const one of cells) {
      expect(inOrder(one, columns), String(one)).toBe(true);
      expect(one.slice(0, 3)).toEqual([1, 2, 3]);
    }
    expect(new Set(roles)).toEqual(new Set(['columnheader', 'gridcell', 'rowheader']));
  }
  const fresh = page.getByRole('row', { name: 'New record' });
  await expect(fresh).toHaveAttribute(
    'aria-rowindex',
    (await grid.getAttribute('aria-rowcount')) ?? '',
  );

  await page.keyboard.press('Control+Home');
  const value = await cell(1, 1).innerText();
  await expect(cell(1, 1)).toBeFocused();
  await expect(cell(1, 1)).toHaveAccessibleName(value);
  const days = Number(await heading(page, 'Days to pay').getAttribute('data-col'));
  await cell(1, days).click();
  await page.keyboard.type('soon');
  await page.keyboard.press('Control+Enter');
  await expect(cell(1, days)).toHaveAttribute('aria-invalid', 'true');
  await expect(cell(1, days)).toHaveAccessibleName('soon');
  await expect(cell(1, days)).toHaveAccessibleDescription(/must be a number/);
  const said = page.getByRole('status', { name: 'Status of the table' });
  await expect(said).toContainText('1 entry is not saved. Days to pay: ');
  await expect(page.locator('main [aria-live]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Not saved', exact: true }).click();
  await page.getByRole('button', { name: 'Discard all' }).click();
});

test('the number of a row is read in full beside its button, however many there are @long', async ({
  page,
}) => {
  await service.open(page, `/tables/${LONG}`, 'admin');
  await cellIn(page)(1, 1).click();
  await page.keyboard.press('Control+End');
  await cellIn(page)(LONG_ROWS, 1).hover();
  const header = page.locator(`[data-row="${LONG_ROWS - 1}"] [role=rowheader]`);
  await header.getByRole('button', { includeHidden: true }).waitFor();
  const [number, button] = [
    await header.getByText(LONG_ROWS.toLocaleString('en'), { exact: true }).last().boundingBox(),
    await header.getByRole('button', { includeHidden: true }).boundingBox(),
  ];
  expect((number?.x ?? 0) + (number?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
});
