import { expectNoViolations, ROWS } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
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
  await first.field('Remark').fill('half a sentence, and');
  // Written a moment after the last key.
  await page.waitForTimeout(600);
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

test('another user of the same browser does not see what was typed', async ({ context, page }) => {
  await service.open(page, at(10002));
  await archiveScreen(page).field('Remark').fill('nobody else’s business');
  await page.waitForTimeout(600);
  await page.close();
  const again = await context.newPage();
  await service.open(again, at(10002), 'ben');
  await expect(archiveScreen(again).formOf(10002)).toBeVisible();
  await expect(archiveScreen(again).field('Remark')).not.toHaveValue('nobody else’s business');
});

test('changes of two people to different fields are both kept, and said', async ({
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
  await expect(notices).toContainText('ben changed Order no.');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10003)).values)
    .toMatchObject({ REMARK: 'Anna’s', ORDERNO: 'PO-26-00001' });
});

test('shows who else has the revision open', async ({ page, browser }) => {
  await service.open(page, at(10004));
  const context = await browser.newContext();
  const other = await context.newPage();
  await service.open(other, at(10004), 'ben');
  // It is asked for every 15 seconds.
  await expect(archiveScreen(other).form).toContainText('Anna Weiss', { timeout: 40_000 });
  await expectNoViolations(other, { except: ROWS });
  await context.close();
});

test('Ctrl+Z takes the last save back, also from the next revision; not over others’ changes', async ({
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
  await expect(notices).toContainText('ben');
  expect((await ben.revision(INVOICES, 10006)).values['REMARK']).toBe('theirs');
});

test('restores a value from the history, to be looked at and saved', async ({ page }) => {
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
