import type { BrowserContext, Page } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, LETTERS, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const LIST = `/archives/${INVOICES}`;

const signedIn = new WeakSet<BrowserContext>();

async function openAs(
  context: BrowserContext,
  username: 'anna' | 'ben',
  path: string,
): Promise<Page> {
  // Another sign-in would end the session with which a page of this browser is still loading.
  if (!signedIn.has(context)) await service.signIn(context, username);
  signedIn.add(context);
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('indexdesk-preview', 'hidden'));
  await page.goto(service.url + path);
  return page;
}

test('eight tabs of one browser share one stream: each saves, and the others see it @long', async ({
  context,
}) => {
  const tabs: { readonly page: Page; readonly id: number; readonly screen: Screen }[] = [];
  for (const id of [10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008]) {
    const page = await openAs(context, 'anna', `${LIST}?selected=${id}`);
    const screen = archiveScreen(page);
    await expect(screen.formOf(id)).toBeVisible();
    tabs.push({ page, id, screen });
  }
  for (const { id, screen, page } of tabs) {
    // One after the other, so that each can be seen by all.
    await page.bringToFront();
    await screen.field('Supplier').fill(`Saved in tab ${id}`);
    await page.keyboard.press('Control+s');
    await expect(screen.changed).toHaveText('Nothing changed');
    await Promise.all(
      tabs.map((other) => expect(other.screen.row(id)).toContainText(`Saved in tab ${id}`)),
    );
  }
  // What another tab saves in the revision that is open here.
  const [first, second] = tabs;
  if (!first || !second) throw new Error('There are no tabs.');
  await second.page.goto(`${service.url}${LIST}?selected=${first.id}`);
  await second.screen.field('Supplier').fill('Saved in the other tab');
  await second.page.keyboard.press('Control+s');
  await expect(first.screen.field('Supplier')).toHaveValue('Saved in the other tab');
});

test('what somebody else saves shows in the list and in the open form, but not over what is typed', async ({
  browser,
  context,
}) => {
  const elsewhere = await browser.newContext();
  const anna = await openAs(context, 'anna', `${LIST}?selected=10010`);
  const ben = await openAs(elsewhere, 'ben', `${LIST}?selected=10010`);
  const [hers, his] = [archiveScreen(anna), archiveScreen(ben)];
  await expect(his.form.getByText('Anna Weiss has this open.')).toBeAttached();
  await hers.field('Remark').fill('Typed by Anna');
  await his.field('Remark').fill('Saved by Ben');
  await his.field('Supplier').fill('Ben & Sons');
  await ben.keyboard.press('Control+s');
  await expect(his.changed).toHaveText('Nothing changed');

  await expect(hers.field('Supplier')).toHaveValue('Ben & Sons');
  await expect(hers.row(10010)).toContainText('Ben & Sons');
  await expect(hers.field('Remark')).toHaveValue('Typed by Anna');
  await expect(hers.form.getByText(/^Ben Carter changed this at/)).toBeVisible();
  await expect(hers.form.getByText(/^Ben Carter changed this, too, to/)).toContainText(
    'Saved by Ben',
  );
  await hers.form.getByRole('button', { name: 'Compare' }).click();
  await expect(hers.conflict).toBeFocused();
  await anna.keyboard.press('2');
  await anna.keyboard.press('Enter');
  await anna.keyboard.press('Control+s');
  await expect(hers.changed).toHaveText('Nothing changed');
  await expect(his.field('Remark')).toHaveValue('Typed by Anna');
  await expect(his.form.getByText(/^Anna Weiss changed this at/)).toBeVisible();
  await elsewhere.close();
});

test('what somebody else changes shows in the cell of the grid, but not over what is typed @long', async ({
  browser,
  context,
}) => {
  const elsewhere = await browser.newContext();
  const path = `/tables/${SUPPLIERS}?sort=SUPPLIERNO`;
  const anna = await openAs(context, 'anna', path);
  const ben = await openAs(elsewhere, 'ben', path);
  const cell = (page: Page, row: number, col: number) =>
    page
      .getByRole('grid', { name: 'Suppliers' })
      .locator(`[data-row="${row}"] [data-col="${col}"]`);
  const type = async (page: Page, row: number, col: number, text: string) => {
    await cell(page, row, col).click();
    await page.keyboard.type(text);
  };
  await expect(cell(anna, 0, 2)).not.toBeEmpty();
  await type(anna, 1, 2, 'Typed by Anna');
  await type(ben, 0, 2, 'Changed by Ben');
  await ben.keyboard.press('Enter');
  await type(ben, 1, 2, 'Also by Ben');
  await ben.keyboard.press('Enter');
  await ben.keyboard.press('Control+Home');
  await expect(cell(anna, 0, 2)).toHaveText('Changed by Ben');
  await expect(cell(anna, 0, 2)).toHaveAttribute('title', 'Ben Carter has just changed this.');
  await expect(cell(anna, 1, 2).getByRole('combobox')).toHaveValue('Typed by Anna');
  await expect(cell(anna, 1, 2)).toContainText('Ben Carter has changed this to “Also by Ben”');
  await anna.keyboard.press('Enter');
  await expect(cell(anna, 1, 2)).toHaveAttribute('data-status', 'conflict');
  await cell(anna, 1, 2).click();
  await anna.getByRole('radio', { name: /^Yours/ }).click();
  await anna.getByRole('button', { name: 'Save with this value' }).click();
  await expect(cell(ben, 1, 2)).toHaveText('Typed by Anna');
  await elsewhere.close();
});

test('what changes before a page hears of changes shows, and nothing that did not change is read again @long', async ({
  context,
}) => {
  // Requests of a worker cannot be held here.
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const ben = await service.as('ben');
  for (const [path, change] of [
    [LIST, () => ben.correct(INVOICES, 10014, { SUPPLIER: 'Before it heard' })],
    [
      `/tables/${SUPPLIERS}?sort=SUPPLIERNO`,
      async () => {
        const [first] = await ben.suppliers('?sort=SUPPLIERNO&limit=1');
        await ben.changeSupplier(first?.jrid ?? '', { NAME: 'Before it heard' });
      },
    ],
  ] as const) {
    // One page after the other.
    for (const changes of [true, false]) {
      const page = await context.newPage();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const read: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'GET' && request.url().includes('/application/')) {
          read.push(request.url());
        }
      });
      await page.route('**/application/events*', async (route) => {
        await held;
        await route.continue();
      });
      await service.signIn(context, 'anna');
      await page.goto(service.url + path);
      const grid = page.getByRole('grid');
      await expect(grid.locator('[data-row="0"]')).not.toBeEmpty();
      if (changes) await change();
      const opened = page.waitForResponse('**/application/events*');
      release();
      await opened;
      if (changes) await expect(grid).toContainText('Before it heard');
      else {
        // Of what is heard afterwards, elsewhere, the counts of the side bar tell, which come later than all else.
        await ben.correct(LETTERS, 1, { SENDER: `Heard at ${path.slice(0, 9)}` });
        const again = () => read.filter((url, at) => read.indexOf(url) !== at);
        await expect.poll(again).not.toEqual([]);
        expect(again().filter((url) => !/\/(?:archives|tables)$/.test(url))).toEqual([]);
        expect(read.filter((url) => url.includes('jrid'))).toEqual([]);
      }
      await page.close();
    }
  }
});

test('says that live changes are paused, and catches up when the service is back @long', async ({
  context,
  page,
  watch,
}) => {
  watch.expectUnreachable();
  const anna = await openAs(context, 'anna', LIST);
  await page.close();
  const screen = archiveScreen(anna);
  await expect(screen.row(10012)).toBeVisible();
  await service.kill();
  const mark = anna.getByText('Offline, reconnecting').first();
  await expect(mark).toBeVisible();
  await service.startAgain();
  const ben = await service.as('ben');
  await ben.correct(INVOICES, 10012, { SUPPLIER: 'While nobody heard' });
  // The pauses between attempts to connect grow up to 30 s while the service starts.
  await expect(mark).toBeHidden({ timeout: 45_000 });
  await expect(screen.row(10012)).toContainText('While nobody heard');
  await ben.correct(INVOICES, 10013, { SUPPLIER: 'Heard again' });
  await expect(screen.row(10013)).toContainText('Heard again');
});

type Screen = ReturnType<typeof archiveScreen>;

test('who else has a revision open shows within a second, and goes when the tab is closed @long', async ({
  browser,
  context,
}) => {
  const elsewhere = await browser.newContext();
  const anna = await openAs(context, 'anna', LIST);
  const hers = archiveScreen(anna);
  const told = anna.waitForResponse((response) => response.url().includes('/10012/viewers?'));
  await anna.goto(`${service.url}${LIST}?selected=10012`);
  await told;
  const ben = await openAs(elsewhere, 'ben', LIST);
  const coming = ben.waitForRequest((request) => request.url().includes('/10012/viewers?'));
  await ben.goto(`${service.url}${LIST}?selected=10012`);
  await coming;
  await expect(hers.form.getByText('Ben Carter has this open.')).toBeAttached();
  await archiveScreen(ben).field('Remark').fill('Typed by Ben');
  await expect(hers.form.getByText('Ben Carter is editing this.')).toBeAttached();
  await ben.close();
  await expect(hers.form.getByText(/this\.$/)).not.toBeAttached();
  await elsewhere.close();
});
