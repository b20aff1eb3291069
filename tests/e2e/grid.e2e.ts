import type { Page } from '@playwright/test';
import { fieldIn } from './support/archive-screen.ts';
import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const TABLE = `/tables/${SUPPLIERS}`;

const gridScreen = (page: Page) => {
  const grid = page.getByRole('grid', { name: 'Suppliers' });
  const row = (number: number | 'new') =>
    grid.getByRole('row').filter({
      has: page.getByRole('rowheader', {
        name: number === 'new' ? 'New record' : new RegExp(`^Row ${number}(?::|$)`),
        exact: true,
      }),
    });
  return {
    grid,
    row,
    async cell(number: number | 'new', label: string) {
      const header = grid.getByRole('columnheader', { name: new RegExp(`^${label}(?: \\*)?$`) });
      await expect(grid.getByRole('columnheader').nth(1)).toBeVisible();
      // Columns out of sight are not drawn.
      await expect(async () => {
        if ((await header.count()) === 0) await grid.evaluate((box) => box.scrollBy(300, 0));
        expect(await header.count()).toBeGreaterThan(0);
      }).toPass();
      const at = await header.first().getAttribute('aria-colindex');
      return row(number).locator(`[role=gridcell][aria-colindex="${at}"]`);
    },
    editor: grid.getByRole('textbox').or(grid.getByRole('combobox')),
    saved: page.getByText('Saved', { exact: true }),
    problems: page.getByRole('button', { name: /not saved$/ }),
    search: page.getByRole('searchbox', { name: 'Search in Suppliers' }),
  };
};

test('creates a record in the empty last row @long', async ({ page }) => {
  const ben = await service.as('ben');
  await service.open(page, TABLE);
  const { row, cell, grid, saved } = gridScreen(page);
  await expect(row(1)).toBeVisible();
  await page.getByRole('button', { name: 'New record' }).click();
  await page.keyboard.type('71000');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Neue Papierwelt GmbH');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('28195');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Bremen');
  // Nothing is sent before the row is left.
  expect(await ben.suppliers('?where[SUPPLIERNO][eq]=71000')).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await expect(saved).toBeVisible();
  const [created, ...more] = await ben.suppliers('?where[SUPPLIERNO][eq]=71000');
  expect(more).toEqual([]);
  expect(created).toMatchObject({
    NAME: 'Neue Papierwelt GmbH',
    STREET: null,
    POSTCODE: '28195',
    CITY: 'Bremen',
    // the defaults of the definition
    PAYMENTDAYS: 30,
    ACTIVE: true,
  });
  await expect(grid.getByRole('gridcell', { name: 'Neue Papierwelt GmbH' })).toBeVisible();
  // And there is another empty row, ready to be typed into.
  await expect(row('new')).toBeVisible();
  await expect(await cell('new', 'Supplier no.')).toBeFocused();
});

test('says in the new row what is missing, and creates nothing @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = await ben.suppliers('?limit=200');
  await service.open(page, TABLE);
  const { row, grid, problems } = gridScreen(page);
  await expect(row(1)).toBeVisible();
  await page.getByRole('button', { name: 'New record' }).click();
  await page.keyboard.type('7');
  await page.keyboard.press('Control+Enter');
  const unreadable = grid.getByRole('gridcell').filter({ hasText: 'must be written like' });
  await expect(unreadable).toHaveText(/^7/);
  // The tray below has made the grid lower.
  await expect(unreadable).toBeInViewport({ ratio: 1 });
  await expect(unreadable).toHaveAccessibleDescription(/must be written like/);
  await expect(unreadable).toHaveAttribute('aria-invalid', 'true');
  const missing = grid.getByRole('gridcell').filter({ hasText: 'A value is required.' });
  await expect(missing).toHaveAccessibleDescription('A value is required.');
  await expect(problems).toHaveText('1 entry is not saved');
  expect(await ben.suppliers('?limit=200')).toEqual(before);
  await page.getByRole('button', { name: 'Discard the new record' }).first().click();
  await expect(problems).toBeHidden();
});

test('edits by typing: Enter goes down, Tab to the right, Escape undoes @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const [first, second] = await ben.suppliers('?limit=2');
  await service.open(page, TABLE);
  const { cell, saved, editor } = gridScreen(page);
  await (await cell(1, 'City')).click();
  await page.keyboard.type('Lübeck');
  await page.keyboard.press('Enter');
  await expect(await cell(2, 'City')).toBeFocused();
  await expect(await cell(1, 'City')).toHaveText('Lübeck');
  await expect(saved).toBeVisible();
  const [changed] = await ben.suppliers('?limit=1');
  expect(changed).toEqual({ ...first, CITY: 'Lübeck' });

  // F2 keeps what is there, the caret behind it.
  await page.keyboard.press('F2');
  await expect(editor).toHaveValue(String(second?.['CITY']));
  await page.keyboard.type(' am See');
  await page.keyboard.press('Tab');
  await expect(await cell(2, 'City')).toHaveText(`${second?.['CITY']} am See`);
  await expect(await cell(2, 'Country')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await expect(await cell(1, 'City')).toBeFocused();
  await page.keyboard.type('Nowhere');
  await page.keyboard.press('Escape');
  await expect(await cell(1, 'City')).toHaveText('Lübeck');
  await expect(await cell(1, 'City')).toBeFocused();
  await expect(async () => {
    const now = await ben.suppliers('?limit=2');
    expect(now[0]).toEqual({ ...first, CITY: 'Lübeck' });
    expect(now[1]).toEqual({ ...second, CITY: `${second?.['CITY']} am See` });
  }).toPass();
});

test('has an editor for each type @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = (await ben.suppliers('?limit=3'))[2];
  await service.open(page, TABLE);
  const { cell, saved } = gridScreen(page);
  await (await cell(3, 'Country')).click();
  await page.keyboard.type('fr');
  await page.keyboard.press('Tab');
  await (await cell(3, 'Discount %')).click();
  await page.keyboard.type('2.75');
  await page.keyboard.press('Tab');
  await page.keyboard.type('45');
  await page.keyboard.press('Tab');
  // The cell of a yes or no switches by Space.
  await expect(await cell(3, 'Active')).toBeFocused();
  await page.keyboard.press(' ');
  await page.keyboard.press('Tab');
  await page.keyboard.type('20240229');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2026-07-01 14:05');
  await page.keyboard.press('Tab');
  await page.keyboard.type('one');
  await page.keyboard.press('Alt+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Control+Enter');
  await expect(saved).toBeVisible();
  await expect(async () => {
    expect((await ben.suppliers('?limit=3'))[2]).toEqual({
      ...before,
      COUNTRY: 'FR',
      DISCOUNT: 2.75,
      PAYMENTDAYS: 45,
      ACTIVE: before?.['ACTIVE'] !== true,
      SINCE: '2024-02-29',
      LASTCONTACT: '2026-07-01T14:05:00+02:00',
      NOTE: 'one\ntwo',
    });
  }).toPass();
});

test('keeps what cannot be read in its cell, with the message @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = (await ben.suppliers('?limit=4'))[3];
  await service.open(page, TABLE);
  const { cell, problems, saved, grid } = gridScreen(page);
  const since = await cell(4, 'Since');
  await since.click();
  await page.keyboard.type('2026-02-30');
  await page.keyboard.press('Enter');
  await expect(since).toContainText('2026-02-30');
  await expect(since).toHaveAccessibleDescription(/Enter a valid date/);
  await expect(problems).toHaveText('1 entry is not saved');
  expect((await ben.suppliers('?limit=4'))[3]).toEqual(before);
  // The foot leads back to it, and its message offers the way out.
  await problems.click();
  await expect(since).toBeFocused();
  await expect(page.getByRole('group', { name: 'What is wrong with Since' })).toContainText(
    'Enter a valid date',
  );
  await page.keyboard.press('F2');
  await expect(grid.getByRole('textbox')).toHaveValue('2026-02-30');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('28');
  await page.keyboard.press('Enter');
  await expect(saved).toBeVisible();
  await expect(problems).toBeHidden();
  expect((await ben.suppliers('?limit=4'))[3]).toEqual({ ...before, SINCE: '2026-02-28' });
});

test('shows at the cell that a value is taken already @long', async ({ page, watch }) => {
  watch.expectStatus(409);
  const ben = await service.as('ben');
  const [first, , , , fifth] = await ben.suppliers('?limit=5');
  await service.open(page, TABLE);
  const { cell, problems } = gridScreen(page);
  const number = await cell(5, 'Supplier no.');
  await number.click();
  await page.keyboard.type(String(first?.['SUPPLIERNO']));
  await page.keyboard.press('Enter');
  await expect(problems).toHaveText('1 entry is not saved');
  await expect(number).toContainText(String(first?.['SUPPLIERNO']));
  await expect(number).toHaveAccessibleDescription(/already|taken|another/i);
  expect((await ben.suppliers('?limit=5'))[4]).toEqual(fifth);
  await number.click();
  await page
    .getByRole('group', { name: 'What is wrong with Supplier no.' })
    .getByRole('button', { name: 'Restore the old value' })
    .click();
  await expect(number).toContainText(String(fifth?.['SUPPLIERNO']));
  await expect(problems).toBeHidden();
});

test('two people in one cell: both values are shown, one is chosen @long', async ({ page }) => {
  const ben = await service.as('ben');
  const record = (await ben.suppliers('?limit=6'))[5];
  await service.open(page, TABLE);
  const { cell, saved, problems } = gridScreen(page);
  const street = await cell(6, 'Street');
  await expect(street).toHaveText(String(record?.['STREET']));
  await street.click();
  await page.keyboard.type('Annas Weg 2');
  await ben.changeSupplier(record?.jrid ?? '', { STREET: 'Bens Weg 1', CITY: 'Bensheim' });
  await expect(street).toContainText('Ben Carter has changed this to “Bens Weg 1”');
  await page.keyboard.press('Enter');
  await expect(problems).toHaveText('1 entry is not saved');
  await street.click();
  const panel = page.getByRole('group', { name: 'What is wrong with Street' });
  await expect(panel).toContainText('Bens Weg 1');
  await expect(panel).toContainText('Annas Weg 2');
  await panel.getByRole('radio', { name: 'Yours Annas Weg 2' }).click();
  await panel.getByRole('button', { name: 'Save with this value' }).click();
  await expect(saved).toBeVisible();
  expect((await ben.suppliers('?limit=6'))[5]).toEqual({
    ...record,
    STREET: 'Annas Weg 2',
    CITY: 'Bensheim',
  });
});

test('a server that is away: what was typed waits in its cells and is saved @long', async ({
  page,
  watch,
}) => {
  watch.expectUnreachable();
  await service.open(page, TABLE);
  const { cell, saved } = gridScreen(page);
  const city = await cell(7, 'City');
  await city.click();
  await service.kill();
  await page.keyboard.type('Kiel');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible();
  await expect(city).toHaveText('Kiel');
  await expect(page.getByText('Saving…')).toBeVisible();
  await service.startAgain();
  await expect(saved).toBeVisible({ timeout: 20_000 });
  const ben = await service.as('ben');
  expect((await ben.suppliers('?limit=7'))[6]?.['CITY']).toBe('Kiel');
});

test('an answer of an unknown shape is said at its cell, and the call can be repeated @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(502);
  await service.open(page, TABLE);
  const { cell, saved } = gridScreen(page);
  const city = await cell(8, 'City');
  await page.route(
    '**/datasets/*',
    (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    { times: 1 },
  );
  await city.click();
  await page.keyboard.type('Husum');
  await page.keyboard.press('Enter');
  await expect(city).toHaveAccessibleDescription(/status 502\) does not come from the service/);
  await city.click();
  const panel = page.getByRole('group', { name: 'What is wrong with City' });
  await panel.getByRole('button', { name: 'Try again' }).click();
  await expect(saved).toBeVisible();
});

test('filters, sorts and searches at the service, and the address keeps the view @long', async ({
  page,
}) => {
  await service.open(page, TABLE);
  const { grid, row, search } = gridScreen(page);
  await expect(row(1)).toBeVisible();
  await page.getByRole('button', { name: 'Filter' }).click();
  const condition = page
    .getByRole('region', { name: 'Filter' })
    .getByRole('group', { name: 'Condition' });
  await condition.getByLabel('Field').selectOption('Country');
  await fieldIn(condition, 'Value').click();
  await page.getByRole('listbox').getByRole('option', { name: 'FR' }).click();
  await expect(page).toHaveURL(/where\[COUNTRY\]\[eq\]=FR/);
  await grid.getByRole('columnheader', { name: 'Name' }).click();
  await expect(page).toHaveURL(/sort=NAME/);
  await search.fill('lyon');
  await expect(page).toHaveURL(/q=lyon/);
  await expect(page.getByText(/^\d+ of \d+ records, filtered$/)).toBeVisible();
  await expect(grid).toHaveAttribute('aria-busy', 'false');
  const texts = await grid.getByRole('row').allInnerTexts();
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts.slice(1, -1)) expect(text).toContain('FR');
  await page.reload();
  await expect(row(1)).toBeVisible();
  await expect(search).toHaveValue('lyon');
  await expect(async () =>
    expect(await grid.getByRole('row').allInnerTexts()).toEqual(texts),
  ).toPass();
  await expect(grid.getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  );
});

test('a reader cannot type into it @long', async ({ page }) => {
  await service.open(page, TABLE, 'rita');
  const { grid, cell, row, editor } = gridScreen(page);
  await expect(row(1)).toBeVisible();
  await expect(page.getByText('read only')).toBeVisible();
  await expect(grid).toHaveAttribute('aria-readonly', 'true');
  await (await cell(1, 'City')).click();
  await page.keyboard.type('x');
  await page.keyboard.press('F2');
  await page.keyboard.press('Delete');
  await expect(editor).toBeHidden();
  await expect(row('new')).toBeHidden();
  await expect(page.getByRole('button', { name: 'New record' })).toBeHidden();
});
