import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

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

  const remark = screen.field('Remark');
  await remark.click();
  await pane.getByText('34000 Montpellier').dblclick({ position: { x: 8, y: 4 } });
  await expect(pane.getByRole('button', { name: /Into the field/ })).toBeVisible();
  await page.keyboard.press('Alt+Enter');
  await expect(remark).toHaveValue('34000');
});

test('says that a file is broken, and the form still works', async ({ page }) => {
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

test('shows the documents in a window of their own, which follows and gives text back', async ({
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
  await expect(alone.getByRole('link', { name: 'invoice-10001.pdf' })).toBeVisible();
  await expect(pane).toBeHidden();
  await screen.field('Remark').focus();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(alone.getByRole('link', { name: 'invoice-10002.pdf' })).toBeVisible();
  await alone.getByText('34000 Montpellier').dblclick({ position: { x: 8, y: 4 } });
  await own.keyboard.press('Alt+Enter');
  await expect(screen.field('Remark')).toHaveValue('34000');
  await own.close();
  await expect(pane).toBeVisible();
});
