import { readFile } from 'node:fs/promises';
import { BASE } from '#server/http/paths.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { expectNoViolations } from './support/accessibility.ts';
import { LETTERS } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
/** longer than half of the panel */
const LONG_SUBJECT = 'Audited letter about the delivery of many boxes with paper';

test('an administrator finds who changed a value, sees the record as it was, and exports the proof @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  await ben.correct(LETTERS, 1, { SUBJECT: LONG_SUBJECT });

  await service.open(page, '/', 'admin');
  await page.getByRole('link', { name: 'Audit' }).click();
  await expect(page.getByRole('heading', { name: 'Audit' })).toBeVisible();
  const list = page.getByRole('listbox', { name: 'Entries, newest first' });
  await expect(list.getByRole('option').first()).toContainText('Signed in');
  await expectNoViolations(page);

  await page.getByLabel('Value').fill('audited letter');
  await page.getByLabel('Value').press('Enter');
  await expect(list.getByRole('option')).toHaveCount(1);
  // By the label of the field, and in the panel also by its name.
  await expect(list.getByRole('option')).toContainText('Subject');
  await expect(page).toHaveURL(/value=audited\+letter/);
  // By keys alone.
  await list.focus();
  await page.keyboard.press('ArrowDown');
  const panel = page.getByRole('region', { name: /^Changed / });
  await expect(panel.getByText('The record as it was then')).toBeVisible();
  await expect(panel.getByText('Subject (SUBJECT)')).toBeVisible();
  const written = panel.getByRole('insertion');
  await expect(written).toHaveText(LONG_SUBJECT);
  // It is not cut off.
  expect(await written.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  await expectNoViolations(page);
  // Beside the entry, the list is whole on a narrow screen.
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect
    .poll(() => list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBe(0);

  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export with proof (JSONL)' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '').seal).toMatchObject({ entries: 1 });

  await page.getByRole('link', { name: 'Open the record as it is now' }).click();
  await expect(page.getByText('Audited letter').first()).toBeVisible();
});

test('refused sign-ins are found by their kind @long', async ({ page }) => {
  await service.open(page, '/administration/audit', 'admin');
  const api = `${service.url}${BASE}`;
  await page.request.post(`${api}application/sessions`, {
    data: { username: 'ben', password: 'a wrong guess' },
  });
  const refusals = async () => {
    const answer = await page.request.get(`${api}configuration/audit?kind=refused`);
    return auditAnswer.parse(await answer.json()).entries.length;
  };
  await expect.poll(refusals).toBe(1);
  await page.getByRole('combobox', { name: 'Kind' }).fill('refus');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('option', { name: /Sign-in refused/ })).toBeVisible();

  // Entries that come later are added.
  await page.request.post(`${api}application/sessions`, {
    data: { username: 'rita', password: 'a wrong guess' },
  });
  await expect.poll(refusals).toBe(2);
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByRole('option', { name: /Sign-in refused/ })).toHaveCount(2);
});

test('that nothing matches is said where entries would begin @long', async ({ page }) => {
  await service.open(page, '/administration/audit?value=nowhere', 'admin');
  const said = page.getByText('Nothing matches');
  await expect(said).toBeVisible();
  expect((await said.boundingBox())?.y).toBeLessThan(400);
});
