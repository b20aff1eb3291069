import { expectNoViolations, ROWS } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { countedKeys } from './support/counted-keys.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('gives five invoices the same remark with one value and one key each @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const first = 10020;
  const ids = Array.from({ length: 5 }, (_, at) => first + at);
  const before = await Promise.all(ids.map((id) => ben.revision(INVOICES, id)));
  await service.open(
    page,
    `/archives/${INVOICES}?where[revisionId][gte]=${first}&selected=${first}`,
  );
  const screen = archiveScreen(page);
  await screen.field('Remark').click();
  const keys = countedKeys(page);
  const remark = 'Checked against the order';
  await keys.type(remark);
  await keys.press('Control+Shift+D');
  await keys.press('Control+Enter');
  for (const id of ids.slice(1)) {
    const form = screen.formOf(id);
    await expect(form.getByRole('textbox', { name: 'Remark' })).toHaveValue(remark);
    await expect(form.getByText(`carried over from revision ${first}`)).toBeVisible();
    await expect(form.getByText('1 field changed')).toBeVisible();
    if (id === first + 1) await expectNoViolations(page, { except: ROWS });
    await expect(form.getByRole('textbox', { name: 'Remark' })).toBeFocused();
    await keys.press('Control+Enter');
  }
  // Released, it changes nothing any more.
  await expect(screen.formOf(first + 5).getByRole('textbox', { name: 'Remark' })).toBeFocused();
  await keys.press('Control+Shift+D');
  await keys.press('Control+U');
  await expect(screen.changed).toHaveText('Nothing changed');
  await keys.press('Control+Enter');
  await expect(screen.formOf(first + 6)).toBeVisible();
  await expect(screen.changed).toHaveText('Nothing changed');
  expect(keys.count()).toBe(remark.length + 1 + 5 + 3);
  for (const [at, id] of ids.entries()) {
    const { values } = await ben.revision(INVOICES, id);
    expect(values).toEqual({ ...before[at]?.values, REMARK: remark });
  }
});

test('goes to what is missing, and looks the supplier up, by keys alone @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10015);
  expect(before.values['SUPPLIERNO']).toBeNull();
  await service.open(page, `/archives/${INVOICES}?selected=10015`);
  const screen = archiveScreen(page);
  await expect(screen.field('Invoice no.')).toBeVisible();
  await page.keyboard.press('F8');
  const number = screen.field('Supplier no.');
  await expect(number).toBeFocused();
  await expect(page.getByRole('option')).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  // What goes with the name that is there already comes first.
  await expect(page.getByRole('option').first()).toContainText(String(before.values['SUPPLIER']));
  await expectNoViolations(page, { except: ROWS });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(number).toHaveValue(/^\d{5}$/);
  await expect(screen.field('Supplier')).toHaveValue(String(before.values['SUPPLIER']));
  await expect(screen.changed).toHaveText('1 field changed');
  const chosen = await number.inputValue();
  await page.keyboard.press('Control+s');
  await expect(screen.notices).toContainText('Revision 10015 is saved.');
  expect((await ben.revision(INVOICES, 10015)).values['SUPPLIERNO']).toBe(chosen);
});

test('repeats the value before by one key, in the browser’s own combination for bookmarks @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  await service.open(page, `/archives/${INVOICES}?selected=10030`);
  const screen = archiveScreen(page);
  await screen.field('Due date').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('20260630');
  await page.keyboard.press('Control+Enter');
  await expect(screen.formOf(10031).getByRole('textbox', { name: 'Due date' })).toBeFocused();
  await page.keyboard.press('Control+d');
  await expect(screen.field('Due date')).toHaveValue('30/06/2026');
  await expect(screen.field('Due date')).toHaveAccessibleDescription(/copied from revision 10030/);
  await page.keyboard.press('Control+s');
  await expect(screen.notices).toContainText('Revision 10031 is saved.');
  expect((await ben.revision(INVOICES, 10031)).values['DUEDATE']).toBe('2026-06-30');
});

test('what is typed while the next form loads is entered into it as a whole @long', async ({
  page,
}) => {
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/documents\/10032(?:\?|$)/, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  await service.open(page, `/archives/${INVOICES}?where[revisionId][gte]=10031&sort=revisionId`);
  const { row, search, formOf, field } = archiveScreen(page);
  await expect(row(10032)).toBeVisible();
  await search.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(formOf(10032)).toBeVisible();
  await page.keyboard.type('4712');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  loaded.resolve();
  await expect(field('Invoice date')).toBeFocused();
  await expect(field('Invoice no.')).toHaveValue('471');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('4711');
  await expect(field('Invoice no.')).toHaveValue('4711');
});
