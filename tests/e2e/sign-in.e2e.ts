import type { Page } from '@playwright/test';
import { createdUserAnswer } from '#shared/contract/configuration-people.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES, SUPPLIERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService();

test('says plainly that the password is wrong, then lets the right one in @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  await page.goto(service.url);
  await expect(page).toHaveURL(`${service.url}/sign-in`);
  await expect(page).toHaveTitle('Sign in · Indexdesk');
  await expect(page.getByLabel('User name')).toBeFocused();

  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill('not the right one');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The user name or the password is wrong.');
  // The next try can be typed at once.
  await expect(page.getByLabel('Password')).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/`);
  await expect(page.getByRole('button', { name: 'Anna Weiss' })).toBeVisible();
});

test('asks for an own password where an administrator has generated the one @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  const admin = new ServiceClient(service.url);
  await admin.signIn('admin', PASSWORD);
  const user = { username: 'nora', displayName: 'Nora Lind' };
  const created = await admin.send({
    method: 'POST',
    path: 'configuration/users',
    json: { user },
  });
  const { oneTimePassword } = createdUserAnswer.parse(created.body);
  await page.goto(service.url);
  await page.getByLabel('User name').fill('nora');
  await page.getByLabel('Password').fill(oneTimePassword ?? '');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Choose your own password' })).toBeVisible();
  await expect(page.locator('input[autocomplete="current-password"]')).toBeFocused();
  await page.keyboard.type(oneTimePassword ?? '');
  const own = 'seven grey herons on a wire';
  const [first, again] = await page.locator('input[autocomplete="new-password"]').all();
  await first?.fill(own);
  await again?.fill(own);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Nora Lind' })).toBeVisible();
});

test('says the same of an unknown user @long', async ({ page, watch }) => {
  watch.expectStatus(401);
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel('User name').fill('nobody');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('The user name or the password is wrong.');
});

test('returns to the page that was asked for, as it was asked for @long', async ({ page }) => {
  const asked = `/archives/${INVOICES}?where[CURRENCY][eq]=CHF&sort=-TOTAL&selected=10012`;
  await page.goto(service.url + asked);
  await expect(page.getByRole('heading', { name: 'Sign in to Indexdesk' })).toBeVisible();
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Supplier invoices', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(service.url + asked);
});

for (const path of [`/archives/${INVOICES}`, `/tables/${SUPPLIERS}`]) {
  test(`nothing that ${path} was refused before signing in is taken for an answer after it @long`, async ({
    page,
    watch,
  }) => {
    watch.expectStatus(401);
    await page.goto(service.url + path);
    await page.getByLabel('User name').fill('anna');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const row = page.getByRole('grid').getByRole('row').nth(3);
    // A question to sign in again would lie over it.
    await row.getByRole('gridcell').first().click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
}

test('never leads to another site @long', async ({ page }) => {
  await page.goto(`${service.url}/sign-in?next=//example.org/`);
  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await expect(page).toHaveURL(`${service.url}/`);
});

test('makes too many wrong passwords wait, and says how long @long', async ({ page, watch }) => {
  watch.expectStatus(401, 429);
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel('User name').fill('rita');
  const waits = page.getByText(/^Too many attempts\. Wait \d+ seconds?, then try again\.$/);
  const wrong = page.getByText('The user name or the password is wrong.');
  for (let tries = 0; tries < 30 && !(await waits.isVisible()); tries++) {
    await page.getByLabel('Password').fill(`wrong ${tries}`);
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.keyboard.press('Enter');
    await answered;
    await expect(waits.or(wrong)).toBeVisible();
  }
  await expect(waits).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeDisabled();
});

test('signs out, and the page before is not shown again', async ({ page, watch }) => {
  // What the page was still reading when its session ended is refused.
  watch.expectStatus(401);
  await service.open(page, '/');
  await page.getByRole('button', { name: 'Anna Weiss' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Indexdesk' })).toBeVisible();
  await page.goBack();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in to Indexdesk' })).toBeVisible();
});

test.describe('another person signs in in a second tab', () => {
  const at = (revisionId: number) => `/archives/${INVOICES}?selected=${revisionId}`;

  async function signInInSecondTab(page: Page, name: string, username: string) {
    const second = await page.context().newPage();
    await second.goto(`${service.url}/`);
    await second.getByRole('button', { name }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.getByLabel('User name').fill(username);
    await second.getByLabel('Password').fill(PASSWORD);
    await second.keyboard.press('Enter');
    await expect(second.getByRole('button', { name: 'Ben Carter' })).toBeVisible();
    return second;
  }

  test('the first tab saves nothing under that name, keeps what was typed and asks to sign in @long', async ({
    page,
    watch,
  }) => {
    // 404: what the first tab reads again of Anna's own does not exist for Ben.
    watch.expectStatus(401, 404, 409);
    const reader = await service.as('rita');
    await service.open(page, at(10010));
    const { field, notices } = archiveScreen(page);
    await field('Remark').fill('typed by Anna');
    const second = await signInInSecondTab(page, 'Anna Weiss', 'ben');

    await page.bringToFront();
    await page.keyboard.press('Control+S');
    const dialog = page.getByRole('dialog', { name: 'Ben Carter is signed in now' });
    await expect(dialog).toContainText('Everything you typed is still here');
    expect((await reader.revision(INVOICES, 10010)).values['REMARK']).not.toBe('typed by Anna');

    await expect(dialog.getByLabel('User name')).toHaveValue('anna');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    // The page goes on with the save, unless it had asked before the keys were pressed.
    await expect(async () => {
      await page.keyboard.press('Control+S');
      await expect(notices).toContainText('Revision 10010 is saved.', { timeout: 3_000 });
    }).toPass();
    const [entry] = await reader.history(INVOICES, 10010);
    expect(entry).toMatchObject({ user: 'anna' });

    // The second tab is Ben's no more.
    await second.goto(`${service.url}/`);
    await expect(second.getByRole('button', { name: 'Anna Weiss' })).toBeVisible();
  });

  test('the first tab can be left to that person; what was typed comes back for its author @long', async ({
    page,
    watch,
  }) => {
    // 404: what the first tab reads again of Anna's own does not exist for Ben.
    watch.expectStatus(401, 404, 409);
    await service.open(page, at(10011));
    await archiveScreen(page).field('Remark').fill('half a thought of Anna');
    await signInInSecondTab(page, 'Anna Weiss', 'ben');
    await page.bringToFront();
    await page.keyboard.press('Control+S');
    await page.getByRole('button', { name: 'Continue as Ben Carter' }).click();
    await expect(page.getByRole('button', { name: 'Ben Carter' })).toBeVisible();
    await page.goto(service.url + at(10011));
    await expect(archiveScreen(page).formOf(10011)).toBeVisible();
    await expect(archiveScreen(page).field('Remark')).not.toHaveValue('half a thought of Anna');

    await service.open(page, at(10011));
    await expect(archiveScreen(page).field('Remark')).toHaveValue('half a thought of Anna');
  });

  test('the same person in a second tab is not asked again @long', async ({ page, watch }) => {
    // 401: what was asked with the session that ends, such as suggestions.
    watch.expectStatus(401, 409);
    const reader = await service.as('rita');
    await service.open(page, at(10012));
    const { field, notices } = archiveScreen(page);
    await field('Remark').fill('one person, two tabs');
    await service.signIn(page.context(), 'anna');
    await page.keyboard.press('Control+S');
    await expect(notices).toContainText('Revision 10012 is saved.');
    expect((await reader.revision(INVOICES, 10012)).values['REMARK']).toBe('one person, two tabs');
  });
});
