import type { Browser, Page } from '@playwright/test';
import { archiveScreen } from './support/archive-screen.ts';
import { contracts, filesOf, spreadsheetOf } from './support/contracts.ts';
import { EMPTY, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

/** How long one look at the page waits; the look is repeated. */
const WITHIN = { timeout: 3_000 };
const LONG_NAME = 'Gesellschaft mit beschränkter Haftung';
const OWN_PASSWORD = 'seven grey herons on a wire';

for (const database of ['sqlite', 'postgres'] as const) {
  test.describe(`on ${database}`, { tag: '@long' }, () => {
    const service = ownService({ ...EMPTY, database });

    test('an administrator makes an archive, gives rights, changes its fields, and finds all of it in the audit', async ({
      page,
      browser,
    }) => {
      test.setTimeout(400_000);
      await signIn(page, service.url, 'admin', PASSWORD);
      await loadContracts(page);
      const [anna, ben] = await test.step('two people with different rights by field', async () => {
        await page.getByRole('link', { name: 'Rights', exact: true }).click();
        await expect(page.getByText('There are only administrators')).toBeVisible();
        await page.getByRole('main').getByRole('link', { name: 'Users' }).click();
        const passwords = {
          anna: await addUser(page, 'anna', 'IBAN', 'Hidden'),
          ben: await addUser(page, 'ben', 'Betrag', 'Read'),
        };
        return [
          await firstSignIn(browser, service.url, 'anna', passwords.anna),
          await firstSignIn(browser, service.url, 'ben', passwords.ben),
        ];
      });
      const [forAnna, forBen] = [archiveScreen(anna), archiveScreen(ben)];
      await openContracts(anna);
      await expect(headings(anna)).toContainText(['Betrag', 'Status']);
      await expect(headings(anna).filter({ hasText: 'IBAN' })).toHaveCount(0);
      await openContracts(ben);
      await expect(headings(ben).filter({ hasText: 'IBAN' })).toHaveCount(1);
      await forBen.grid.getByText('V-004').click();
      await expect(forBen.field('Betrag')).toHaveValue(/^1,?004\.50$/);
      await expect(forBen.field('Betrag')).not.toBeEditable();
      await forAnna.grid.getByText('V-004').click();
      await expect(forAnna.field('Betrag')).toBeEditable();
      await expect(forAnna.field('Partner')).toBeVisible();
      await expect(forAnna.field('IBAN')).toHaveCount(0);

      await narrowPartner(page);
      await changeFields(page, anna);

      await test.step('a person is disabled, and refused', async () => {
        await page.getByRole('link', { name: 'Users', exact: true }).click();
        await page.getByRole('link', { name: /^ben/ }).click();
        await page.getByLabel('Active').uncheck();
        await page.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByText('ben is saved.')).toBeVisible();
        await ben.reload();
        await expect(ben).toHaveURL(/\/sign-in/);
        await typePassword(ben, 'ben', OWN_PASSWORD);
        await expect(ben.getByRole('alert')).toBeVisible();
      });

      await findInAudit(page);
    });
  });
}

async function typePassword(page: Page, username: string, password: string) {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

async function signIn(page: Page, url: string, username: string, password: string) {
  await page.goto(url);
  await typePassword(page, username, password);
}

/** Opens a browser of another person, who replaces the one-time password. */
async function firstSignIn(browser: Browser, url: string, username: string, oneTime: string) {
  const context = await browser.newContext({ locale: 'en-GB' });
  await context.addInitScript(() => localStorage.setItem('indexdesk-preview', 'hidden'));
  const page = await context.newPage();
  await signIn(page, url, username, oneTime);
  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
  await page.locator('input[autocomplete="current-password"]').fill(oneTime);
  for (const input of await page.locator('input[autocomplete="new-password"]').all()) {
    await input.fill(OWN_PASSWORD);
  }
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  return page;
}

async function openContracts(page: Page) {
  await page
    .getByRole('link', { name: /^Contracts/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { name: 'Contracts' })).toBeVisible();
}

const headings = (page: Page) => archiveScreen(page).grid.getByRole('columnheader');

/** An archive from a spreadsheet with German dates and amounts, with 500 files. */
async function loadContracts(page: Page) {
  await test.step('an archive for contracts from a spreadsheet and 500 files', async () => {
    const all = contracts(500, { 4: { partner: LONG_NAME }, 300: { partner: LONG_NAME } });
    await expect(page.getByText('There is no archive or table yet')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Load data' }).click();
    await page.locator('input[type=file]').setInputFiles(spreadsheetOf(all));
    await expect(page.getByLabel('Type of Unterschrieben')).toHaveValue('date');
    await expect(page.getByLabel('Type of Betrag')).toHaveValue('decimal');
    await page.getByLabel('Load the column Datei').uncheck();
    await page.getByRole('button', { name: 'Create the archive and load its files' }).click();
    await expect(page.getByText('contracts.csv: 500 rows')).toBeVisible();
    await page.locator('input[type=file][multiple]').setInputFiles(filesOf(all));
    await expect(page.getByText('All files can be stored.')).toBeVisible();
    await page.getByRole('button', { name: 'Load 500 documents' }).click();
    await expect(page.getByText('500 of 500 stored')).toBeVisible({ timeout: 180_000 });
  });
}

/** A clerk who may write in the archive, but for one field. @returns the one-time password */
async function addUser(page: Page, username: string, field: string, access: string) {
  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add user' });
  await dialog.getByLabel('User name').fill(username);
  await dialog.getByRole('button', { name: 'Add user' }).click();
  const password = await page.getByRole('status', { name: 'One-time password' }).innerText();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByLabel('Right on Contracts').selectOption('Write');
  await page.getByRole('button', { name: 'Fields' }).click();
  await page.getByLabel(`Access to ${field}`).selectOption(access);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${username} is saved.`)).toBeVisible();
  return password;
}

/** The designer of the contracts. */
function designer(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Changes' });
  const properties = (name: string) => page.getByRole('group', { name, exact: true });
  return {
    dialog,
    open: async () => {
      await page.getByRole('link', { name: 'Archives and tables' }).click();
      await page
        .getByRole('rowheader', { name: /^Contracts/ })
        .getByRole('link')
        .click();
    },
    choose: async (name: string) => {
      await page.getByRole('button', { name: new RegExp(`^${name}(?: ?Retired)?$`) }).click();
      return properties(name);
    },
    preview: () => page.getByRole('button', { name: 'Preview changes' }).click(),
    /** Previews the changes and applies them. @param kind as the plan names it */
    apply: async (kind: string | RegExp) => {
      await page.getByRole('button', { name: 'Preview changes' }).click();
      await expect(dialog.getByText(kind, { exact: true })).toBeVisible();
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(dialog).toHaveCount(0);
    },
  };
}

async function narrowPartner(page: Page) {
  await test.step('a length is narrowed, and misfits are corrected first', async () => {
    const { open, choose, preview, dialog, apply } = designer(page);
    await open();
    await (await choose('Partner')).getByLabel('Maximum length').fill('30');
    await preview();
    await expect(dialog.getByText('2 values do not fit')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Apply' })).toBeDisabled();
    await dialog.getByRole('button', { name: 'Correct them in a queue' }).click();
    const { field } = archiveScreen(page);
    await expect(page.getByText('Values that do not fit: Partner')).toBeVisible();
    for (const short of ['Erste GmbH', 'Zweite GmbH']) {
      await expect(field('Partner')).toHaveValue(LONG_NAME);
      await expect(field('Partner')).toBeFocused();
      await field('Partner').fill(short);
      await page.keyboard.press('Control+Enter');
    }
    await expect(page.getByText('You have been through all 2')).toBeVisible();
    await page.getByRole('button', { name: 'Back to the changes of the archive' }).click();
    await expect(page.getByText('Your changes that were not applied are restored.')).toBeVisible();
    await expect((await choose('Partner')).getByLabel('Maximum length')).toHaveValue('30');
    await apply('changed');
  });
}

/** @param anna has the list of the archive open */
async function changeFields(page: Page, anna: Page) {
  const { choose, apply } = designer(page);
  await test.step('a field is renamed, retired and restored', async () => {
    const status = await choose('Status');
    await status.getByLabel('Name').fill('STATE');
    await status.getByLabel('Label').fill('State');
    await apply(/^renamed from STATUS$/i);
    await anna.reload();
    await expect(headings(anna).filter({ hasText: 'State' })).toHaveCount(1);

    await (await choose('State')).getByRole('button', { name: 'Retire' }).click();
    await apply('retired');
    await anna.reload();
    await expect(headings(anna).filter({ hasText: 'Betrag' })).toHaveCount(1);
    await expect(headings(anna).filter({ hasText: 'State' })).toHaveCount(0);

    await (await choose('State')).getByRole('button', { name: 'Restore' }).click();
    await apply('restored');
    await anna.reload();
    await expect(headings(anna).filter({ hasText: 'State' })).toHaveCount(1);
    await expect(archiveScreen(anna).grid.getByText('bezahlt').first()).toBeVisible();
  });
}

async function findInAudit(page: Page) {
  await test.step('every step is in the audit', async () => {
    await page.getByRole('link', { name: 'Audit' }).click();
    const entries = page
      .getByRole('listbox', { name: 'Entries, newest first' })
      .getByRole('option');
    const kind = page.getByRole('combobox', { name: 'Kind' });
    const show = async (typed: string) => {
      await kind.fill(typed);
      await page.keyboard.press('Enter');
    };
    await show('Refus');
    // Refusals are gathered before they are written.
    await expect(async () => {
      await page.reload();
      await expect(
        entries.filter({ hasText: 'Sign-in refused' }).filter({ hasText: 'ben' }),
      ).toHaveCount(1, WITHIN);
    }).toPass();
    await show('Defin');
    // Created, narrowed, renamed, retired and restored.
    await expect(entries.filter({ hasText: 'Definition of Contracts' })).toHaveCount(5);
    await show('Users');
    await expect(entries.filter({ hasText: 'User anna' })).not.toHaveCount(0);
    await expect(entries.filter({ hasText: 'User ben' })).not.toHaveCount(0);
    await show('Sign-ins');
    await expect(entries.filter({ hasText: 'anna' })).not.toHaveCount(0);
    await show('Data');
    await expect(entries.filter({ hasText: 'Changed' })).toHaveCount(2);
    await expect(entries.filter({ hasText: 'Created' }).first()).toBeVisible();
  });
}
