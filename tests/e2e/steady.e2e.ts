import type { Locator, Page } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const at = (revisionId: number) => `/archives/${INVOICES}?sort=revisionId&selected=${revisionId}`;

/** Where things are on the screen. */
async function boxes(...things: readonly Locator[]) {
  return Promise.all(things.map((thing) => thing.boundingBox()));
}

/** The field, the form's heading and its foot. */
function fixed(page: Page, field: Locator): readonly Locator[] {
  const { form } = archiveScreen(page);
  return [field, form.getByRole('heading', { level: 2 }), form.locator('footer')];
}

for (const [revisionId, name] of [
  [10031, 'Invoice no.'],
  [10032, 'Remark'],
] as const) {
  test(`${name} stays where it is when a colleague's change is announced @long`, async ({
    page,
  }) => {
    const ben = await service.as('ben');
    await service.open(page, at(revisionId));
    const { form, field } = archiveScreen(page);
    await field(name).click();
    const before = await boxes(...fixed(page, field(name)));
    await ben.correct(INVOICES, revisionId, { ORDERNO: 'PO-26-00001' });
    const notice = form.getByRole('status').filter({ hasText: /^Ben Carter changed/ });
    await expect(notice).toBeVisible();
    const after = await boxes(...fixed(page, field(name)));
    for (const [at, box] of after.entries()) {
      // Panes scroll by whole pixels.
      const moved = Math.abs((box?.y ?? Infinity) - (before[at]?.y ?? 0));
      expect(moved).toBeLessThan(1);
      expect({ ...box, y: 0 }).toEqual({ ...before[at], y: 0 });
    }
    // Nothing lies over the field either.
    const [covered, over] = await boxes(field(name), notice);
    const apart =
      covered &&
      over &&
      (covered.y + covered.height <= over.y || over.y + over.height <= covered.y);
    expect(apart).toBe(true);
  });
}

test('nothing moves while one types, saves and is answered @long', async ({ page }) => {
  await service.open(page, at(10033));
  const { field, notices, changed } = archiveScreen(page);
  await field('Remark').click();
  const before = await boxes(...fixed(page, field('Remark')));
  await page.keyboard.type('typed');
  await expect(changed).toContainText('1 field changed');
  expect(await boxes(...fixed(page, field('Remark')))).toEqual(before);
  await page.keyboard.press('Control+S');
  await expect(notices).toContainText('Revision 10033 is saved.');
  expect(await boxes(...fixed(page, field('Remark')))).toEqual(before);
  await field('Cost centre').focus();
  expect(await boxes(...fixed(page, field('Remark')))).toEqual(before);
});

test('a colleague who opens the revision shortens nothing and moves nothing @long', async ({
  page,
  browser,
}) => {
  await service.open(page, at(10034));
  const { form, field } = archiveScreen(page);
  await field('Remark').click();
  const before = await boxes(...fixed(page, field('Remark')));
  const context = await browser.newContext();
  const other = await context.newPage();
  await service.open(other, at(10034), 'ben');
  await expect(form).toContainText('Ben Carter');
  expect(await boxes(...fixed(page, field('Remark')))).toEqual(before);
  const heading = form.getByRole('heading', { level: 2 });
  expect(await heading.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
  await context.close();
});

test('nothing moves while the server is away @long', async ({ page, watch }) => {
  watch.expectUnreachable();
  await service.open(page, at(10035));
  const { field } = archiveScreen(page);
  await field('Remark').fill('typed');
  const before = await boxes(...fixed(page, field('Remark')));
  await page.context().setOffline(true);
  await page.keyboard.press('Control+S');
  await expect(page.getByText(/^The server cannot be reached/).first()).toBeVisible();
  expect(await boxes(...fixed(page, field('Remark')))).toEqual(before);
  await page.context().setOffline(false);
});
