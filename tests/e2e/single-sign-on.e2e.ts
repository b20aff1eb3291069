import { connect, createServer } from 'node:net';
import type { Page } from '@playwright/test';
import { BASE } from '#server/http/paths.ts';
import { startProvider, type TestProvider } from '#tests/support/oidc-provider.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const PROVIDER = 'House account';
const SIGN_IN = `Sign in with ${PROVIDER}`;

/** What the service is told once the addresses of the proxy and the provider are known. */
const environment: Record<string, string> = {};
let provider: TestProvider;
let publicUrl = '';

/** Browsers reach the service through a proxy, at another port. */
const proxy = createServer((socket) => {
  const upstream = connect(Number(new URL(service.url).port), '127.0.0.1');
  for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  socket.pipe(upstream).pipe(socket);
});

const service = ownService({
  environment,
  async prepare(dataDir) {
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    publicUrl = `http://127.0.0.1:${Object(proxy.address()).port}`;
    provider = await startProvider(publicUrl);
    Object.assign(environment, {
      INDEXDESK_PUBLIC_URL: publicUrl,
      INDEXDESK_OIDC_ISSUER: provider.issuer,
      INDEXDESK_OIDC_CLIENT_ID: provider.clientId,
      INDEXDESK_OIDC_CLIENT_SECRET: provider.clientSecret,
      INDEXDESK_OIDC_NAME: PROVIDER,
    });
    await copyContent(dataDir);
  },
});
test.afterAll(async () => {
  await provider.close();
  proxy.close();
});

async function signInAtProvider(page: Page, subject: string) {
  await page.getByPlaceholder('Enter any login').fill(subject);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

test('signs in and out with the provider; loses nothing that is typed, takes a code once, and says when the provider is away @long', async ({
  page,
  context,
  browser,
  watch,
}) => {
  // The pages of refusals, and what the ended session is refused.
  watch.expectStatus(400, 401, 403, 503);
  // The provider's pages name a font of another server.
  await context.route('https://fonts.googleapis.com/**', (route) =>
    route.fulfill({ contentType: 'text/css', body: '' }),
  );
  provider.people.set('a-1', { preferred_username: 'anna' });
  const asked = `/archives/${INVOICES}?selected=10010`;
  await page.goto(publicUrl + asked);
  await page.getByRole('button', { name: SIGN_IN }).click();
  await signInAtProvider(page, 'a-1');
  await expect(page.getByText('There is already a user named anna')).toBeVisible();

  const admin = await browser.newPage();
  await service.open(admin, '/administration/users?user=anna', 'admin');
  await admin.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(admin.getByText(`Signs in with ${PROVIDER} as anna.`)).toBeVisible();
  await admin.close();

  await page.goto(publicUrl + asked);
  await page.getByRole('button', { name: SIGN_IN }).click();
  const { field, notices } = archiveScreen(page);
  await field('Remark').fill('half a thought');
  await expect(page).toHaveURL(publicUrl + asked);

  const other = await context.newPage();
  await other.goto(`${provider.issuer}/session/end`);
  await other.getByRole('button', { name: 'Yes, sign me out' }).click();
  const session = () => page.request.get(`${publicUrl}${BASE}application/sessions`);
  await expect.poll(async () => (await session()).status()).toBe(401);

  // The stream of changes tells the page of the end.
  await page.bringToFront();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const opening = context.waitForEvent('page');
  await dialog.getByRole('button', { name: SIGN_IN }).click();
  const tab = await opening;
  await signInAtProvider(tab, 'a-1');
  await expect(tab.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  await tab.close();
  await page.bringToFront();
  // A browser without a window gives its pages no focus.
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(dialog).toBeHidden();
  await field('Remark').press('Control+S');
  await expect(notices).toContainText('Revision 10010 is saved.');

  // Who signs out here does so at the provider, which then asks for the next sign-in.
  await page.getByRole('button', { name: 'Anna Weiss' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page).toHaveURL(`${publicUrl}/sign-in`);
  await page.getByRole('button', { name: SIGN_IN }).click();
  const redeeming = page.waitForRequest(/oidc\/callback/);
  await signInAtProvider(page, 'a-1');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();

  // The address with the code, seen by somebody else, or opened again.
  const code = (await redeeming).url();
  const thief = await browser.newPage();
  for (const tab of [thief, other]) {
    await tab.goto(code);
    await expect(tab.getByRole('heading')).toHaveText('Signing in failed');
  }
  await thief.goto(publicUrl);
  await expect(thief.getByRole('button', { name: SIGN_IN })).toBeVisible();
  await thief.close();

  // The provider goes away.
  await provider.close();
  await page.getByRole('button', { name: 'Anna Weiss' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByText(`You are signed out of Indexdesk. ${PROVIDER}`)).toBeVisible();
  await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
  await page.getByRole('button', { name: SIGN_IN }).click();
  await expect(page.getByText(`${PROVIDER} cannot be reached at the moment.`)).toBeVisible();
});
