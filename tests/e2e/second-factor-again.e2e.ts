import { TOTP } from 'otpauth';
import * as z from 'zod';
import { BASE } from '#server/http/paths.ts';
import { createdFactorAnswer } from '#shared/contract/factors.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { endSessionBefore } from './support/end-session.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService({ environment: { INDEXDESK_SECOND_FACTOR: 'required' } });
const firstStepSchema = z.object({ challenge: z.string() });

test('a session that ends while one edits: the second factor is asked for in place, nothing is lost @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  const { request } = page.context();
  const call = (path: string) => `${service.url}${BASE}${path}`;
  const factors = call('application/users/anna/factors');
  const credentials = { data: { username: 'anna', password: PASSWORD } };
  await request.post(call('application/sessions'), credentials);
  const begun = await request.post(factors, { data: { factor: { kind: 'totp' } } });
  const { secret = '', challenge } = createdFactorAnswer.parse(await begun.json()).enrolment ?? {};
  const totp = new TOTP({ secret });
  const used = totp.counter();
  const factor = { kind: 'totp', challenge, totp: totp.generate({ timestamp: used * 30_000 }) };
  const done = await request.post(factors, { data: { factor } });
  const [recoveryCode] = createdFactorAnswer.parse(await done.json()).recoveryCodes ?? [];
  const first = await request.post(call('application/sessions'), credentials);
  expect(first.status()).toBe(401);
  const second = firstStepSchema.parse(await first.json());
  await request.post(call('application/sessions'), {
    data: { challenge: second.challenge, totp: recoveryCode },
  });

  await page.goto(`${service.url}/archives/${INVOICES}?selected=10060`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('typed before the end');
  await screen.field('Net').fill('12');
  await endSessionBefore(page, 'PATCH', call('application/sessions'));
  await screen.save.click();

  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog.getByLabel('User name')).toHaveValue('anna');
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  const code = dialog.getByLabel('Code of your authenticator app');
  await expect(code).toBeFocused();
  await page.keyboard.type('AAAAA-AAAAA');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('This code is wrong or has expired.');
  await expect(code).toBeFocused();
  // Each step is accepted once, and one early.
  const step = Math.max(totp.counter(), used + 1);
  await code.fill(totp.generate({ timestamp: step * 30_000 }));
  await page.keyboard.press('Enter');

  await expect(dialog).toBeHidden();
  await expect(screen.notices).toContainText('Revision 10060 is saved.');
  await expect(screen.field('Remark')).toHaveValue('typed before the end');
  const stored = await request.get(
    call(`application/archiveapp/archives/${INVOICES}/documents/10060`),
  );
  expect(await stored.text()).toContain('"typed before the end"');
  const history = await request.get(
    call(`application/archiveapp/archives/${INVOICES}/documents/10060/history`),
  );
  expect(
    z.object({ history: z.array(z.unknown()) }).parse(await history.json()).history,
  ).toHaveLength(2);
});
