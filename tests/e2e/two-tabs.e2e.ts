import type { BrowserContext, Page } from '@playwright/test';
import { SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { untilEditsStored } from './support/stored-edits.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const COL = { number: 1, name: 2, city: 5 } as const;
const TABLE = `/tables/${SUPPLIERS}?sort=SUPPLIERNO`;

async function openTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(service.url + TABLE);
  await expect(cell(tab, 1, COL.number)).not.toBeEmpty();
  return tab;
}

const cell = (tab: Page, row: number, col: number) =>
  tab.getByRole('grid').locator(`[data-row="${row - 1}"] [data-col="${col}"]`);
const saved = (tab: Page) => tab.getByText('Saved', { exact: true });
const isDirty = (tab: Page) =>
  tab.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));

async function type(tab: Page, row: number, col: number, text: string): Promise<void> {
  await tab.bringToFront();
  await cell(tab, row, col).click();
  await tab.keyboard.type(text);
  await tab.keyboard.press('Enter');
  await expect(cell(tab, row, col)).toContainText(text);
}

test('two tabs, one crashes with edits that the service does not have: none is lost, none done twice @long', async ({
  context,
  page,
  watch,
}) => {
  watch.expectUnreachable();
  const ben = await service.as('ben');
  const query = '?sort=SUPPLIERNO&limit=200';
  const [first, second, ...others] = await ben.suppliers(query);
  await service.signIn(context, 'anna');
  await page.close();
  const one = await openTab(context);
  const two = await openTab(context);

  await service.kill();
  await type(one, 1, COL.name, 'By the first tab');
  await type(two, 1, COL.city, 'Secondham');
  await type(two, 2, COL.name, 'By the second tab');
  await one.bringToFront();
  await one.getByRole('button', { name: 'New record' }).click();
  await untilEditsStored(one, async () => {
    await one.keyboard.type('79001');
    await one.keyboard.press('Tab');
  });
  await untilEditsStored(one, async () => {
    await one.keyboard.type('Created by the first tab');
    await one.keyboard.press('Tab');
  });
  await untilEditsStored(one, () => one.keyboard.press('Control+Enter'));
  await expect(one.getByText('Saving 2 changes…')).toBeVisible();
  await one.close();
  await service.startAgain();
  await expect(saved(two)).toBeVisible({ timeout: 30_000 });

  const three = await openTab(context);
  await expect(three.getByText('2 unsaved entries')).toBeVisible();
  const expected = [
    { ...first, NAME: 'By the first tab', CITY: 'Secondham' },
    { ...second, NAME: 'By the second tab' },
    ...others,
    expect.objectContaining({ SUPPLIERNO: '79001', NAME: 'Created by the first tab' }),
  ];
  await expect(async () => expect(await ben.suppliers(query)).toEqual(expected)).toPass();
  await expect(saved(three)).toBeVisible();
  await expect.poll(() => isDirty(three)).toBe(false);

  // A later tab finds nothing to resume.
  await two.close();
  await three.close();
  const four = await openTab(context);
  await expect(four.getByText(/unsaved entr/)).toBeHidden();
  expect(await isDirty(four)).toBe(false);
  expect(await ben.suppliers(query)).toEqual(expected);
});

test('a reload beside another tab keeps its edits and its undo steps in their tab @long', async ({
  context,
  page,
}) => {
  const ben = await service.as('ben');
  const [before] = await ben.suppliers('?sort=SUPPLIERNO&limit=1');
  await service.signIn(context, 'anna');
  await page.close();
  const one = await openTab(context);
  const two = await openTab(context);
  await untilEditsStored(one, () => type(one, 1, COL.city, 'Gera'));
  await expect(saved(one)).toBeVisible();
  await untilEditsStored(one, () => type(one, 2, COL.number, 'x'.repeat(90)));
  await expect(one.getByText('1 entry is not saved')).toBeVisible();
  one.on('dialog', (dialog) => void dialog.accept());
  await one.reload();
  await expect(cell(one, 2, COL.number)).toContainText('x'.repeat(90));
  await expect(two.getByText(/unsaved entr/)).toBeHidden();
  await cell(one, 2, COL.number).click();
  await one.keyboard.press('Control+z');
  await expect(cell(one, 2, COL.number)).not.toContainText('x'.repeat(90));
  await one.keyboard.press('Control+z');
  await expect(async () => {
    expect((await ben.suppliers('?sort=SUPPLIERNO&limit=1'))[0]).toEqual(before);
  }).toPass();
});

test('a browser without locks and encryption, as over plain http, says that closing the tab loses edits @long', async ({
  context,
  page,
  watch,
}) => {
  watch.expectUnreachable();
  const ben = await service.as('ben');
  await context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'locks');
    Reflect.deleteProperty(Crypto.prototype, 'subtle');
  });
  await service.signIn(context, 'anna');
  await page.close();
  const tab = await openTab(context);
  await service.kill();
  await type(tab, 3, COL.city, 'Weimar');
  await expect(tab.getByText(/^This browser cannot store what is not saved/)).toBeVisible();
  expect(await isDirty(tab)).toBe(true);
  await service.startAgain();
  await expect(saved(tab)).toBeVisible({ timeout: 30_000 });
  expect((await ben.suppliers('?sort=SUPPLIERNO&limit=3'))[2]).toMatchObject({ CITY: 'Weimar' });
});
