import { expectNoViolations } from './support/accessibility.ts';
import { archiveScreen, fieldIn } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

/** Rows enough for every state of a row: looking at each cell takes long. */
const FEW = 'where[revisionId][in]=10001,10002,10003,10009,10041,10042';

test('sign-in, also after a wrong password', async ({ page, watch }) => {
  watch.expectStatus(401);
  await page.goto(service.url);
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill('not the right one');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await expectNoViolations(page, { schemes: ['light', 'dark'] });
  // The page follows the system at once.
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('overview @long', async ({ page }) => {
  await service.open(page, '/');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Latest changes' })).toBeVisible();
  await expectNoViolations(page);
});

test('palette @long', async ({ page }) => {
  await service.open(page, '/');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('10');
  await expectNoViolations(page);
});

test('user menu and the dialog for the password @long', async ({ page }) => {
  await service.open(page, '/');
  await page.getByRole('button', { name: 'Anna Weiss' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('menuitem', { name: 'Change password…' }).click();
  await expect(page.getByRole('dialog', { name: 'Change password' })).toBeVisible();
  await expectNoViolations(page);
});

test('dialogs on a narrow screen @long', async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 860 });
  await service.open(page, '/administration/users', 'admin');
  await page.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByRole('dialog', { name: 'Add user' })).toBeVisible();
  await expectNoViolations(page);
  await service.open(page, `/tables/${SUPPLIERS}`, 'admin');
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Batch history…' }).click();
  await expect(page.getByRole('dialog', { name: 'Batch history' })).toBeVisible();
  await expectNoViolations(page);
});

test.describe('with the document', () => {
  test.use({ documents: true });

  test('archive with the form of a revision, a changed and a wrong field', async ({ page }) => {
    await service.open(page, `/archives/${INVOICES}?${FEW}&selected=10003`);
    const screen = archiveScreen(page);
    await screen.field('Invoice date').fill('2026-02-30');
    await screen.field('Remark').fill('changed');
    await expect(page.getByRole('region', { name: 'Document' })).toBeVisible();
    await expect(screen.changed).toHaveText('2 fields changed');
    await expectNoViolations(page, { schemes: ['light', 'dark'] });
  });
});

test('archive with the filter open, and rows selected @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?${FEW}&where[CURRENCY][eq]=CHF&sort=-TOTAL`);
  const screen = archiveScreen(page);
  const filter = page.getByRole('region', { name: 'Filter' });
  await filter.getByRole('button', { name: 'Add a condition' }).click();
  await screen.row(10009).getByRole('gridcell').first().click();
  await expect(page.getByRole('toolbar', { name: 'Selected revisions' })).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Fields' }).click();
  await expect(page.getByRole('dialog', { name: 'Choose the fields of the list' })).toBeVisible();
  await expectNoViolations(page);
});

test('figures of an archive @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}/figures`);
  await expect(page.getByRole('heading', { name: 'By field' })).toBeVisible();
  await expectNoViolations(page);
});

test('request and history of a revision @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?${FEW}&selected=10003`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('changed');
  await screen.chooseMore('Preview request');
  await expect(screen.request).toBeVisible();
  const history = screen.form.getByRole('region', { name: 'History' });
  await history.getByRole('button', { name: 'History' }).click();
  await expect(history).toContainText('load');
  await expectNoViolations(page);
});

test('what a reader sees @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?${FEW}&selected=10003`, 'rita');
  await expect(archiveScreen(page).form).toContainText('You can read this archive');
  await expectNoViolations(page);
});

test('preview of several at once @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?${FEW}`);
  const screen = archiveScreen(page);
  await screen.row(10001).getByRole('gridcell').first().click();
  await screen.row(10002).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: /^Correct together/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Correct 2 revisions together' });
  await dialog.getByRole('combobox', { name: /which field/i }).click();
  await page.keyboard.type('Remark');
  await page.getByRole('listbox').getByRole('option', { name: 'Remark' }).click();
  await fieldIn(dialog, 'Remark').fill('Both');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Both' })).toHaveCount(2);
  await expectNoViolations(page);
});

test('conflict @long', async ({ page, watch }) => {
  watch.expectStatus(412);
  const ben = await service.as('ben');
  await service.open(page, `/archives/${INVOICES}?${FEW}&selected=10041`);
  const screen = archiveScreen(page);
  await screen.field('Net').fill('1');
  await ben.correct(INVOICES, 10041, { NET: 10, PAGES: 4 });
  await screen.save.click();
  const panel = screen.conflict;
  await expect(
    panel.getByRole('heading', { name: /^Ben Carter changed this revision/ }),
  ).toBeVisible();
  await expectNoViolations(page);
  // Arrow keys choose among the radios of one field.
  const net = panel.getByRole('group', { name: 'Net', exact: true });
  await net.getByRole('radio', { name: /^Theirs/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(net.getByRole('radio', { name: /^Yours/ })).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await expect(net.getByRole('radio', { name: /^Theirs/ })).toBeChecked();
});

test('session ended @long', async ({ page, watch }) => {
  watch.expectStatus(401);
  await service.open(page, `/archives/${INVOICES}?${FEW}&selected=10042`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('typed');
  await page.context().clearCookies();
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  await expectNoViolations(page);
});

test('grid while editing, with a value that cannot be read @long', async ({ page }) => {
  await service.open(page, `/tables/${SUPPLIERS}?where[COUNTRY][eq]=FR`);
  const grid = page.getByRole('grid', { name: 'Suppliers' });
  const city = grid.getByRole('gridcell', { name: 'Lyon' }).first();
  await city.click();
  await page.keyboard.press('F2');
  await expect(grid.getByRole('textbox').or(grid.getByRole('combobox'))).toBeFocused();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');
  // Days to pay
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
  await page.keyboard.type('soon');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('group', { name: /^What is wrong with/ })).toBeVisible();
  await expectNoViolations(page);
});
