import { archiveScreen } from './support/archive-screen.ts';
import { endSessionBefore } from './support/end-session.ts';
import { INVOICES } from './support/content.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const service = ownService();

test('a conflict: shows both values, the clerk chooses by field @long', async ({ page, watch }) => {
  watch.expectStatus(412);
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10040);
  await service.open(page, `/archives/${INVOICES}?selected=10040`);
  const screen = archiveScreen(page);
  await screen.field('Net').fill('111.11');
  await screen.field('Total').fill('133.33');
  await screen.field('Remark').fill('Mine alone');
  await ben.correct(INVOICES, 10040, { NET: 222.22, TOTAL: 244.44, PAGES: 9 });
  // What she has not touched is theirs at once.
  await expect(screen.field('Pages')).toHaveValue('9');
  await screen.save.click();

  const panel = screen.conflict;
  await expect(panel).toContainText('Ben Carter changed this revision while you were editing it');
  const net = panel.getByRole('group', { name: 'Net' });
  await expect(net.getByRole('radio', { name: 'Theirs 222.22' })).toBeVisible();
  await expect(net.getByRole('radio', { name: 'Yours 111.11' })).toBeVisible();
  await expect(net.getByRole('radio', { name: `Before ${before.values['NET']}` })).toBeVisible();
  await expect(panel).toContainText('Remark: Mine alone');
  const settle = panel.getByRole('button', { name: 'Save with these values' });
  await expect(settle).toBeDisabled();
  await net.getByRole('radio', { name: /^Theirs/ }).click();
  await panel
    .getByRole('group', { name: 'Total' })
    .getByRole('radio', { name: /^Yours/ })
    .click();
  await settle.click();

  await expect(screen.notices).toContainText('Revision 10040 is saved.');
  await expect(screen.field('Net')).toHaveValue('222.22');
  await expect(screen.changed).toHaveText('Nothing changed');
  expect((await ben.revision(INVOICES, 10040)).values).toEqual({
    ...before.values,
    NET: 222.22,
    TOTAL: 133.33,
    PAGES: 9,
    REMARK: 'Mine alone',
  });
});

test('a conflict is settled by keys alone @long', async ({ page, watch }) => {
  watch.expectStatus(412);
  const ben = await service.as('ben');
  await service.open(page, `/archives/${INVOICES}?selected=10041`);
  const screen = archiveScreen(page);
  await screen.field('Net').fill('1');
  await screen.field('VAT').fill('2');
  await ben.correct(INVOICES, 10041, { NET: 10, VAT: 20 });
  await page.keyboard.press('Control+s');
  await expect(screen.conflict).toBeFocused();
  await page.keyboard.press('2');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await expect(screen.notices).toContainText('Revision 10041 is saved.');
  expect((await ben.revision(INVOICES, 10041)).values).toMatchObject({ NET: 1, VAT: 20 });
});

test('a session that ends while one edits: sign in again in place, nothing is lost @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(401);
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10060);
  await service.open(page, `/archives/${INVOICES}?selected=10060`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('typed before the end');
  await endSessionBefore(page, 'PATCH', `${service.url}/api/rest/v2/application/sessions`);
  await screen.save.click();

  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog.getByLabel('User name')).toHaveValue('anna');
  await expect(dialog.getByLabel('Password')).toBeFocused();
  await page.keyboard.type('not the right one');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText('The user name or the password is wrong.');
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(dialog).toBeHidden();
  await expect(screen.notices).toContainText('Revision 10060 is saved.');
  await expect(screen.field('Remark')).toHaveValue('typed before the end');
  expect((await ben.revision(INVOICES, 10060)).values).toEqual({
    ...before.values,
    REMARK: 'typed before the end',
  });
  expect(await ben.history(INVOICES, 10060)).toHaveLength(2);
});

test('a server that is away while one saves: says so, and saves once when it is back @long', async ({
  page,
  watch,
}) => {
  watch.expectUnreachable();
  await service.open(page, `/archives/${INVOICES}?selected=10070`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('typed while the server was away');
  const before = await (await service.as('ben')).history(INVOICES, 10070);
  await service.kill();
  await screen.save.click();
  await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible();
  await expect(screen.field('Remark')).toHaveValue('typed while the server was away');
  await service.startAgain();
  await expect(screen.notices).toContainText('Revision 10070 is saved.');
  await expect(page.getByText('The server cannot be reached. Trying again…')).toBeHidden();
  const ben = await service.as('ben');
  const { values } = await ben.revision(INVOICES, 10070);
  expect(values['REMARK']).toBe('typed while the server was away');
  expect(await ben.history(INVOICES, 10070)).toHaveLength(before.length + 1);
});

test('an answer that gets lost on its way: the save is repeated and done once @long', async ({
  page,
  watch,
}) => {
  watch.expectUnreachable();
  const ben = await service.as('ben');
  await service.open(page, `/archives/${INVOICES}?selected=10071`);
  const screen = archiveScreen(page);
  const statuses: number[] = [];
  await page.route(
    '**/documents/10071/indexdata',
    async (route) => {
      statuses.push((await route.fetch()).status());
      await route.abort('connectionreset');
    },
    { times: 1 },
  );
  await screen.field('Remark').fill('once');
  await screen.save.click();
  await expect(screen.notices).toContainText('Revision 10071 is saved.');
  expect(statuses).toEqual([200]);
  expect((await ben.revision(INVOICES, 10071)).values['REMARK']).toBe('once');
  expect(await ben.history(INVOICES, 10071)).toHaveLength(2);
});

test('an answer of an unknown shape is shown as it came @long', async ({ page, watch }) => {
  watch.expectStatus(502);
  const ben = await service.as('ben');
  await service.open(page, `/archives/${INVOICES}?selected=10080`);
  const screen = archiveScreen(page);
  const html = '<html><body><h1>502 Bad Gateway</h1>squid/6.10</body></html>';
  await page.route(
    '**/documents/10080/indexdata',
    (route) => route.fulfill({ status: 502, contentType: 'text/html', body: html }),
    { times: 1 },
  );
  await screen.field('Remark').fill('kept');
  await screen.save.click();
  const alert = screen.form.getByRole('alert');
  await expect(alert).toContainText('Not saved; your changes are kept');
  await expect(alert).toContainText('Status 502, text/html');
  await expect(alert.getByLabel('Text of the answer')).toHaveValue(html);
  await expect(screen.field('Remark')).toHaveValue('kept');
  await screen.save.click();
  await expect(screen.notices).toContainText('Revision 10080 is saved.');
  await expect(alert).toBeHidden();
  expect((await ben.revision(INVOICES, 10080)).values['REMARK']).toBe('kept');
});

test('an error of the service is shown at its field @long', async ({ page, watch }) => {
  watch.expectStatus(422);
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10081);
  await service.open(page, `/archives/${INVOICES}?selected=10081`);
  const screen = archiveScreen(page);
  // The page checks by the same rules, so the value is spoilt on its way to the service.
  await page.route(
    '**/documents/10081/indexdata',
    (route) =>
      route.continue({
        postData: JSON.stringify({
          indexFields: [
            { name: 'PAGES', value: 0 },
            { name: 'ORDERNO', value: 'PO-1' },
          ],
        }),
      }),
    { times: 1 },
  );
  await screen.field('Pages').fill('7');
  await screen.field('Order no.').fill('PO-26-00001');
  await screen.save.click();
  await expect(screen.form.getByRole('alert')).toHaveText('Not saved: see the marked fields.');
  await expect(screen.field('Pages')).toHaveAccessibleDescription(/must be at least 1/);
  await expect(screen.field('Order no.')).toHaveAccessibleDescription(/must be written like/);
  await expect(screen.field('Order no.')).toBeFocused();
  expect((await ben.revision(INVOICES, 10081)).values).toEqual(before.values);
  await screen.save.click();
  await expect(screen.notices).toContainText('Revision 10081 is saved.');
});

test('a revision that another has locked meanwhile says so at once and cannot be typed into @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const before = await ben.revision(INVOICES, 10082);
  await service.open(page, `/archives/${INVOICES}?selected=10082`);
  const screen = archiveScreen(page);
  await screen.field('Remark').fill('too late');
  await ben.lock(INVOICES, 10082, true);
  await expect(screen.form).toContainText('Ben Carter locked this revision at');
  await expect(screen.form).toContainText('It can be changed again when the lock is released.');
  await expect(screen.field('Remark')).toHaveValue('too late');
  await expect(
    screen.row(10082).getByRole('img', { name: /^(?:Locked by Ben Carter|Unsaved)$/ }),
  ).toBeVisible();
  expect((await ben.revision(INVOICES, 10082)).values).toEqual(before.values);
});

test('a locked revision is read only from the start @long', async ({ page }) => {
  const ben = await service.as('ben');
  await ben.lock(INVOICES, 10083, true);
  await service.open(page, `/archives/${INVOICES}?selected=10083`);
  const screen = archiveScreen(page);
  await expect(screen.form).toContainText(/Ben Carter locked this revision at/);
  await expect(screen.field('Remark')).not.toBeEditable();
  await expect(screen.save).toBeHidden();
  await expect(screen.row(10083).getByRole('img', { name: 'Locked by Ben Carter' })).toBeVisible();
});

test('a reader sees everything and can change nothing @long', async ({ page }) => {
  await service.open(page, `/archives/${INVOICES}?selected=10084`, 'rita');
  const screen = archiveScreen(page);
  await expect(screen.form).toContainText('You can read this archive, but not change it.');
  await expect(page.getByText('Read only', { exact: true })).toBeVisible();
  for (const label of ['Invoice no.', 'Invoice date', 'Net', 'Currency', 'Remark', 'Project']) {
    await expect(screen.field(label)).not.toBeEditable();
  }
  await expect(screen.save).toBeHidden();
  await expect(screen.more).toBeHidden();
  await screen.row(10084).click({ modifiers: ['Control'] });
  const selected = page.getByRole('toolbar', { name: 'Selected revisions' });
  await expect(selected).toContainText('1 selected');
  await expect(selected.getByRole('button', { name: /^Correct together/ })).toBeHidden();
});

test('a revision that is not there is said to be not there @long', async ({ page, watch }) => {
  watch.expectStatus(404);
  await service.open(page, `/archives/${INVOICES}?selected=99999`);
  const screen = archiveScreen(page);
  await expect(screen.form.getByRole('alert')).toContainText(
    'There is no revision 99999 in this archive',
  );
  await page.goto(`${service.url}/archives/NOTHING`);
  await expect(
    page.getByRole('heading', { name: 'There is nothing at this address' }),
  ).toBeVisible();
  await page.goto(`${service.url}/no/such/page`);
  await expect(
    page.getByRole('heading', { name: 'There is no page at this address' }),
  ).toBeVisible();
});
