import type { Locator } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService();
test.use({ documents: true });

test('searches a PDF and puts selected text into the field', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?selected=10002`);
  const screen = archiveScreen(page);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await expect(pane.getByText('PO-25-16764')).toBeVisible();
  await pane.getByRole('button', { name: 'Search in the document' }).click();
  await page.keyboard.type('gar25-288');
  await expect(pane.getByText('1 of 1')).toBeVisible();
  await page.keyboard.press('Escape');
  // Opened again, it highlights nothing of what was searched before.
  await pane.getByRole('button', { name: 'Search in the document' }).click();
  await expect(pane.getByRole('searchbox')).toHaveValue('');
  expect(await page.evaluate(() => CSS.highlights.get('document-hits')?.size)).toBe(0);
  await page.keyboard.press('Escape');

  const remark = screen.field('Remark');
  await remark.click();
  await pane.getByText('34000 Montpellier').dblclick({ position: { x: 8, y: 4 } });
  await expect(pane.getByRole('button', { name: /Into the field/ })).toBeVisible();
  await page.keyboard.press('Alt+Enter');
  await expect(remark).toHaveValue('34000');
});

test('says that a file is broken, and the form still works @long', async ({ page }) => {
  await page.route('**/documents/10002/files/*', (route) =>
    route.fulfill({ contentType: 'application/pdf', body: 'no PDF' }),
  );
  await service.open(page, `/archives/${INVOICES}?selected=10002`);
  const screen = archiveScreen(page);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await expect(pane.getByRole('alert')).toContainText('This PDF is broken.');
  await screen.field('Remark').fill('seen');
  await screen.save.click();
  await expect(screen.notices).toContainText('Revision 10002 is saved.');
});

test('waits for the document while the service is away @long', async ({ page, watch }) => {
  watch.expectUnreachable();
  await service.open(page, `/archives/${INVOICES}?selected=10002`);
  const screen = archiveScreen(page);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await expect(pane.getByText('PO-25-16764')).toBeVisible();
  // The form is of what was read before; its document is not.
  await page.route('**/documents/*/files/*', (route) => route.abort('connectionrefused'));
  await page.reload();
  await expect(screen.formOf(10002)).toBeVisible();
  await expect(pane.getByText('The server cannot be reached.')).toBeVisible();
  await expect(pane.getByRole('alert')).toBeHidden();
  await page.unroute('**/documents/*/files/*');
  await expect(pane.getByText('PO-25-16764')).toBeVisible();
});

test('asks to sign in again where the session ends before the document is read @long', async ({
  page,
  context,
  watch,
}) => {
  watch.expectStatus(401);
  await service.open(page, `/archives/${INVOICES}?sort=revisionId&selected=10001`);
  const screen = archiveScreen(page);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await expect(pane.getByText('PO-', { exact: false }).first()).toBeVisible();
  await context.clearCookies();
  await screen.field('Remark').focus();
  await page.keyboard.press('Alt+ArrowDown');
  const dialog = page.getByRole('dialog', { name: /session/i });
  await expect(dialog).toBeVisible();
  await expect(pane.getByText('This PDF is broken.')).toBeHidden();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(pane.getByText('PO-25-16764')).toBeVisible();
});

test('offers to read again a document that the service could not give @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(500);
  await page.route('**/documents/10002/files/*', (route) =>
    route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  );
  await service.open(page, `/archives/${INVOICES}?selected=10002`);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await expect(pane.getByRole('alert')).toContainText('The document could not be read.');
  await page.unroute('**/documents/10002/files/*');
  await pane.getByRole('button', { name: 'Try again' }).click();
  await expect(pane.getByText('PO-25-16764')).toBeVisible();
});

test('shows the documents in a window of their own, which follows and gives text back @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}?sort=revisionId&selected=10001`);
  const screen = archiveScreen(page);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  await expect(pane).toBeVisible();
  const [own] = await Promise.all([
    page.waitForEvent('popup'),
    pane.getByRole('button', { name: 'Show the document in its own window' }).click(),
  ]);
  const alone = own.getByRole('region', { name: 'Document', exact: true });
  // Another window of the same archive has its own documents, and gets nothing from this one's.
  const beside = await page.context().newPage();
  await beside.goto(`${service.url}/archives/${INVOICES}?sort=revisionId&selected=10003`);
  const besidePane = beside.getByRole('region', { name: 'Document', exact: true });
  await expect(besidePane.getByRole('link', { name: 'invoice-10003.pdf' })).toBeVisible();
  const besideField = archiveScreen(beside).field('Remark');
  const untouched = await besideField.inputValue();
  await besideField.focus();
  await expect(alone.getByRole('link', { name: 'invoice-10001.pdf' })).toBeVisible();
  await expect(pane).toBeHidden();
  await screen.field('Remark').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(alone.getByRole('link', { name: 'invoice-10002.pdf' })).toBeVisible();
  await alone.getByText('34000 Montpellier').dblclick({ position: { x: 8, y: 4 } });
  await own.keyboard.press('Alt+Enter');
  await expect(screen.field('Remark')).toHaveValue('34000');
  await expect(besidePane).toBeVisible();
  await expect(besideField).toHaveValue(untouched);
  await beside.close();
  // Keys of the form move the document there.
  const pages = alone.getByRole('region', { name: 'Pages of invoice-10002.pdf' });
  await own.setViewportSize({ width: 900, height: 500 });
  await screen.field('Remark').focus();
  await page.keyboard.press('Alt+Shift+ArrowDown');
  await expect.poll(() => scrolled(pages)).toBeGreaterThan(100);
  await own.keyboard.press('Alt+Shift+ArrowUp');
  await expect.poll(() => scrolled(pages)).toBe(0);
  await own.keyboard.press('F1');
  await expect(own.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText(
    'Scroll the document down',
  );
  await page.reload();
  await expect(screen.field('Remark')).toHaveValue('34000');
  await expect(pane).toBeHidden();
  await own.close();
  await expect(pane).toBeVisible();
});

test('keeps how pages fit from document to document, but not how they are turned @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}?sort=revisionId&selected=10001`);
  const screen = archiveScreen(page);
  const pane = page.getByRole('region', { name: 'Document', exact: true });
  const whole = pane.getByRole('button', { name: 'Whole page' });
  const sheet = pane.getByRole('group', { name: 'Page 1', exact: true });
  await whole.click();
  await pane.getByRole('button', { name: 'Turn the view' }).click();
  await expect.poll(async () => isWide(await sheet.boundingBox())).toBe(true);
  await screen.field('Remark').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(pane.getByRole('link', { name: 'invoice-10002.pdf' })).toBeVisible();
  await expect(whole).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(async () => isWide(await sheet.boundingBox())).toBe(false);

  await pane.getByRole('button', { name: 'Larger' }).click();
  await screen.field('Remark').focus();
  await page.keyboard.press('Alt+Shift+Home');
  await expect(whole).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Alt+Shift+Home');
  await expect(whole).toHaveAttribute('aria-pressed', 'false');
  await expect(screen.field('Remark')).toBeFocused();
  await pane.getByRole('button', { name: 'Larger' }).click();
  const percent = await pane.getByText(/^\d+ %$/).textContent();
  await page.reload();
  await expect(pane.getByText(percent ?? 'none', { exact: true })).toBeVisible();
  await expect(whole).toHaveAttribute('aria-pressed', 'false');
});

test('scrolls the document by keys while the cursor stays in its field @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?sort=revisionId&selected=10001`);
  const screen = archiveScreen(page);
  const pages = page.getByRole('region', { name: 'Pages of invoice-10001.pdf' });
  await expect(pages.getByRole('group', { name: 'Page 1', exact: true })).toBeVisible();
  // Of a number, an arrow would otherwise count up or down.
  for (const label of ['Remark', 'Total', 'Supplier no.', 'Due date']) {
    const field = screen.field(label);
    const value = await field.inputValue();
    await field.focus();
    await page.keyboard.press('Alt+Shift+ArrowDown');
    await expect.poll(() => scrolled(pages)).toBeGreaterThan(100);
    await page.keyboard.press('Alt+Shift+ArrowUp');
    await expect.poll(() => scrolled(pages)).toBe(0);
    await expect(field).toBeFocused();
    await expect(field).toHaveValue(value);
  }
  await expect(screen.changed).toHaveText('Nothing changed');
});

const scrolled = (pages: Locator) => pages.evaluate(({ scrollTop }) => scrollTop);

function isWide(box: { width: number; height: number } | null): boolean {
  return box !== null && box.width > box.height;
}
