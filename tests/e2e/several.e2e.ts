import type { Page } from '@playwright/test';
import { archiveScreen, fieldIn } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

const bulk = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: /^Correct [\d,]+ revisions? together$/ });
  return {
    dialog,
    /** Takes a field into the correction; the cursor is in its editor then. */
    async choose(label: string) {
      await dialog.getByRole('combobox', { name: /which field|another field/i }).click();
      await page.keyboard.type(label);
      await page.getByRole('listbox').getByRole('option', { name: label, exact: true }).click();
    },
    editor: (label: string) =>
      fieldIn(dialog.getByRole('group', { name: label, exact: true }), label),
    preview: dialog.getByRole('region', { name: 'Preview' }),
    of: (revisionId: number) =>
      dialog.getByRole('listitem').filter({
        has: page.getByRole('checkbox', { name: new RegExp(`revision ${revisionId}\\b`) }),
      }),
    correct: dialog.getByRole('button', { name: /^Correct(?: [\d,]+ revisions?)?$/ }),
  };
};

test('selects rows, shows old and new of each, and corrects them in one step @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const ids = [10001, 10002, 10003, 10004, 10006];
  const before = await Promise.all(ids.map((id) => ben.revision(INVOICES, id)));
  await service.open(page, `/archives/${INVOICES}`);
  const screen = archiveScreen(page);
  // A click, a range with Shift, one more with Ctrl.
  await screen.row(10001).getByRole('gridcell').first().click();
  await screen
    .row(10004)
    .getByRole('gridcell')
    .nth(2)
    .click({ modifiers: ['Shift'] });
  await screen
    .row(10006)
    .getByRole('gridcell')
    .nth(2)
    .click({ modifiers: ['Control'] });
  const selected = page.getByRole('toolbar', { name: 'Selected revisions' });
  await expect(selected).toContainText('5 selected');
  await selected.getByRole('button', { name: /^Correct together/ }).click();

  const { dialog, choose, editor, of, preview, correct } = bulk(page);
  await expect(dialog).toBeVisible();
  await choose('Remark');
  await editor('Remark').fill('Checked in the audit');
  await choose('Currency');
  await editor('Currency').click();
  await page.getByRole('option', { name: 'EUR' }).click();
  await expect(of(10003)).toContainText(/GBP\s*→ becomes\s*EUR/);
  await expect(of(10003)).toContainText('no value');
  await expect(of(10003)).toContainText('Checked in the audit');
  await expect(of(10001)).not.toContainText('Currency');
  await expect(preview.getByRole('button', { name: /^Would change/ })).toContainText('5');
  for (const [i, id] of ids.entries()) {
    expect((await ben.revision(INVOICES, id)).etag).toBe(before[i]?.etag);
  }

  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await correct.click();
  expect((await sent).postDataJSON()).toMatchObject({
    revisions: ids.map((id) => ({ revisionId: String(id) })),
  });
  await expect(dialog.getByRole('status')).toContainText('5 revisions are corrected');
  for (const [i, id] of ids.entries()) {
    const { values } = await ben.revision(INVOICES, id);
    expect(values).toEqual({
      ...before[i]?.values,
      REMARK: 'Checked in the audit',
      CURRENCY: 'EUR',
    });
  }
  await dialog.getByRole('button', { name: 'Back to the list' }).click();
  await expect(dialog).toBeHidden();
  await expect(screen.row(10003)).toContainText('Checked in the audit');
});

test('what was corrected together is found again after a reload, and undone @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const ids = [10037, 10038];
  const before = await Promise.all(ids.map((id) => ben.revision(INVOICES, id)));
  await service.open(page, `/archives/${INVOICES}?where[revisionId][in]=${ids.join()}`);
  for (const id of ids) await archiveScreen(page).row(id).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: /^Correct together/ }).click();
  const { dialog, choose, editor, correct } = bulk(page);
  await choose('Remark');
  await editor('Remark').fill('Seen together');
  await correct.click();
  await expect(dialog.getByRole('status')).toContainText('2 revisions are corrected');

  await page.reload();
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Batch history…' }).click();
  const jobs = page.getByRole('dialog', { name: 'Batch history' });
  await jobs.getByRole('button', { name: /Remark: set to “Seen together”/ }).click();
  await expect(jobs.getByRole('listitem')).toHaveCount(2);
  await expect(jobs.getByRole('listitem').first()).toContainText('Seen together');
  await jobs.getByRole('button', { name: 'Undo all' }).click();
  await expect(jobs.getByRole('status').first()).toContainText('2 revisions undone');
  for (const [i, id] of ids.entries()) {
    expect((await ben.revision(INVOICES, id)).values).toEqual(before[i]?.values);
  }
});

test('all that match, by the full set @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10009);
  await service.open(page, `/archives/${INVOICES}?where[CURRENCY][eq]=CHF`);
  const screen = archiveScreen(page);
  await expect(screen.row(10009)).toBeVisible();
  await screen.grid.focus();
  await page.keyboard.press('Control+a');
  const selected = page.getByRole('toolbar', { name: 'Selected revisions' });
  await expect(selected).toContainText(/^All \d+ that match selected/);
  await selected.getByRole('button', { name: /^Correct together/ }).click();
  const { dialog, choose, editor, correct } = bulk(page);
  await choose('Pages');
  await editor('Pages').fill('3');
  await dialog.getByRole('button', { name: 'More commands' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Validate all and save' }).click();
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && !request.url().includes('/viewers?'),
  );
  await correct.click();
  const body: unknown = (await sent).postDataJSON();
  await expect(dialog.getByRole('status')).toContainText('are corrected');
  expect(body).toMatchObject({
    revisions: expect.arrayContaining([
      expect.objectContaining({
        revisionId: '10009',
        indexFields: Object.entries({ ...before.values, PAGES: 3 }).map(([name, value]) => ({
          name,
          value,
        })),
      }),
    ]),
  });
  expect((await ben.revision(INVOICES, 10009)).values).toEqual({ ...before.values, PAGES: 3 });
});

test('what is refused names revision and field, and nothing is changed @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(422);
  const ben = await service.as('ben');
  const before = await Promise.all([10031, 10032].map((id) => ben.revision(INVOICES, id)));
  await service.open(page, `/archives/${INVOICES}?where[revisionId][in]=10031,10032`);
  const screen = archiveScreen(page);
  await screen.row(10031).getByRole('gridcell').first().click();
  await screen.row(10032).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: /^Correct together/ }).click();
  const { dialog, choose, editor, correct } = bulk(page);
  await choose('Total');
  await editor('Total').fill('12.5');
  // The page checks by the same rules, so one value is spoilt on its way to the service.
  await page.route(
    ({ pathname }) => pathname.endsWith(`/archives/${INVOICES}/indexdata`),
    async (route) => {
      const body = route.request().postData() ?? '';
      const at = body.indexOf('12.5', body.indexOf('"10032"'));
      await route.continue({ postData: `${body.slice(0, at)}-1.125${body.slice(at + 4)}` });
    },
    { times: 1 },
  );
  await correct.click();
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('Nothing was changed: 1 revision was refused');
  await expect(alert.getByRole('listitem')).toHaveText(/^Revision 10032 Total: The value must be/);
  for (const [i, id] of [10031, 10032].entries()) {
    const now = await ben.revision(INVOICES, id);
    expect(now.etag).toBe(before[i]?.etag);
  }
  // What the service refused is not sent again as it stands; the others can go without it.
  await expect(correct).toBeDisabled();
  await alert.getByRole('button', { name: 'Leave it out' }).click();
  await correct.click();
  await expect(dialog.getByRole('status')).toContainText('1 revision is corrected');
  expect((await ben.revision(INVOICES, 10031)).values['TOTAL']).toBe(12.5);
  expect((await ben.revision(INVOICES, 10032)).etag).toBe(before[1]?.etag);
});

test('a revision that another changed meanwhile stops all of them @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(412);
  const ben = await service.as('ben');
  const untouched = await ben.revision(INVOICES, 10033);
  await service.open(page, `/archives/${INVOICES}?where[revisionId][in]=10033,10034`);
  const screen = archiveScreen(page);
  await screen.row(10033).getByRole('gridcell').first().click();
  await screen.row(10034).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: /^Correct together/ }).click();
  const { dialog, choose, editor, of, correct } = bulk(page);
  await choose('Pages');
  await editor('Pages').fill('8');
  await expect(of(10034)).toContainText('8');
  await ben.correct(INVOICES, 10034, { PAGES: 5 });
  await correct.click();
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('Nothing was changed: 1 revision was refused');
  await expect(alert).toContainText('Revision 10034');
  expect((await ben.revision(INVOICES, 10033)).etag).toBe(untouched.etag);
  await alert.getByRole('button', { name: 'Read it again' }).click();
  await expect(of(10034)).toContainText(/5\s*→ becomes\s*8/);
  await correct.click();
  await expect(dialog.getByRole('status')).toContainText('2 revisions are corrected');
  expect((await ben.revision(INVOICES, 10034)).values['PAGES']).toBe(8);
});

test('what would fail is said before anything is sent @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?where[revisionId][in]=10035,10036`);
  const screen = archiveScreen(page);
  await screen.row(10035).getByRole('gridcell').first().click();
  await screen.row(10036).getByRole('gridcell').first().click();
  await page.getByRole('button', { name: /^Correct together/ }).click();
  const { dialog, choose, editor, correct } = bulk(page);
  await choose('Due date');
  await editor('Due date').fill('2026-02-29');
  await expect(editor('Due date')).toHaveAccessibleDescription(/Enter a valid date/);
  await expect(correct).toBeDisabled();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
  await expect(question).toContainText('This has not been corrected yet.');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
});
