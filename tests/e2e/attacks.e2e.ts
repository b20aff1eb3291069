import { TOTP } from 'otpauth';
import { BASE } from '#server/http/paths.ts';
import { createdFactorAnswer } from '#shared/contract/factors.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService();

test('a session whose cookie was stolen ends for the thief when its owner ends it elsewhere @long', async ({
  page,
  browser,
  watch,
}) => {
  watch.expectStatus(401);
  const [laptop, thief] = [await browser.newContext(), await browser.newContext()];
  await service.signIn(laptop, 'anna');
  await thief.addCookies(await laptop.cookies());
  const stolen = await thief.newPage();
  await stolen.goto(`${service.url}/archives/${INVOICES}?selected=10010`);
  const remark = stolen.getByRole('textbox', { name: 'Remark' });
  await remark.fill('by a thief');

  await service.open(page, '/account');
  const sessions = page.getByRole('list', { name: 'Sessions' });
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  await expect(page.getByText('You have no other session.')).toBeVisible();

  await remark.press('Control+s');
  await expect(stolen.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  await stolen.goto(service.url);
  await expect(stolen.getByLabel('User name')).toBeVisible();
  const { values } = await (await service.as('anna')).revision(INVOICES, 10010);
  expect(Object.values(values)).not.toContain('by a thief');
  await Promise.all([laptop.close(), thief.close()]);
});

test('a page whose session has ended shows no data, and is left with it once nobody returns @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  await page.clock.install();
  await service.open(page, `/archives/${INVOICES}?selected=10020`);
  const remark = page.getByRole('textbox', { name: 'Remark' });
  await remark.fill('half a thought');
  // The end comes to a page that asks nothing: by the stream of changes.
  const cookies = await page.context().cookies();
  await page.context().request.delete(`${service.url}${BASE}application/sessions`);
  await page.context().addCookies(cookies);
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  const cover = page.locator('.mantine-Modal-overlay').last();
  await expect(cover).toHaveCSS('opacity', '1');
  await expect(cover).toHaveCSS('background-color', /^(?:rgb\(|color\(srgb [^/]+\)$)/);
  await page.clock.fastForward('05:01');
  await expect(page).toHaveURL(/\/sign-in\?/);
  await expect(remark).toHaveCount(0);

  await page.getByLabel('User name').fill('anna');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(remark).toHaveValue('half a thought');
});

test('a token that was stolen opens nothing once its owner revokes it @long', async ({ page }) => {
  await service.open(page, '/account', 'ben');
  await page.getByRole('button', { name: 'Create a token' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a token' });
  await dialog.getByLabel('Name').fill('Nightly import');
  await dialog.getByRole('button', { name: 'Create a token' }).click();
  const token = (await dialog.getByLabel('Token', { exact: true }).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have stored the token' }).click();
  const call = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (
      await fetch(`${service.url}${BASE}application/archiveapp/archives/${INVOICES}/index`, {
        headers,
      })
    ).status;
  };
  expect(await call()).toBe(200);
  await page.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('You have no token.')).toBeVisible();
  expect(await call()).toBe(401);
});

test('a code that was watched signs nobody in a second time @long', async ({ page, watch }) => {
  watch.expectStatus(401);
  const client = new ServiceClient(service.url);
  await client.signIn('rita', PASSWORD);
  const enrol = async (factor: object) => {
    const path = 'application/users/rita/factors';
    const { body } = await client.send({ method: 'POST', path, json: { factor } });
    return createdFactorAnswer.parse(body);
  };
  const { enrolment: { challenge = '', secret = '' } = {} } = await enrol({ kind: 'totp' });
  const totp = new TOTP({ secret });
  const step = totp.counter();
  const codeAt = (counter: number) => totp.generate({ timestamp: counter * 30_000 });
  await enrol({ kind: 'totp', name: 'Phone', challenge, totp: codeAt(step) });

  // Each step is accepted once, and one early.
  const watched = codeAt(Math.max(totp.counter(), step + 1));
  const enter = async () => {
    await page.goto(service.url);
    await page.getByLabel('User name').fill('rita');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code of your authenticator app').fill(watched);
    await page.keyboard.press('Enter');
  };
  await enter();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await page.context().clearCookies();
  await enter();
  await expect(page.getByText(/^This code (?:was used already|is wrong)/)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeHidden();
});

test('a user who is disabled in the middle of an upload stores nothing of it, and no more documents @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  const admin = new ServiceClient(service.url);
  await admin.signIn('admin', PASSWORD);
  const send = (method: 'POST' | 'PATCH', path: string, json: object) =>
    admin.send({ method, path, json });
  const archive = {
    table: 'PARCELS',
    name: 'Parcels',
    indexFields: [{ name: 'NO', type: 'text' }],
  };
  await send('POST', 'configuration/archives', { archive });
  const user = { username: 'temp', role: 'administrator', password: PASSWORD };
  await send('POST', 'configuration/users', { user });
  await page.context().request.post(`${service.url}${BASE}application/sessions`, {
    data: { username: 'temp', password: PASSWORD },
  });
  await page.goto(`${service.url}/administration/load-documents`);
  await page.getByLabel('Archive', { exact: true }).click();
  await page.getByRole('option', { name: 'Parcels' }).click();
  const files = ['1.pdf', '2.pdf'].map((name) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.concat([Buffer.from('%PDF-1.4'), Buffer.alloc(400_000)]),
  }));
  await page.locator('input[type=file][multiple]').setInputFiles(files);
  const browser = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
  await browser.send('Network.emulateNetworkConditions', slow);
  const documents = /\/archives\/PARCELS\/documents$/;
  const [begun, refused] = [page.waitForRequest(documents), page.waitForResponse(documents)];
  await page.getByRole('button', { name: 'Load 2 documents' }).click();
  await begun;
  await send('PATCH', 'configuration/users/temp', { user: { active: false } });
  expect((await refused).status()).toBe(401);
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
  const { body } = await admin.send({
    method: 'GET',
    path: 'application/archiveapp/archives/PARCELS/index',
  });
  expect(body).toMatchObject({ archivedocuments: [] });
});
