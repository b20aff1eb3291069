import { TOTP } from 'otpauth';
import { BASE } from '#server/http/paths.ts';
import { ServiceClient } from '#tests/support/service-client.ts';
import { expectNoViolations } from './support/accessibility.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService();

test('sets up an authenticator app and a passkey, and signs in by each @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  const admin = new ServiceClient(service.url);
  await admin.signIn('admin', PASSWORD);
  const user = { username: 'nora', displayName: 'Nora Lind', password: PASSWORD };
  await admin.send({ method: 'POST', path: 'configuration/users', json: { user } });
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  // Passkeys belong to a domain, not to an address.
  const url = service.url.replace('127.0.0.1', 'localhost');
  const overview = page.getByRole('heading', { name: 'Overview', level: 1 });
  const signOut = async () => {
    await page.getByRole('button', { name: 'Nora Lind' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // A browser that knows a passkey offers it first.
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  };
  const enterPassword = async () => {
    await page.getByLabel('User name').fill('nora');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
  };

  await page.goto(`${url}/account`);
  await enterPassword();
  await page.getByRole('button', { name: 'Set up an authenticator app' }).press('Enter');
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  const secret = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
  const totp = new TOTP({ secret });
  let step = totp.counter();
  await page.getByRole('textbox', { name: 'Code' }).fill(totp.generate());
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem'),
  ).toHaveCount(10);
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'I have stored the codes' }).press('Enter');
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove Passkey' })).toBeVisible();
  await expectNoViolations(page);

  await signOut();
  await enterPassword();
  const code = page.getByLabel('Code of your authenticator app');
  await expect(code).toBeFocused();
  await expectNoViolations(page);
  // Each step is accepted once, and one early.
  step = Math.max(totp.counter(), step + 1);
  await page.keyboard.type(totp.generate({ timestamp: step * 30_000 }));
  await page.keyboard.press('Enter');
  await expect(overview).toBeVisible();

  // One key and a touch, also where the session ends over a page.
  await signOut();
  await page.keyboard.press('Enter');
  await expect(overview).toBeVisible();
  const cookies = await page.context().cookies();
  await page.context().request.delete(`${url}${BASE}application/sessions`);
  await page.context().addCookies(cookies);
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(overview).toBeVisible();
});
