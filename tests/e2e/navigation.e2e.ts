import type { Page, Route } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService();

const startHeading = (page: Page) => page.getByRole('heading', { name: 'Overview', level: 1 });
const invoicesHeading = (page: Page) =>
  page.getByRole('heading', { name: 'Supplier invoices', level: 1 });
const suppliersHeading = (page: Page) => page.getByRole('heading', { name: 'Suppliers', level: 1 });
const sideLink = (page: Page, name: RegExp) =>
  page.getByRole('navigation', { name: 'Archives and tables' }).getByRole('link', { name });

/** Stands in the way of the scripts of the page of tables; whatever else a page needs comes. */
async function beforeTables(page: Page, work: (route: Route) => Promise<void>) {
  await page.route(/\/assets\/tables-[^/]*\.js$/, work);
}

test('a page begins to come when the pointer or the cursor is on a link to it @long', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await service.open(page, '/');
  await expect(startHeading(page)).toBeVisible();
  const isAsked = (what: RegExp) => asked.some((path) => what.test(path));
  expect(isAsked(/\/assets\/tables-/)).toBe(false);
  const archivePage = /\/assets\/archives-[\w-]{8}\.js$/;
  await sideLink(page, /^Suppliers/).hover();
  await expect.poll(() => isAsked(/\/assets\/tables-[^/]*\.js$/)).toBe(true);
  await expect.poll(() => isAsked(new RegExp(`/tables/${SUPPLIERS}$`))).toBe(true);
  // The overview itself asks for the definitions of archives in which checks find something.
  expect(isAsked(archivePage)).toBe(false);
  await sideLink(page, /^Supplier invoices/).focus();
  await expect.poll(() => isAsked(archivePage)).toBe(true);
  await expect(page).toHaveURL(`${service.url}/`);
});

test('the page before stays for a moment, then the frame says that the next one is coming @long', async ({
  page,
}) => {
  const coming = Promise.withResolvers<void>();
  await beforeTables(page, async (route) => {
    await coming.promise;
    await route.continue();
  });
  await service.open(page, '/');
  await expect(startHeading(page)).toBeVisible();
  const link = sideLink(page, /^Suppliers/);
  await link.click();
  // The address and the side bar say at once where one is going.
  await expect(page).toHaveURL(`${service.url}/tables/${SUPPLIERS}`);
  await expect(link).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('main').getByLabel('Loading')).toBeVisible();
  await expect(startHeading(page)).toBeHidden();
  await expect(link).toBeVisible();
  // Whoever goes elsewhere meanwhile is not fetched back.
  await sideLink(page, /^Supplier invoices/).click();
  await expect(invoicesHeading(page)).toBeVisible();
  const come = page.waitForResponse(/\/assets\/tables-[^/]*\.js$/);
  coming.resolve();
  await (await come).finished();
  await expect(invoicesHeading(page)).toBeVisible();
  await page.goBack();
  await expect(suppliersHeading(page)).toBeVisible();
});

test('a page that cannot be loaded is reported within the frame, and is shown when tried again @long', async ({
  page,
  watch,
}) => {
  watch.expectUnreachable();
  // The page is loaded anew once first, as its script may be of a version before.
  watch.expectThrown(/dynamically imported module/);
  let away = true;
  let loaded = 0;
  // Not `load` events: the first document is left before it has one.
  page.on('request', (request) => (request.isNavigationRequest() ? loaded++ : undefined));
  await beforeTables(page, (route) => (away ? route.abort('connectionrefused') : route.continue()));
  await service.open(page, '/');
  await sideLink(page, /^Suppliers/).click();
  const told = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
  await expect(told).toBeVisible();
  expect(loaded).toBe(2);
  await expect(sideLink(page, /^Suppliers/)).toBeVisible();
  // Other pages can be gone to.
  await sideLink(page, /^Supplier invoices/).click();
  await expect(invoicesHeading(page)).toBeVisible();
  await page.goBack();
  await expect(told).toBeVisible();
  away = false;
  await told.getByRole('button', { name: 'Try again' }).click();
  await expect(suppliersHeading(page)).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/tables/${SUPPLIERS}`);
  expect(loaded).toBe(2);
});

test('a page that cannot be shown says so within the frame, and comes when tried again @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(400);
  await service.open(page, '/');
  await expect(startHeading(page)).toBeVisible();
  const definition = new RegExp(`/archives/${INVOICES}$`);
  const asked = (url: URL) => url.pathname.startsWith('/api/') && definition.test(url.pathname);
  await page.route(asked, (route) => route.fulfill({ status: 400, body: 'Not today.' }));
  await sideLink(page, /^Supplier invoices/).click();
  const told = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
  await expect(told.getByRole('textbox')).toHaveValue('Not today.');
  await expect(sideLink(page, /^Supplier invoices/)).toBeVisible();
  await page.unroute(asked);
  await told.getByRole('button', { name: 'Try again' }).click();
  await expect(invoicesHeading(page)).toBeVisible();
});

test('what is not there says so within the frame @long', async ({ page, watch }) => {
  watch.expectStatus(404);
  await service.open(page, '/archives/NOTHING');
  await expect(
    page.getByRole('heading', { name: 'There is nothing at this address' }),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await expect(startHeading(page)).toBeVisible();
});

test('opening a page moves the focus to its heading, and an arrow key enters its list @long', async ({
  page,
}) => {
  await service.open(page, '/');
  await expect(startHeading(page)).toBeVisible();
  await sideLink(page, /^Supplier invoices/).click();
  const list = page.getByRole('grid', { name: 'Revisions of Supplier invoices' });
  await expect(list.getByRole('gridcell').first()).toBeVisible();
  await expect(invoicesHeading(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list).toBeFocused();
  await sideLink(page, /^Suppliers/).click();
  const grid = page.getByRole('grid', { name: /Suppliers$/ });
  await expect(grid.getByRole('gridcell').first()).toBeVisible();
  await expect(suppliersHeading(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(grid.locator(':focus')).toHaveCount(1);
});

test('an unknown address keeps the frame around its message @long', async ({ page }) => {
  await service.open(page, '/no/such/page');
  await expect(
    page.getByRole('main').getByRole('heading', { name: 'There is no page at this address' }),
  ).toBeVisible();
  await sideLink(page, /^Suppliers/).click();
  await expect(suppliersHeading(page)).toBeVisible();
});

test('an address that leads nowhere says so, after signing in @long', async ({ page }) => {
  await page.goto(`${service.url}/archives/${INVOICES}/m%C3%BCsli`);
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: 'There is no page at this address' });
  await expect(heading).toBeVisible();
  await expect(page).toHaveTitle('Not found · Indexdesk');
  await expect(page.getByText(`/archives/${INVOICES}/müsli`)).toBeVisible();
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await expect(startHeading(page)).toBeVisible();
});

test('back and forward go through pages and views, and redirections are no place @long', async ({
  page,
}) => {
  await service.signIn(page.context(), 'anna');
  await page.goto(`${service.url}/sign-in?next=/archives/${INVOICES}`);
  await expect(invoicesHeading(page)).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/archives/${INVOICES}`);
  const { row, formOf } = archiveScreen(page);
  await row(10002).getByRole('gridcell').nth(1).click();
  await expect(formOf(10002)).toBeVisible();
  await sideLink(page, /^Suppliers/).click();
  await expect(suppliersHeading(page)).toBeVisible();
  await page.goBack();
  await expect(formOf(10002)).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/archives/${INVOICES}?selected=10002`);
  await page.goBack();
  await expect(formOf(10002)).toBeHidden();
  await expect(page).toHaveURL(`${service.url}/archives/${INVOICES}`);
  await page.goForward();
  await expect(formOf(10002)).toBeVisible();
  await page.goForward();
  await expect(suppliersHeading(page)).toBeVisible();
  await expect(page).toHaveTitle('Suppliers · Indexdesk');
});

test('a link is opened in another tab as the browser has it @long', async ({ page, context }) => {
  await service.open(page, '/');
  const other = context.waitForEvent('page');
  await sideLink(page, /^Suppliers/).click({ modifiers: ['ControlOrMeta'] });
  await expect(suppliersHeading(await other)).toBeVisible();
  const third = context.waitForEvent('page');
  await sideLink(page, /^Supplier invoices/).click({ button: 'middle' });
  await expect(invoicesHeading(await third)).toBeVisible();
  await expect(startHeading(page)).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/`);
});

test('the side bar marks where one is, also in what belongs to it @long', async ({ page }) => {
  await service.open(page, '/');
  const current = page.locator('a[aria-current]');
  await expect(current).toHaveText(['Indexdesk']);
  await page.goto(`${service.url}/archives/${INVOICES}?q=paper`);
  await expect(current).toHaveText([/^Supplier invoices/]);
  await page.getByRole('button', { name: /^Correct these \d+$/ }).click();
  await expect(page).toHaveURL(/\/queue\/\d+$/);
  await expect(current).toHaveText([/^Supplier invoices/]);
});

test('who gives up signing in again comes back to the same place after it @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  const asked = `${service.url}/archives/${INVOICES}?selected=10061`;
  await service.open(page, `/archives/${INVOICES}?selected=10061`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('left without saving');
  await page.context().clearCookies();
  // Unless the page has asked for something else by then.
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Indexdesk' })).toBeVisible();
  await expect(page).toHaveTitle('Sign in · Indexdesk');
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(asked);
  await expect(screen.formOf(10061)).toBeVisible();
});

test('a page takes the responses that were requested before its scripts ran @long', async ({
  page,
}) => {
  for (const path of [`/archives/${INVOICES}`, `/tables/${SUPPLIERS}`]) {
    const asked: string[] = [];
    const note = (request: { url(): string }) => asked.push(request.url());
    page.on('request', note);
    await service.open(page, path);
    await expect(page.getByRole('grid').getByRole('row').nth(2)).toBeVisible();
    page.off('request', note);
    const firstPages = asked.filter((url) => /\/(?:index|datasets)\?/.test(url));
    expect(firstPages).toHaveLength(1);
  }
});
