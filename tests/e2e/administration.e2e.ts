import type { Locator } from '@playwright/test';
import { expectNoViolations } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { untilDesignStored } from './support/stored-edits.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

test('an administrator reads the state of the system, backs it up and verifies it @long', async ({
  page,
}) => {
  await service.open(page, '/', 'admin');
  await page.getByRole('link', { name: 'System' }).click();
  await expect(page.getByRole('heading', { name: 'System' })).toBeVisible();
  await expect(page.getByText(/^(SQLite|PostgreSQL) \d/)).toBeVisible();
  await expect(page.getByRole('row', { name: /^admin-password .* Not shown/ })).toBeVisible();

  await page.getByRole('button', { name: 'Create a backup' }).click();
  await expect(page.getByRole('link', { name: /^indexdesk-.*\.tar$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText(/^Verified .*: no findings\.$/)).toBeVisible();
  await expectNoViolations(page);
});

test('for a clerk there is no administration @long', async ({ page }) => {
  await service.open(page, '/administration/system', 'ben');
  await expect(
    page.getByRole('heading', { name: 'There is no page at this address' }),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'System' })).toHaveCount(0);
});

test('an administrator adds a user, hides a field from a group and sees who may do what', async ({
  page,
}) => {
  await service.open(page, '/administration/users', 'admin');
  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add user' });
  await dialog.getByLabel('User name').fill('dora');
  await dialog.getByRole('button', { name: 'Add user' }).click();
  await expect(page.getByRole('status', { name: 'One-time password' })).toHaveText(/^\S{12,}$/);
  await page.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('link', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'Add group' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('READERS');
  // As the browser does before a reload: it asks where the event is cancelled.
  const reloads = () =>
    page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
  expect(await reloads()).toBe(false);
  await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).click();
  await page.getByLabel('dora').check();
  await page.getByLabel('Right on Supplier invoices').selectOption('Write');
  await page.getByRole('button', { name: 'Fields' }).first().click();
  await page.getByLabel('Access to Total').selectOption('Hidden');
  const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await expectNoViolations(page);
  await leaving.getByRole('button', { name: 'Cancel' }).click();
  await expect(leaving).toHaveCount(0);
  await expect(page.getByLabel('Access to Total')).toHaveValue('hidden');
  expect(await reloads()).toBe(false);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('READERS is saved.')).toBeVisible();
  expect(await reloads()).toBe(true);
  await expectNoViolations(page);

  await page.getByRole('link', { name: 'Rights', exact: true }).click();
  await page.getByLabel('Right of dora on Suppliers').selectOption('Read');
  await page.getByRole('link', { name: 'dora' }).click();
  await page.getByLabel('E-mail').fill('dora@example.org');
  await page.goBack();
  await leaving.getByRole('button', { name: 'Leave without saving' }).click();
  await page.getByRole('link', { name: 'dora' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue('');
  await expect(
    page.getByRole('row', { name: /^Supplier invoices Write group READERS Total: Hidden/ }),
  ).toBeVisible();
  await expect(page.getByRole('row', { name: /^Suppliers Read own right/ })).toBeVisible();
  await expectNoViolations(page);
});

test('an administrator ends the session of another user @long', async ({ page }) => {
  await service.as('ben');
  await service.open(page, '/administration/sessions', 'admin');
  await expect(page.getByText('This session')).toBeVisible();
  const end = page.getByRole('button', { name: 'End the session of ben' }).first();
  await page.setViewportSize({ width: 400, height: 860 });
  await expect(end).toBeInViewport({ ratio: 1 });
  await end.click();
  await expect(page.getByText('The session has ended.')).toBeVisible();
  await expectNoViolations(page);
});

test('an administrator releases the lock of another user @long', async ({ page }) => {
  const ben = await service.as('ben');
  await ben.lock(INVOICES, 10002, true);
  await service.open(page, '/administration/sessions', 'admin');
  await page.getByRole('button', { name: /^Release .*10002/ }).click();
  await expect(page.getByText('The lock is released.')).toBeVisible();
  await expect(page.getByText('No document is locked.')).toBeVisible();
  const anna = await service.as('anna');
  await anna.correct(INVOICES, 10002, { REMARK: 'no longer locked' });
});

test('an administrator sees as another user, and ends it @long', async ({ page }) => {
  await service.signIn(page.context(), 'anna');
  const queues = `${service.url}/api/rest/v2/application/archiveapp/archives/${INVOICES}/queues`;
  const queue = { name: 'To look through', revisionIds: ['10001', '10002'] };
  expect((await page.request.post(queues, { data: queue })).status()).toBe(201);
  await service.open(page, '/administration/users?user=anna', 'admin');
  await page.getByRole('button', { name: 'See as' }).click();
  const bar = page.getByRole('region', { name: 'Seeing as another user' });
  await expect(bar).toContainText('You see as Anna Weiss.');
  await expect(page.getByRole('link', { name: 'System' })).toHaveCount(0);
  const reason = 'Nothing can be changed while you see as another user.';
  const expectDisabled = async (control: Locator) => {
    await expect(control).toBeDisabled();
    await expect(control).toHaveAttribute('title', reason);
  };
  await expectDisabled(page.getByRole('button', { name: /^Start/ }).first());
  await page
    .getByRole('link', { name: /^Supplier invoices/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Supplier invoices' })).toBeVisible();
  await expect(bar).toBeVisible();
  await expectDisabled(page.getByRole('button', { name: /^Correct/ }));
  await page.getByRole('button', { name: /with findings/ }).click();
  await expectDisabled(page.getByRole('menuitem', { name: /^Correct these/ }).first());
  await page.keyboard.press('Escape');
  await expectNoViolations(page);
  await page.getByRole('row').nth(1).click();
  await expect(archiveScreen(page).field('Remark')).toHaveAttribute('readonly');
  // The queue can be looked through; the user's position stays.
  await page.goto(`${service.url}/archives/${INVOICES}/queue/1`);
  await expect(archiveScreen(page).formOf(10001)).toBeVisible();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(archiveScreen(page).formOf(10002)).toBeVisible();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(archiveScreen(page).formOf(10001)).toBeVisible();
  await expect(archiveScreen(page).notices).toBeEmpty();
  await bar.getByRole('button', { name: 'End' }).click();
  await expect(page.getByRole('button', { name: 'See as' })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test('an administrator designs an archive, moves its fields by keys, and deletes it permanently @long', async ({
  page,
}) => {
  await service.open(page, '/administration/definitions', 'admin');
  await page.getByRole('link', { name: 'New archive' }).click();
  await untilDesignStored(page, () => page.getByLabel('Label').first().fill('Contracts'));
  // It is named after its label.
  await untilDesignStored(page, () => page.getByLabel('Table name').focus());
  await page.reload();
  await expect(page.getByLabel('Table name')).toHaveValue('CONTRACTS');
  await page.getByRole('button', { name: 'Add field', exact: true }).click();
  const properties = page.getByRole('group', { name: 'Field 2' });
  await properties.getByLabel('Name').fill('AMOUNT');
  await properties.getByLabel('Type', { exact: true }).fill('Dec');
  await page.keyboard.press('Enter');
  await properties.getByLabel('Smallest value').fill('10');
  await properties.getByLabel('Label').fill('Amount');
  const preview = page.getByRole('region', { name: 'Preview of the form' });
  await preview.getByLabel('Amount').fill('5');
  await expect(preview.getByText('The value must be at least 10.')).toBeVisible();
  await page.getByRole('button', { name: 'Amount', exact: true }).focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Contracts is created.')).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: /^(Amount|Field 1)$/ })).toHaveText([
    'Amount',
    'Field 1',
  ]);
  await expectNoViolations(page);
  await page.getByRole('link', { name: 'Back to the list' }).click();
  await expect(
    page.getByRole('row', { name: /^Contracts ?CONTRACTS Archive 0 .*2 1 In use/ }),
  ).toBeVisible();
  await expectNoViolations(page);

  const contracts = page.getByRole('rowheader', { name: /^Contracts/ }).getByRole('link');
  await contracts.click();
  await page.getByRole('button', { name: 'Retire', exact: true }).first().click();
  await page
    .getByRole('dialog', { name: 'Retire Contracts?' })
    .getByRole('button', { name: 'Retire' })
    .click();
  await expect(page.getByText('Contracts is retired.')).toBeVisible();
  await contracts.click();
  await page.getByRole('button', { name: 'Delete permanently…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete Contracts permanently?' });
  const purge = dialog.getByRole('button', { name: 'Delete permanently' });
  await dialog.getByLabel('Type CONTRACTS to confirm').fill('CONTRACT');
  await expect(purge).toBeDisabled();
  await expectNoViolations(page);
  await dialog.getByLabel('Type CONTRACTS to confirm').fill('CONTRACTS');
  await purge.click();
  await expect(page.getByText('Contracts is permanently deleted.')).toBeVisible();
  await expect(contracts).toHaveCount(0);
});

test('the list of fields stays beside the properties, and not over the preview below them @long', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await service.open(page, `/administration/archives/${INVOICES}`, 'admin');
  const add = page.getByRole('button', { name: 'Add field', exact: true });
  const preview = page.getByRole('heading', { name: 'Preview of the form' });
  await preview.evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
  await expect(preview).toBeInViewport();
  const [above, below] = [await add.boundingBox(), await preview.boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
});

test('an administrator sees which values a change would break, renames a field and reverts it @long', async ({
  page,
}) => {
  await service.open(page, `/administration/archives/${INVOICES}`, 'admin');
  const field = (name: string) => page.getByRole('button', { name, exact: true });
  const properties = (name: string) => page.getByRole('group', { name, exact: true });
  await field('Invoice no.').click();
  await properties('Invoice no.').getByLabel('Maximum length').fill('7');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes' });
  await expect(dialog.getByText(/\d values do not fit/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await expectNoViolations(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await properties('Invoice no.').getByLabel('Maximum length').fill('60');

  // The definition names the table of its options by name.
  await field('Supplier no.').click();
  const ofSupplier = properties('Supplier no.');
  await expect(ofSupplier.getByLabel('Options from the table')).toHaveValue('Suppliers');
  await expect(ofSupplier.getByLabel('Column')).toHaveValue('Supplier no.');

  await field('Remark').click();
  await properties('Remark').getByLabel('Name').fill('NOTE');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(dialog.getByText('renamed from REMARK')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText(/is changed\.$/)).toBeVisible();
  const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text }).first();
  await expect(entry('NOTE · Name')).toContainText(/REMARK.*NOTE/);
  // Nothing was before the first entry.
  await expect(entry('Table name').getByRole('button')).toHaveCount(0);
  await page
    .getByRole('button', { name: /^Revert the change of/ })
    .first()
    .click();
  await expect(page.getByText('The change is reverted.')).toBeVisible();
  await field('Remark').click();
  await expect(properties('Remark').getByLabel('Name')).toHaveValue('REMARK');
});

test('an administrator corrects the values of a table that do not fit a change, in the table @long', async ({
  page,
  context,
}) => {
  await service.open(page, `/administration/tables/${SUPPLIERS}`, 'admin');
  const otherTab = await context.newPage();
  await otherTab.goto(page.url());
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  const name = page.getByRole('group', { name: 'Name', exact: true });
  await untilDesignStored(page, () => name.getByLabel('Maximum length').fill('12'));
  // What another tab changes, and no longer changes, is its own.
  const description = otherTab.getByRole('textbox', { name: /^Description/ }).first();
  const described = await description.inputValue();
  await untilDesignStored(otherTab, () => description.fill('Other'));
  await untilDesignStored(otherTab, () => description.fill(described));
  await untilDesignStored(otherTab, () => description.fill('Other'));
  await otherTab.close();
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const misfits = page
    .getByRole('dialog', { name: 'Changes' })
    .getByText(/^\d+ values do not fit$/);
  const count = Number.parseInt(await misfits.innerText(), 10);
  await page.getByRole('button', { name: 'Correct them in the table' }).click();
  await expect(page.getByRole('heading', { name: 'Suppliers' })).toBeVisible();
  await expect(page.getByText(new RegExp(`^${count}(?: of \\d+)? records`))).toBeVisible();
  await page.goBack();
  const kept = page.getByText('Your changes that were not applied are restored.');
  await expect(kept).toBeVisible();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(name.getByLabel('Maximum length')).toHaveValue('12');
  await page.reload();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  // That of this tab, though the other is newer.
  await expect(name.getByLabel('Maximum length')).toHaveValue('12');
  await untilDesignStored(page, () => page.getByRole('button', { name: 'Discard them' }).click());
  await expect(name.getByLabel('Maximum length')).not.toHaveValue('12');
  await page.reload();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(name.getByLabel('Maximum length')).not.toHaveValue('12');
  // That of the other tab was not shown before, and is not discarded.
  await expect(kept).toBeVisible();
  await expect(page.getByRole('textbox', { name: /^Description/ }).first()).toHaveValue('Other');
});
