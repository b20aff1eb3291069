import { writeText } from '#shared/values/readings.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, LETTERS } from './support/content.ts';
import { countedKeys } from './support/counted-keys.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('saves the one field that was changed, by PATCH @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10003);
  await service.open(page, `/archives/${INVOICES}`);
  const screen = archiveScreen(page);
  await screen.row(10003).getByRole('gridcell', { name: 'F/2025/418' }).click();
  const total = screen.field('Total');
  await expect(total).toHaveValue('4803.00');
  await expect(screen.save).toBeDisabled();
  // Thousands separators are drawn over the box, and go while it is edited.
  const grouped = screen.form.getByText('4,803.00', { exact: true });
  await expect(grouped).toBeVisible();
  await total.focus();
  await expect(grouped).toBeHidden();

  await total.fill('4803.05');
  await expect(screen.changed).toHaveText('1 field changed');
  await expect(total).toHaveAccessibleDescription(/^was ?4,803.00/);
  await screen.chooseMore('Preview request');
  const path = `/api/rest/v2/application/archiveapp/archives/${INVOICES}/documents/10003/indexdata`;
  await expect(screen.request).toContainText(`PATCH ${path}`);
  await expect(screen.request).toContainText(`If-Match: ${before.etag}`);
  await expect(screen.request).toContainText('"value": 4803.05');
  expect((await ben.revision(INVOICES, 10003)).values).toEqual(before.values);

  const sent = page.waitForRequest((request) => request.method() === 'PATCH');
  await screen.save.click();
  expect((await sent).postDataJSON()).toEqual({ indexFields: [{ name: 'TOTAL', value: 4803.05 }] });
  await expect(screen.notices).toContainText('Revision 10003 is saved.');
  await expect(screen.changed).toHaveText('Nothing changed');
  await expect(screen.row(10003)).toContainText('4,803.05');

  const after = await ben.revision(INVOICES, 10003);
  expect(after.values).toEqual({ ...before.values, TOTAL: 4803.05 });
  expect(after.revision.keywordFields).toEqual(before.revision.keywordFields);
  expect(after.revision.changedBy).toBe('anna');
  const [entry, ...older] = await ben.history(INVOICES, 10003);
  expect(entry).toMatchObject({
    user: 'anna',
    changes: [{ name: 'TOTAL', before: before.values['TOTAL'], after: 4803.05 }],
  });
  expect(older).toHaveLength(1);

  const history = screen.form.getByRole('region', { name: 'History' });
  await history.getByRole('button', { name: 'History' }).click();
  await expect(history).toContainText('4,803.05');
  await expect(history).toContainText('Anna Weiss');
});

test('leaves untouched fields as they are, to the byte @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = await ben.revision(LETTERS, 1);
  await service.open(page, `/archives/${LETTERS}?selected=1`);
  const screen = archiveScreen(page);
  await screen.field('Subject').fill('Letter one');
  await page.keyboard.press('Control+s');
  await expect(screen.notices).toContainText('Revision 1 is saved.');
  const after = await ben.revision(LETTERS, 1);
  expect(after.values).toEqual({ ...before.values, SUBJECT: 'Letter one' });
  expect(after.revision.keywordFields).toEqual(before.revision.keywordFields);
});

test('saves the full set by PUT, untouched values as they were read', async ({ page }) => {
  const ben = await service.as('ben');
  const before = await ben.revision(LETTERS, 2);
  expect(before.values['SENDER']).toBe('');
  await service.open(page, `/archives/${LETTERS}?selected=2`);
  const screen = archiveScreen(page);
  await screen.field('Weight').fill('0.5');
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && !request.url().includes('/viewers?'),
  );
  await screen.chooseMore('Validate all and save');
  const values = { ...before.values, WEIGHT: 0.5 };
  const indexFields = Object.entries(values).map(([name, value]) => ({ name, value }));
  expect((await sent).postDataJSON()).toEqual({ indexFields });
  await expect(screen.notices).toContainText('Revision 2 is saved.');
  const after = await ben.revision(LETTERS, 2);
  expect(after.values).toEqual(values);
  expect(after.revision.keywordFields).toEqual(before.revision.keywordFields);
  const [entry] = await ben.history(LETTERS, 2);
  expect(entry?.changes).toEqual([{ name: 'WEIGHT', before: 0.125, after: 0.5 }]);
});

test('keeps the line breaks of a text that is added to @long', async ({ page }) => {
  const ben = await service.as('ben');
  const before = await ben.revision(LETTERS, 3);
  await service.open(page, `/archives/${LETTERS}?selected=3`);
  const screen = archiveScreen(page);
  await screen.field('Body').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('Yours');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Zoë');
  await page.keyboard.press('Control+s');
  await expect(screen.notices).toContainText('Revision 3 is saved.');
  const { values } = await ben.revision(LETTERS, 3);
  expect(values['BODY']).toBe(`${before.values['BODY']}Yours\r\nZoë`);
});

test('changes keywords, yes and no, an option and a date by their own editors @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10017);
  await service.open(page, `/archives/${INVOICES}?selected=10017`);
  const screen = archiveScreen(page);
  const paid = screen.form.getByRole('radiogroup', { name: 'Paid' });
  await expect(paid.getByRole('radio', { name: 'No' })).toBeChecked();
  await paid.getByText('Yes').click();
  await screen.field('Currency').click();
  await page.getByRole('option', { name: 'CHF' }).click();
  await screen.field('Total').fill('15.755,30');
  await page.keyboard.press('Tab');
  await expect(screen.field('Total')).toHaveValue('15755.30');
  await screen.field('Total').press('Control+u');
  // Completed when the field is left.
  await screen.field('Due date').fill('20260131');
  await screen.field('Project').fill('Winter list');
  await page.keyboard.press('Enter');
  await expect(screen.field('Due date')).toHaveValue('31/01/2026');
  await expect(screen.changed).toHaveText('4 fields changed');
  await page.keyboard.press('Control+s');
  await expect(screen.notices).toContainText('Revision 10017 is saved.');
  const after = await ben.revision(INVOICES, 10017);
  expect(after.values).toEqual({
    ...before.values,
    PAID: true,
    CURRENCY: 'CHF',
    DUEDATE: '2026-01-31',
  });
  expect(after.revision.keywordFields).toEqual([
    ...before.revision.keywordFields,
    { name: 'PROJECT', value: 'Winter list' },
  ]);
});

test('says at the field what is wrong while one types, and sends nothing @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10020);
  await service.open(page, `/archives/${INVOICES}?selected=10020`);
  const screen = archiveScreen(page);
  const writes: string[] = [];
  page.on('request', (request) => {
    // Who looks at a revision is told to the others all the while; that corrects nothing.
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && !pathname.endsWith('/viewers')) writes.push(pathname);
  });
  const date = screen.field('Invoice date');
  await date.fill('2026-02-30');
  await expect(date).toHaveAccessibleDescription(/Enter a valid date/);
  await screen.field('Supplier').fill('');
  await expect(screen.field('Supplier')).toHaveAccessibleDescription(/A value is required\./);
  await screen.field('Supplier no.').fill('12345678901');
  await expect(screen.field('Supplier no.')).toHaveAccessibleDescription(/at most 10 characters/);
  await screen.field('Total').fill('1.999');
  await expect(screen.field('Total')).toHaveAccessibleDescription(/at most 2 decimal places/);
  await screen.field('Total').fill('about 12');
  await expect(screen.field('Total')).toHaveAccessibleDescription(/must be a number/);
  const currency = screen.field('Currency');
  await currency.fill('XXX');
  await currency.press('Tab');
  await expect(currency).toHaveValue('XXX');
  await expect(currency).toHaveAccessibleDescription(/must be one of/);
  await page.keyboard.press('Control+s');
  // The cursor goes to the first field that is wrong.
  await expect(date).toBeFocused();
  await expect(date).toHaveAttribute('aria-invalid', 'true');
  expect(writes).toEqual([]);

  await screen.form.getByRole('button', { name: 'Restore Invoice date' }).click();
  const day = String(before.values['INVOICEDATE']);
  await expect(date).toHaveValue(writeText({ type: 'date', scale: null }, day, 'en-GB'));
  await expect(date).toBeFocused();
  await screen.form.getByRole('button', { name: 'Restore all' }).click();
  await expect(screen.changed).toHaveText('Nothing changed');
  await expect(screen.field('Total')).toHaveValue(Number(before.values['TOTAL']).toFixed(2));
  expect((await ben.revision(INVOICES, 10020)).values).toEqual(before.values);
});

test('corrects ten in a row by keyboard alone @long', async ({ page }) => {
  const ben = await service.as('ben');
  const first = 10101;
  const ids = Array.from({ length: 10 }, (_, i) => first + i);
  const before = await Promise.all(ids.map((id) => ben.revision(INVOICES, id)));
  await service.open(page, `/archives/${INVOICES}?where[revisionId][gte]=${first}`);
  const screen = archiveScreen(page);
  await expect(screen.row(first)).toBeVisible();
  const keys = countedKeys(page);

  // The list has the focus. To the order number of the first.
  await expect(screen.grid).toBeFocused();
  await keys.press('Enter');
  await expect(screen.field('Invoice no.')).toBeFocused();
  await keys.press('Tab', 4);
  await expect(screen.field('Order no.')).toBeFocused();
  const arriving = keys.count();

  const typed = ids.map((_, i) => `PO-26-0${4000 + i * 7}`);
  for (const [i, id] of ids.entries()) {
    // Only waits for what a person waits to see; the text is selected already.
    const field = screen.formOf(id).getByRole('combobox', { name: 'Order no.' });
    await expect(field).toBeFocused();
    await keys.type(typed[i] ?? '');
    await keys.press('Control+Enter');
  }
  await expect(screen.formOf(first + 10)).toBeVisible();
  expect(keys.count() - arriving).toBe(10 * ('PO-26-04000'.length + 1));
  console.log(
    `Ten corrections: ${arriving} keys to arrive, ${keys.count() - arriving} to correct.`,
  );

  for (const [i, id] of ids.entries()) {
    const { values, revision } = await ben.revision(INVOICES, id);
    expect(values).toEqual({ ...before[i]?.values, ORDERNO: typed[i] });
    expect(revision.changedBy).toBe('anna');
  }
});

test('walks through the list by keys, and keeps what was typed on the way @long', async ({
  page,
}) => {
  await service.open(page, `/archives/${INVOICES}?selected=10050`);
  const screen = archiveScreen(page);
  await expect(screen.row(10050)).toBeVisible();
  await screen.field('Remark').fill('half written');
  await page.keyboard.press('Alt+ArrowDown');
  await expect(screen.formOf(10051)).toBeVisible();
  await expect(screen.field('Remark')).toBeFocused();
  await expect(screen.row(10050)).toHaveAccessibleName(/^Unsaved 10050 /);
  await page.keyboard.press('Alt+ArrowUp');
  await expect(screen.formOf(10050)).toBeVisible();
  await expect(screen.field('Remark')).toHaveValue('half written');
  await expect(screen.changed).toHaveText('1 field changed');
  await screen.form.getByRole('button', { name: 'Restore all' }).click();
  await page.keyboard.press('Escape');
  await expect(screen.grid).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(screen.form).toBeHidden();
});

test('leaves no empty line in a narrow box of keywords @long', async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await service.open(page, `/archives/${LETTERS}?selected=3`);
  const { form, field } = archiveScreen(page);
  const middle = async (of: ReturnType<typeof form.getByText>) => {
    const box = await of.boundingBox();
    return (box?.y ?? Infinity) + (box?.height ?? 0) / 2;
  };
  // The last one; the box may be too narrow for both on one line.
  const keyword = form.getByRole('button', { name: /^Remove\s+spaces/ });
  const more = field('Topic');
  await keyword.scrollIntoViewIfNeeded();
  expect(Math.abs((await middle(more)) - (await middle(keyword)))).toBeLessThan(8);
  // Where one types there is room for it.
  await expect(async () => {
    // The list may take the keyboard once it is there.
    await more.focus();
    expect((await more.boundingBox())?.width).toBeGreaterThanOrEqual(50);
  }).toPass();
});
