import type { BrowserContext, Page } from '@playwright/test';
import { EDITS_DATABASE } from '#web/features/data-grid/edit-store/unsaved-tables.ts';
import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const COL = { number: 1, name: 2, city: 5 } as const;

/** As browsers are over plain http: then leases in IndexedDB tell which tabs are there. */
async function withoutLocks(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'locks'));
  await service.signIn(context, 'anna');
}

async function openTab(context: BrowserContext, { crashes = false } = {}): Promise<Page> {
  const tab = await context.newPage();
  if (crashes) {
    await tab.addInitScript(() =>
      addEventListener('pagehide', (event) => event.stopImmediatePropagation()),
    );
  }
  await tab.goto(`${service.url}/tables/${SUPPLIERS}?sort=SUPPLIERNO`);
  await expect(cell(tab, 1, COL.number)).not.toBeEmpty();
  expect(await tab.evaluate(() => 'locks' in navigator)).toBe(false);
  return tab;
}

const cell = (tab: Page, row: number, col: number) =>
  tab.getByRole('grid').locator(`[data-row="${row - 1}"] [data-col="${col}"]`);

async function type(tab: Page, row: number, col: number, text: string): Promise<void> {
  await tab.bringToFront();
  await cell(tab, row, col).click();
  await tab.keyboard.type(text);
  await tab.keyboard.press('Enter');
  await expect(cell(tab, row, col)).toHaveText(text);
}

/**
 * How many changed records each tab's desk stores, and whether it stores records that were created in it. Entries are
 * encrypted, but not where they are: here each changed record is a bundle of its own, and those from 256 on hold
 * created records (`edit-storage.ts`), which stay there until the list is read again.
 */
const kept = (tab: Page) =>
  tab.evaluate(async (name) => {
    const opened = indexedDB.open(name);
    await new Promise((done) => opened.addEventListener('success', done));
    const stores = opened.result.transaction(['desks', 'bundles']);
    const desks = stores.objectStore('desks').getAll();
    const bundles = stores.objectStore('bundles').getAll();
    await new Promise((done) => bundles.addEventListener('success', done));
    opened.result.close();
    return desks.result.map((desk) => ({
      changed: bundles.result.filter(({ tab, bundle }) => tab === desk.tab && bundle < 256).length,
      hasCreated: bundles.result.some(({ tab, bundle }) => tab === desk.tab && bundle >= 256),
    }));
  }, EDITS_DATABASE);

/**
 * Does what changes the created row of a desk, and waits until the change is in IndexedDB: a tab that crashes within
 * the pause before that loses it. Each write has an initialization vector of its own.
 */
async function untilStored(tab: Page, act: () => Promise<void>): Promise<void> {
  const writes = () =>
    tab.evaluate(async (name) => {
      const opened = indexedDB.open(name);
      await new Promise((done) => opened.addEventListener('success', done));
      const bundles = opened.result.transaction('bundles').objectStore('bundles').getAll();
      await new Promise((done) => bundles.addEventListener('success', done));
      opened.result.close();
      const created = bundles.result.filter(({ bundle }) => bundle >= 256);
      return created.map(({ edits }) => String(edits.iv)).join(' ');
    }, EDITS_DATABASE);
  const before = await writes();
  await act();
  await expect.poll(writes).not.toBe(before);
}

test('two tabs, one closed with entries that the server does not have: none is lost, none done twice', async ({
  context,
  page,
  watch,
}) => {
  watch.expectUnreachable();
  const ben = await service.as('ben');
  const query = '?sort=SUPPLIERNO&limit=200';
  const [first, second, ...others] = await ben.suppliers(query);
  await withoutLocks(context);
  await context.clock.install();
  await page.close();
  const one = await openTab(context, { crashes: true });
  const two = await openTab(context);

  await service.kill();
  await type(one, 1, COL.name, 'By the first tab');
  await type(two, 1, COL.city, 'Secondham');
  await type(two, 2, COL.name, 'By the second tab');
  await one.bringToFront();
  await one.getByRole('button', { name: 'New record' }).click();
  await untilStored(one, async () => {
    await one.keyboard.type('79001');
    await one.keyboard.press('Tab');
  });
  await untilStored(one, async () => {
    await one.keyboard.type('Created by the first tab');
    await one.keyboard.press('Tab');
  });
  await untilStored(one, () => one.keyboard.press('Control+Enter'));
  await expect(one.getByText('Saving 2 changes…')).toBeVisible();
  await expect
    .poll(async () => (await kept(two)).toSorted((a, b) => a.changed - b.changed))
    .toEqual([
      { changed: 1, hasCreated: true },
      { changed: 2, hasCreated: false },
    ]);
  await one.close();
  await service.startAgain();
  await expect(two.getByText('Saved', { exact: true })).toBeVisible({ timeout: 30_000 });

  const three = await openTab(context);
  expect(await kept(three)).toContainEqual({ changed: 1, hasCreated: true });
  // A tab that crashes does not give its lease back: that lasts for two minutes and a half. They pass in all tabs in
  // two steps, so that the other tab renews its own lease in between.
  await context.clock.fastForward(100_000);
  await context.clock.fastForward(60_000);
  await expect(three.getByText('2 entries that had not been saved')).toBeVisible();
  const expected = [
    { ...first, NAME: 'By the first tab', CITY: 'Secondham' },
    { ...second, NAME: 'By the second tab' },
    ...others,
    expect.objectContaining({ SUPPLIERNO: '79001', NAME: 'Created by the first tab' }),
  ];
  await expect(async () => expect(await ben.suppliers(query)).toEqual(expected)).toPass();
  await expect(three.getByText('Saved', { exact: true })).toBeVisible();

  // What was taken over and sent is nobody's any more: a fourth tab finds nothing to be done.
  await expect
    .poll(async () => (await kept(three)).every(({ changed }) => changed === 0))
    .toBe(true);
  await two.close();
  await three.close();
  const four = await openTab(context);
  expect((await kept(four)).every(({ changed }) => changed === 0)).toBe(true);
  await expect(four.getByText(/that had not been saved/)).toBeHidden();
  expect(await ben.suppliers(query)).toEqual(expected);
});
