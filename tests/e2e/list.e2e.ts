import { archiveScreen, fieldIn } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('filters by field and type, and the link reproduces the view @long', async ({
  page,
  context,
}) => {
  await service.open(page, `/archives/${INVOICES}`);
  const screen = archiveScreen(page);
  await expect(screen.count).toHaveText('200 revisions');
  await page.getByRole('button', { name: 'Filter' }).click();
  const filter = page.getByRole('region', { name: 'Filter' });
  const condition = filter.getByRole('group', { name: 'Condition' });
  await condition.getByLabel('Field').selectOption('Currency');
  await fieldIn(condition, 'Value').click();
  await page.getByRole('listbox').getByRole('option', { name: 'CHF' }).click();
  await expect(page).toHaveURL(/where\[CURRENCY\]\[eq\]=CHF/);
  await filter.getByRole('button', { name: 'Add a condition' }).click();
  await condition.nth(1).getByLabel('Field').selectOption('Total');
  await condition.nth(1).getByLabel('Test').selectOption('is at least');
  await fieldIn(condition.nth(1), 'Value').fill('3000');
  await expect(page).toHaveURL(/where\[TOTAL\]\[gte\]=3000/);

  await screen.grid.getByRole('columnheader', { name: 'Total' }).click();
  await screen.grid.getByRole('columnheader', { name: 'Total' }).click();
  await expect(page).toHaveURL(/sort=-TOTAL/);
  await expect(screen.grid.getByRole('columnheader', { name: 'Total' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await page.getByRole('button', { name: 'Fields' }).click();
  const fields = page.getByRole('dialog', { name: 'Choose the fields of the list' });
  for (const label of ['Invoice date', 'Order no.', 'Net', 'VAT', 'Remark']) {
    await fields.getByRole('checkbox', { name: label, exact: true }).uncheck();
  }
  await page.keyboard.press('Escape');
  await expect(screen.grid.getByRole('columnheader', { name: 'VAT' })).toBeHidden();

  const total = await screen.grid.getByRole('columnheader').allTextContents();
  const rowTexts = async () => {
    const cells = screen.grid.getByRole('row').filter({ hasNotText: 'Invoice no.' });
    return cells.allInnerTexts();
  };
  await expect(screen.count).toHaveText(/^\d+ of 200 revisions, filtered$/);
  const shown = await rowTexts();
  expect(shown.length).toBeGreaterThan(3);
  const totals = shown.map((text) =>
    Number(text.split('\n')[total.indexOf('Total') - 1]?.replaceAll(',', '')),
  );
  expect(totals.every((value) => value >= 3000)).toBe(true);
  expect(totals).toEqual(totals.toSorted((a, b) => b - a));

  const link = page.url();
  const other = await context.newPage();
  await other.goto(link);
  const second = archiveScreen(other);
  await expect(second.count).toHaveText((await screen.count.innerText()).trim());
  await expect(second.grid.getByRole('columnheader')).toHaveText(total);
  await expect(async () => {
    expect(
      await second.grid.getByRole('row').filter({ hasNotText: 'Invoice no.' }).allInnerTexts(),
    ).toEqual(shown);
  }).toPass();
  await other.close();
});

test('searches by parts of words, without regard to marks and case @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?sort=revisionId`);
  const screen = archiveScreen(page);
  await expect(screen.count).toHaveText('200 revisions');
  await page.keyboard.press('/');
  await expect(screen.search).toBeFocused();
  await page.keyboard.type('OTHLISB');
  await expect(page).toHaveURL(/q=OTHLISB/);
  await expect(screen.count).toHaveText(/^\d+ of 200 revisions, filtered$/);
  const rows = screen.grid.getByRole('row').filter({ hasNotText: 'Invoice no.' });
  await expect(rows.first()).toContainText('Büromöbel Röthlisburg GmbH');
  for (const text of await rows.allInnerTexts()) expect(text).toContain('Röthlisburg');
  await screen.search.fill('nothing of this kind');
  await expect(page.getByText('No revision matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all revisions' }).click();
  await expect(screen.count).toHaveText('200 revisions');
});

test('a filter that the service refuses says so, with the way back @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(400);
  await service.open(page, `/archives/${INVOICES}?where[TOTAL][like]=12`);
  const screen = archiveScreen(page);
  const revisions = page.getByRole('region', { name: 'Revisions' });
  await expect(revisions.getByRole('alert')).toContainText('The list could not be read');
  await expect(revisions.getByRole('alert')).toContainText('TOTAL');
  await revisions.getByRole('button', { name: 'Show all revisions' }).click();
  await expect(screen.count).toHaveText('200 revisions');
});

test('goes back and forward through filters and the open revision @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?sort=revisionId`);
  const screen = archiveScreen(page);
  await screen.row(10005).getByRole('gridcell').nth(2).click();
  await expect(screen.formOf(10005)).toBeVisible();
  await expect(page).toHaveURL(/selected=10005/);
  await page.goBack();
  await expect(screen.form).toBeHidden();
  await page.goForward();
  await expect(screen.formOf(10005)).toBeVisible();
  await page.reload();
  await expect(screen.formOf(10005)).toBeVisible();
  await expect(screen.row(10005)).toHaveAttribute('aria-current', 'true');
});

test.describe('with documents', () => {
  test.use({ documents: true });

  test('shows the page beside the form, and the file itself in a tab of its own @long', async ({
    page,
  }) => {
    await service.open(page, `/archives/${INVOICES}?selected=10002`);
    const pane = page.getByRole('region', { name: 'Document' });
    const link = pane.getByRole('link', { name: 'invoice-10002.pdf' });
    await expect(link).toBeVisible();
    const file = await page
      .context()
      .request.get(new URL((await link.getAttribute('href')) ?? '', service.url).href);
    expect(file.status()).toBe(200);
    expect(file.headers()['content-type']).toBe('application/pdf');
    expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
    await pane.getByRole('button', { name: 'Hide the document' }).click();
    await expect(pane).toBeHidden();
    await page.reload();
    await expect(archiveScreen(page).formOf(10002)).toBeVisible();
    await expect(pane).toBeHidden();
  });
});
