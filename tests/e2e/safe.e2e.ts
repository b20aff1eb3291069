import type { Page } from '@playwright/test';
import { expectNoViolations, ROWS } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { untilDraftStored } from './support/stored-edits.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const at = (revisionId: number) => `/archives/${INVOICES}?selected=${revisionId}`;

test('what was typed comes back after the tab was closed, marked over what changed since', async ({
  context,
  page,
}) => {
  const ben = await service.as('ben');
  await service.open(page, at(10001));
  const first = archiveScreen(page);
  await untilDraftStored(page, () => first.field('Remark').fill('half a sentence, and'));
  await page.close();
  await ben.correct(INVOICES, 10001, { ORDERNO: 'PO-26-00001' });

  const again = await context.newPage();
  await again.goto(service.url + at(10001));
  const { field, form, changed } = archiveScreen(again);
  await expect(field('Remark')).toHaveValue('half a sentence, and');
  await expect(field('Order no.')).toHaveValue('PO-26-00001');
  await expect(changed).toContainText('1 field changed');
  await expect(form).toContainText('Order no.');
  await expectNoViolations(again, { except: ROWS });
  await again.keyboard.press('Control+S');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10001)).values)
    .toMatchObject({ REMARK: 'half a sentence, and', ORDERNO: 'PO-26-00001' });
  await again.reload();
  await expect(changed).toContainText('Nothing changed');
});

/** All that the browser stores for the site, as text; what is encrypted in it stays unreadable. */
function storedText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const parts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const readable = (_key: string, value: unknown): unknown => {
      if (value instanceof Map || value instanceof Set) return [...value];
      return value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value;
    };
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const values = await done(database.transaction(store).objectStore(store).getAll());
        parts.push(`${name} ${store} ${JSON.stringify(values, readable)}`);
      }
      database.close();
    }
    return parts.join('\n');
  });
}

test('another user of the same browser reads nothing of what was typed, and its author finds it again @long', async ({
  page,
  watch,
}) => {
  // What the page was still reading when its session ended is refused.
  watch.expectStatus(401);
  const ben = await service.as('ben');
  const supplier = String((await ben.revision(INVOICES, 10002)).values['SUPPLIER']);
  await service.open(page, at(10002));
  await archiveScreen(page).field('Remark').fill('nobody else’s business');
  await expect.poll(() => storedText(page)).toContain('"revisionId":"10002"');
  await page.getByRole('button', { name: 'Anna Weiss' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Indexdesk' })).toBeVisible();
  const stored = await storedText(page);
  expect(stored).not.toContain('nobody else');
  expect(stored).not.toContain(supplier);

  await service.open(page, at(10002), 'ben');
  await expect(archiveScreen(page).formOf(10002)).toBeVisible();
  await expect(archiveScreen(page).field('Remark')).not.toHaveValue('nobody else’s business');
  await service.open(page, at(10002), 'anna');
  await expect(archiveScreen(page).field('Remark')).toHaveValue('nobody else’s business');
});

test('typing in a table is not readable either, and its author finds it again @long', async ({
  page,
}) => {
  await service.open(page, `/tables/${SUPPLIERS}`);
  const rows = page.getByRole('grid').getByRole('row');
  // Refused, so that it waits for its author.
  await rows.nth(1).getByRole('gridcell').nth(1).dblclick();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('x'.repeat(90));
  await page.keyboard.press('Enter');
  await expect.poll(() => storedText(page)).toContain('"guid"');
  expect(await storedText(page)).not.toContain('x'.repeat(90));
  await page.reload();
  await expect(page.getByRole('grid')).toContainText('x'.repeat(90));
});

test('drafts of an earlier version are encrypted for their author, those of others removed @long', async ({
  page,
}) => {
  await service.open(page, '/');
  // Of the same origin, but without the web admin, which would encrypt them at once.
  await page.goto(`${service.url}/favicon.svg`);
  const ben = await service.as('ben');
  const { revision, etag } = await ben.revision(INVOICES, 10008);
  await page.evaluate(
    async ([base, archive]) => {
      const request = indexedDB.open('indexdesk-drafts', 1);
      request.addEventListener('upgradeneeded', () => {
        const keyPath = ['username', 'archive', 'revisionId', 'tab'];
        const store = request.result.createObjectStore('drafts', { keyPath });
        for (const username of ['anna', 'ben']) {
          const edits = {
            fields: new Map([['REMARK', `draft of ${username}`]]),
            keywords: new Map(),
          };
          store.put({ username, archive, revisionId: '10008', tab: '1', at: 1, base, edits });
        }
      });
      await new Promise((resolve) => request.addEventListener('success', resolve));
      request.result.close();
    },
    [{ revision, etag }, INVOICES] as const,
  );
  expect(await storedText(page)).toContain('draft of ben');
  await page.goto(service.url + at(10008));
  await expect(archiveScreen(page).field('Remark')).toHaveValue('draft of anna');
  const stored = await storedText(page);
  expect(stored).not.toContain('draft of');
});

test('changes of two people to different fields are both kept, and said @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(412);
  const ben = await service.as('ben');
  await service.open(page, at(10003));
  const { field, notices } = archiveScreen(page);
  await field('Remark').fill('Anna’s');
  await ben.correct(INVOICES, 10003, { ORDERNO: 'PO-26-00001' });
  await page.keyboard.press('Control+S');
  await expect(notices).toContainText('Ben Carter changed Order no.');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10003)).values)
    .toMatchObject({ REMARK: 'Anna’s', ORDERNO: 'PO-26-00001' });
});

test('shows who else has the revision open @long', async ({ page, browser }) => {
  await service.open(page, at(10004));
  const context = await browser.newContext();
  const other = await context.newPage();
  await service.open(other, at(10004), 'ben');
  // It is asked for every 15 seconds.
  await expect(archiveScreen(other).form).toContainText('Anna Weiss');
  await expectNoViolations(other, { except: ROWS });
  await context.close();
});

test('Ctrl+Z takes the last save back, also from the next revision; not over others’ changes @long', async ({
  page,
  watch,
}) => {
  // Where it meets what another saves at that very moment, it looks again.
  watch.expectStatus(412);
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10005);
  await service.open(page, `/archives/${INVOICES}?sort=revisionId&selected=10005`);
  const { field, formOf, notices } = archiveScreen(page);
  await field('Remark').fill('a mistake');
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10006)).toBeVisible();
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10005)).values['REMARK'])
    .toBe('a mistake');
  await page.keyboard.press('Control+Z');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10005)).values)
    .toEqual(before.values);
  await expect(notices).toContainText('10005');

  await field('Remark').fill('mine');
  await page.keyboard.press('Control+S');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10006)).values['REMARK'])
    .toBe('mine');
  await expect(notices).toContainText('Revision 10006 is saved.');
  await ben.correct(INVOICES, 10006, { REMARK: 'theirs' });
  await page.keyboard.press('Control+Z');
  await expect(notices).toContainText('Ben Carter');
  expect((await ben.revision(INVOICES, 10006)).values['REMARK']).toBe('theirs');
});

test('restores a value from the history, to be looked at and saved @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = (await ben.revision(INVOICES, 10007)).values['SUPPLIER'];
  await ben.correct(INVOICES, 10007, { SUPPLIER: 'Somebody else' });
  await service.open(page, at(10007));
  const { form, field, changed } = archiveScreen(page);
  await form.getByRole('button', { name: 'History' }).click();
  await expect(form.getByRole('button', { name: /^Restore Supplier/ }).first()).toBeVisible();
  await expectNoViolations(page, { except: ROWS });
  await form
    .getByRole('button', { name: /^Restore Supplier/ })
    .first()
    .click();
  await expect(field('Supplier')).toHaveValue(String(before));
  await expect(changed).toContainText('1 field changed');
  expect((await ben.revision(INVOICES, 10007)).values['SUPPLIER']).toBe('Somebody else');
  await page.keyboard.press('Control+S');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10007)).values['SUPPLIER'])
    .toBe(before);
});
