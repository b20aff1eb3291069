import type { Page } from '@playwright/test';
import { expectNoViolations, ROWS } from './support/accessibility.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { INVOICES } from './support/content.ts';
import { countedKeys } from './support/counted-keys.ts';
import { expectFocusInPage } from './support/focus.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();
const FIRST_TEN = `/archives/${INVOICES}?where[revisionId][lte]=10010&sort=revisionId`;

const queueBar = (page: Page) => page.getByRole('toolbar', { name: 'Queue' });

async function start(page: Page, address = FIRST_TEN) {
  await service.open(page, address);
  await page.getByRole('button', { name: /^Correct these/ }).click();
  await expect(queueBar(page)).toBeVisible();
}

test('corrects ten by keyboard alone: ten values and ten key chords', async ({ page }) => {
  const ben = await service.as('ben');
  await start(page);
  const { formOf, field } = archiveScreen(page);
  await expect(queueBar(page)).toContainText('1 of 10');
  await expect(formOf(10001)).toBeVisible();
  await field('Remark').focus();
  const keys = countedKeys(page);
  for (let id = 10001; id <= 10010; id++) {
    await expect(formOf(id)).toBeVisible();
    // The cursor is in the same field of the next form, its text selected.
    await expect(field('Remark')).toBeFocused();
    await keys.type(`ok ${id}`);
    await keys.press('Control+Enter');
  }
  expect(keys.count()).toBe(10 * ('ok 10001'.length + 1));
  await expect(page.getByText('You have been through all 10')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '10 corrected' })).toBeVisible();
  for (let id = 10001; id <= 10010; id++) {
    expect((await ben.revision(INVOICES, id)).values['REMARK']).toBe(`ok ${id}`);
  }
  await expectNoViolations(page, { except: ROWS });
});

test('has both parts of its button equally high', async ({ page }) => {
  await service.open(page, FIRST_TEN);
  const box = (name: RegExp) => page.getByRole('button', { name }).boundingBox();
  const [start, menu] = await Promise.all([box(/^Correct these/), box(/^Queues and flags/)]);
  expect(menu?.height).toBe(start?.height);
  expect(menu?.y).toBe(start?.y);
});

test('undoes the last save at the end of a queue and leads to its revision @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  await start(page, `/archives/${INVOICES}?where[revisionId][lte]=10002&sort=revisionId`);
  const { formOf, field } = archiveScreen(page);
  const before = (await ben.revision(INVOICES, 10002)).values['REMARK'];
  await field('Remark').focus();
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10002)).toBeVisible();
  await field('Remark').fill('typed in error');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('You have been through all 2')).toBeVisible();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(formOf(10002)).toBeVisible();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(page.getByText('You have been through all 2')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Undo in 10002/ })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Undone in revision 10002: Remark.')).toBeVisible();
  await expect(formOf(10002)).toBeVisible();
  await expect(field('Remark')).toBeFocused();
  await expect(field('Remark')).toHaveValue(String(before ?? ''));
  expect((await ben.revision(INVOICES, 10002)).values['REMARK']).toBe(before);
  await expect(queueBar(page)).toContainText('2 of 2');
});

test('shows all of the form beside its document in a narrow window @long', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.addInitScript(() => localStorage.removeItem('indexdesk-preview'));
  await start(page);
  const { form, field } = archiveScreen(page);
  await expect(page.getByRole('region', { name: 'Document', exact: true })).toBeVisible();
  await field('Remark').fill('seen');
  const around = await form.boundingBox();
  for (const name of ['Restore all', 'More commands']) {
    const box = await form.getByRole('button', { name }).boundingBox();
    const right = (box?.x ?? Infinity) + (box?.width ?? 0);
    expect(right, name).toBeLessThan((around?.x ?? 0) + (around?.width ?? 0));
  }
});

test('keeps the field in view whose value is carried over @long', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await start(page);
  const { form, field } = archiveScreen(page);
  await field('Remark').fill('seen');
  await expect(field('Remark')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Control+Shift+d');
  await expect(form.getByRole('group', { name: 'Fields carried over' })).toBeVisible();
  await expect(field('Remark')).toBeInViewport({ ratio: 1 });
});

test('visits each exactly once, though edits take them out of the filter @long', async ({
  page,
}) => {
  const address = `/archives/${INVOICES}?where[CURRENCY][eq]=CHF&sort=revisionId`;
  await start(page, address);
  const { form, field } = archiveScreen(page);
  const total = Number(/of ([\d,]+)/.exec((await queueBar(page).textContent()) ?? '')?.[1]);
  expect(total).toBeGreaterThan(2);
  const seen: string[] = [];
  for (let k = 1; k <= total; k++) {
    await expect(queueBar(page)).toContainText(`${k} of ${total}`);
    seen.push((await form.getAttribute('aria-label')) ?? '');
    await field('Currency').fill('EUR');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
  }
  await expect(page.getByText(/You have been through/)).toBeVisible();
  expect(new Set(seen).size).toBe(total);
  expect(seen).toEqual(seen.toSorted());
});

test('resumes at the same place and in the same field after a reload, and from the list @long', async ({
  page,
}) => {
  await start(page);
  const { formOf, field } = archiveScreen(page);
  await field('Remark').focus();
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10002)).toBeVisible();
  const told = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().includes('/queues/'),
  );
  await page.keyboard.press('Alt+ArrowDown');
  await told;
  await expect(formOf(10003)).toBeVisible();
  await expect(queueBar(page)).toContainText('1 unchanged · 1 skipped');
  await page.reload();
  await expect(formOf(10003)).toBeVisible();
  await expect(field('Remark')).toBeFocused();
  await expect(queueBar(page)).toContainText('3 of 10');

  // Who begins the same anew is told of it.
  await page.getByRole('button', { name: 'Exit queue' }).click();
  await page.getByRole('button', { name: /^Correct these/ }).click();
  await expect(queueBar(page)).toContainText('1 of 10');
  await page.getByRole('button', { name: 'Resume there' }).click();
  await expect(queueBar(page)).toContainText('3 of 10');
  await page.getByRole('button', { name: 'Exit queue' }).click();
  await page.getByRole('button', { name: 'Queues and flags' }).click();
  await expect(page.getByRole('menuitem', { name: /3 of 10/ }).first()).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /1 of 10/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await page.getByRole('button', { name: 'Queues and flags' }).click();
  await page
    .getByRole('menuitem', { name: /3 of 10/ })
    .first()
    .click();
  await expect(formOf(10003)).toBeVisible();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(formOf(10002)).toBeVisible();
});

test('says that another user has deleted a revision, and opens the next @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(404);
  const admin = await service.as('admin');
  await start(
    page,
    `/archives/${INVOICES}?where[revisionId][gte]=10020&where[revisionId][lte]=10024`,
  );
  const { formOf, notices } = archiveScreen(page);
  await expect(formOf(10020)).toBeVisible();
  await admin.delete(INVOICES, 10021);
  await admin.delete(INVOICES, 10024);
  await page.reload();
  await expect(formOf(10020)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10022)).toBeVisible();
  await expect(notices).toContainText('Revision 10021 was not found');
  await page.keyboard.press('Control+Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText(/You have been through/)).toBeVisible();
  await expect(queueBar(page)).toContainText('2 deleted by others');
});

test('flags for later with a note, and goes through what is flagged @long', async ({ page }) => {
  await start(page);
  const { formOf } = archiveScreen(page);
  await expect(formOf(10001)).toBeVisible();
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.type('Ask the supplier');
  await page.keyboard.press('Enter');
  await expect(formOf(10002)).toBeVisible();
  await page.getByRole('button', { name: 'Exit queue' }).click();
  await page.getByRole('button', { name: 'Queues and flags' }).click();
  await expect(page.getByRole('menuitem', { name: /Ask the supplier/ })).toBeVisible();
  await page.getByRole('menuitem', { name: /flagged for later/ }).click();
  await expect(formOf(10001)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Flagged' })).toBeVisible();
  await page.getByRole('button', { name: 'Flagged' }).click();
  await page.getByRole('button', { name: 'Remove the flag' }).click();
  await expect(page.getByRole('button', { name: 'Flag', exact: true })).toBeVisible();
});

test('lists all flags: leads to one, takes one away, goes through the rest @long', async ({
  page,
}) => {
  const ben = await service.as('ben');
  const ids = Array.from({ length: 12 }, (_, i) => 10151 + i);
  for (const [i, id] of ids.entries()) {
    // The list is in the order of the flags.
    await ben.flag(INVOICES, id, `later ${i}`);
  }
  await service.open(page, `/archives/${INVOICES}`, 'ben');
  const { formOf } = archiveScreen(page);
  const openList = async () => {
    await page.getByRole('button', { name: 'Queues and flags' }).click();
    await page.getByRole('menuitem', { name: /^All \d+ flags…$/ }).click();
  };
  const list = page.getByRole('dialog', { name: 'Flagged for later' });
  await openList();
  await expect(list.getByRole('listitem')).toHaveCount(12);
  const { values } = await ben.revision(INVOICES, 10162);
  await expect(list.getByRole('listitem').last()).toContainText(String(values['INVOICENO']));
  await list.getByRole('button', { name: 'Remove the flag of revision 10152' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(11);
  await list.getByRole('button', { name: /Revision 10162\b.*later 11/ }).click();
  await expect(list).toBeHidden();
  await expect(formOf(10162)).toBeVisible();
  await openList();
  await list.getByRole('button', { name: 'Go through them' }).click();
  await expect(formOf(10151)).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10153)).toBeVisible();
  await expect(page.getByRole('toolbar', { name: 'Queue' })).toContainText('2 of 11');
});

test('shows all keys on F1, also while one types @long', async ({ page }) => {
  await start(page);
  await archiveScreen(page).field('Remark').focus();
  await page.keyboard.press('F1');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet).toContainText('Flag it for later');
  await expectNoViolations(page, { except: ROWS });
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
});

test('opens the next revision while it saves; what could not be saved is reported, stored and found again @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(412);
  const ben = await service.as('ben');
  await start(
    page,
    `/archives/${INVOICES}?where[revisionId][gte]=10040&where[revisionId][lte]=10043`,
  );
  const { conflict, form, formOf, field, notices } = archiveScreen(page);
  await expect(formOf(10040)).toBeVisible();
  await field('Remark').fill('mine');
  await ben.correct(INVOICES, 10040, { REMARK: 'theirs' });
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10041)).toBeVisible();
  await expect(notices).toContainText('Revision 10040 is not saved');
  expect((await ben.revision(INVOICES, 10040)).values['REMARK']).toBe('theirs');
  await page.keyboard.press('Control+Enter');
  await expect(formOf(10042)).toBeVisible();

  await queueBar(page).getByRole('button', { name: '1 not saved; go there' }).click();
  await expect(formOf(10040)).toBeVisible();
  await expect(form).toContainText('Ben Carter changed Remark, too');
  await form.getByRole('button', { name: /^Compare/ }).click();
  await expect(conflict).toBeFocused();
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+S');
  await expect
    .poll(async () => (await ben.revision(INVOICES, 10040)).values['REMARK'])
    .toBe('mine');
});

test('says that the queue is being read, then shows its form @long', async ({ page }) => {
  await start(page);
  const { formOf } = archiveScreen(page);
  await expect(formOf(10001)).toBeVisible();
  const held = Promise.withResolvers<void>();
  await page.route(/\/queues\/\d+\/revisions\?/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('status', { name: 'Loading the queue' })).toBeVisible();
  await expect(queueBar(page)).toContainText('1 of 10');
  held.resolve();
  await expect(formOf(10001)).toBeVisible();
  await expect(page.getByRole('status', { name: 'Loading the queue' })).toBeHidden();
});

test('a new user finds a work list, completes it by keys, and starts the next @long', async ({
  page,
}) => {
  await service.open(page, '/', 'ben');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Supplier invoices/ })
    .click();
  const list = page
    .getByRole('region', { name: 'Views' })
    .getByRole('button', { name: /^Supplier no\. missing/ });
  await expect(list).toHaveText(/Supplier no\. missing\s*[1-9]\d*/);
  const many = Number(/\d+$/.exec((await list.textContent()) ?? '')?.[0]);
  await list.click();
  await expect(page.getByRole('button', { name: `Correct these ${many}` })).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  const { form, field } = archiveScreen(page);
  for (let k = 1; k <= many; k++) {
    await expect(queueBar(page)).toContainText(`${k} of ${many}`);
    await expect(form).toBeVisible();
    await expect(field('Supplier no.')).toBeFocused();
    await page.keyboard.type('70012');
    await page.keyboard.press('Control+Enter');
  }
  await expect(page.getByText('You have been through')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(list).toHaveText(/Supplier no\. missing\s*0/);
  await expect(page.getByText('Nothing is left in “Supplier no. missing”')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Next list: / })).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(archiveScreen(page).grid).toBeFocused();
});

test('a list of missing values begins each form in its field, and selects nothing there @long', async ({
  page,
}) => {
  await start(page, `/archives/${INVOICES}?where[REMARK][null]=true&sort=revisionId`);
  const { form, field } = archiveScreen(page);
  const selected = () =>
    field('Remark').evaluate((editor) =>
      editor instanceof HTMLTextAreaElement || editor instanceof HTMLInputElement
        ? `${editor.selectionStart}-${editor.selectionEnd}`
        : '',
    );
  const heading = form.getByRole('heading', { level: 2 });
  await expect(field('Remark')).toBeFocused();
  const first = await heading.textContent();
  await page.keyboard.type('found');
  // Another field is the last one that the cursor was in.
  await field('Order no.').focus();
  await page.keyboard.press('Control+Enter');
  await expect(heading).not.toHaveText(String(first));
  await expect(field('Remark')).toBeFocused();
  expect(await selected()).toBe('0-0');

  // Back at the first, what was typed there is not replaced by the next key.
  await field('Order no.').focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect(heading).toHaveText(String(first));
  await expect(field('Remark')).toBeFocused();
  expect(await selected()).toBe('5-5');
});

test('a queue that was just left is in the menu, and the keyboard stays in the page @long', async ({
  page,
}) => {
  await start(page, `/archives/${INVOICES}?where[revisionId][lte]=10030&sort=revisionId`);
  await expect(archiveScreen(page).form).toBeVisible();
  for (const place of ['1 of', '2 of']) {
    await expect(queueBar(page)).toContainText(place);
    await expect(archiveScreen(page).form.locator(':focus')).toBeVisible();
    await page.keyboard.press('Alt+ArrowDown');
  }
  await expect(queueBar(page)).toContainText('3 of');
  await page.getByRole('button', { name: 'Exit queue' }).click();
  await expect(page.getByRole('button', { name: /^Correct these/ })).toBeVisible();
  await expectFocusInPage(page);
  await page.getByRole('button', { name: 'Queues and flags' }).click();
  const left = page.getByRole('menuitem', { name: /2 skipped/ });
  await expect(left.first()).toContainText('3 of');
  await left.first().click();
  await expect(queueBar(page)).toContainText('3 of');
});
