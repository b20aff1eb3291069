import { expectNoViolations } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('keeps work lists by name, counts them and brings the last one back @long', async ({
  page,
  context,
}) => {
  await service.open(page, `/archives/${INVOICES}?where[ORDERNO][null]=true`);
  const screen = archiveScreen(page);
  await expect(screen.count).toHaveText(/^\d+ of 200 revisions, filtered$/);
  const matching = Number.parseInt(await screen.count.innerText(), 10);
  expect(matching).toBeGreaterThan(0);

  const views = page.getByRole('region', { name: 'Views' });
  await views.getByRole('button', { name: 'Save as a view' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('Order missing');
  await page.keyboard.press('Enter');
  const view = views.getByRole('button', { name: `Order missing ${matching}`, exact: true });
  await expect(view).toHaveAttribute('aria-current', 'true');

  await expectNoViolations(page, { within: 'section[aria-label="Views"]' });

  await screen.grid.getByRole('columnheader', { name: 'Total', exact: true }).click();
  await expect(views.getByText('Order missing: changed')).toBeVisible();
  const remembered = page.waitForResponse(
    (answer) => answer.url().endsWith('/lastview') && answer.request().method() === 'PUT',
  );
  await views.getByRole('button', { name: 'Save the changes of the view Order missing' }).click();
  await expect(views.getByText('Order missing: changed')).toBeHidden();
  expect((await remembered).status()).toBe(200);

  const other = await context.newPage();
  await other.goto(`${service.url}/archives/${INVOICES}`);
  await expect(other).toHaveURL(/where\[ORDERNO\]\[null\]=true/);
  await expect(other).toHaveURL(/sort=TOTAL/);
  const otherViews = other.getByRole('region', { name: 'Views' });
  await expect(otherViews.getByRole('button', { name: /^Order missing / })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await otherViews.getByRole('button', { name: /^All / }).click();
  await expect(archiveScreen(other).count).toHaveText('200 revisions');
});

test('a table keeps its views too, with what stays at the left @long', async ({
  page,
  context,
}) => {
  await service.open(page, `/tables/${SUPPLIERS}?where[COUNTRY][eq]=FR&frozen=2`);
  const views = page.getByRole('region', { name: 'Views' });
  await views.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('France');
  const remembered = page.waitForResponse(
    (answer) => answer.url().endsWith('/lastview') && answer.request().method() === 'PUT',
  );
  await page.keyboard.press('Enter');
  const view = views.getByRole('button', { name: /^France \d+$/ });
  await expect(view).toHaveAttribute('aria-current', 'true');
  expect((await remembered).status()).toBe(200);

  const other = await context.newPage();
  await other.goto(`${service.url}/tables/${SUPPLIERS}`);
  await expect(other).toHaveURL(/where\[COUNTRY\]\[eq\]=FR/);
  await expect(other).toHaveURL(/frozen=2/);
  await other.getByRole('button', { name: /^All Suppliers/ }).click();
  await expect(other.getByText(/^\d+ records$/)).toBeVisible();
});
