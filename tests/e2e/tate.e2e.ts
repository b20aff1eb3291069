import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import { IS_LONG_RUN } from '#tests/support/effort.ts';
import { rowsOf, TATE_ARTWORKS, TATE_DEFINITION, writeTateVariant } from '#tests/support/tate.ts';
import { archiveScreen, choose } from './support/archive-screen.ts';
import { runInHost } from './support/hosted-service.ts';
import { countedKeys } from './support/counted-keys.ts';
import { ownService } from './support/own-service.ts';
import { untilDraftStored } from './support/stored-edits.ts';
import { expect, test } from './support/test.ts';
import { PASSWORD } from '#tests/support/password.ts';

const ANNA = {
  username: 'anna',
  displayName: 'Anna Weiss',
  role: 'clerk',
  password: PASSWORD,
  rights: { archives: { TATE: 'write' } },
};

/** The first works of the collection; a long run has all 69,202, whose loading takes half a minute. */
const WORKS = IS_LONG_RUN ? 69_202 : 20_000;
const OF_WORKS = new RegExp(`^\\d[\\d,]* of ${formatted(WORKS)} revisions, filtered$`);

function formatted(count: number): string {
  return count.toLocaleString('en-GB');
}

/** Writes the definition file of these works into a folder. @returns its path */
async function writeDefinition(folder: string): Promise<string> {
  if (IS_LONG_RUN) return TATE_DEFINITION;
  const lines: string[] = [];
  for await (const { values, raw } of rowsOf(TATE_ARTWORKS)) {
    if (lines.length === 0) lines.push(`${Object.keys(values).join(',')}\r\n`);
    lines.push(raw);
    if (lines.length > WORKS) break;
  }
  const artworks = join(folder, 'tate-artworks.csv');
  await writeFile(artworks, lines.join(''));
  return writeTateVariant({ artworks });
}

const service = ownService({
  async prepare(dataDir) {
    await runInHost(['load', await writeDefinition(dirname(dataDir)), '--data', dataDir]);
    const users = join(dirname(dataDir), 'users.json');
    await writeFile(users, JSON.stringify({ users: [ANNA] }));
    await runInHost(['load', users, '--data', dataDir]);
  },
});

/** Says how long something took; the machine decides, so nothing is demanded. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`Tate: ${what}: ${Math.round(performance.now() - start)} ms`);
  return result;
}

test('works on an archive of tens of thousands of revisions @long', async ({ page }) => {
  const admin = await service.as('admin');
  await service.open(page, '/', 'admin');
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  const screen = archiveScreen(page);
  const rows = screen.grid.getByRole('row').filter({ hasNotText: 'Accession no.' });
  await timed('list usable', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Tate collection/ })
      .click();
    await expect(rows.nth(3)).toHaveAccessibleName(/^\d+ \w+/);
  });
  await expect(screen.count).toHaveText(`${formatted(WORKS)} revisions`);

  await timed('scroll to the middle', async () => {
    await screen.grid.hover();
    await page.mouse.wheel(0, 10_000 * 31);
    await expect(rows.nth(12)).not.toHaveAttribute('aria-busy');
    await expect(rows.nth(12)).toHaveAccessibleName(/^\d+ \w+/);
    await expect(rows.nth(12)).toHaveAttribute('aria-rowindex', /^(?:9|10)\d{3}$/);
  });
  await screen.grid.focus();
  await timed('jump to the end', async () => {
    await page.keyboard.press('End');
    await expect(rows.last()).toHaveAttribute('aria-rowindex', String(WORKS + 1));
    await expect(rows.last()).toHaveAccessibleName(/^\d+ \w+/);
  });
  await timed('sort by title, from the other end', async () => {
    await screen.grid.getByRole('columnheader', { name: 'Title' }).click();
    await expect(page).toHaveURL(/sort=TITLE/);
    await screen.grid.getByRole('columnheader', { name: 'Title' }).click();
    await expect(page).toHaveURL(/sort=-TITLE/);
    await expect(screen.grid).toHaveAttribute('aria-busy', 'false');
  });
  await timed('search by parts of words', async () => {
    await screen.search.fill('turner venice');
    await expect(page).toHaveURL(/q=turner/);
    await expect(screen.count).toHaveText(OF_WORKS);
  });

  // A value with CRLF goes through the form and comes back, to the byte.
  const revisionId = 38;
  const before = await admin.revision('TATE', revisionId);
  expect(before.values['DIMENSIONS']).toBe(
    'object, each (closed case): 312 x 457 x 360 mm\r\nobject, each: 280 x 300 x 420 mm\r\n' +
      'displayed (open case): 600 x 455 x 520 mm',
  );
  await timed('open one by its number', async () => {
    await page.goto(`${service.url}/archives/TATE?selected=${revisionId}`);
    await expect(screen.field('Accession no.')).toHaveValue(String(before.values['ACCESSIONNO']));
  });
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && !request.url().includes('/viewers?'),
  );
  await timed('save all fields', async () => {
    await screen.chooseMore('Validate all and save');
    await expect(screen.notices).toContainText(`Revision ${revisionId} is saved.`);
  });
  expect((await sent).postDataJSON()).toEqual({
    indexFields: Object.entries(before.values).map(([name, value]) => ({ name, value })),
  });
  const after = await admin.revision('TATE', revisionId);
  expect(after.values).toEqual(before.values);
  expect(after.revision.keywordFields).toEqual(before.revision.keywordFields);

  await screen.field('Medium').fill('Oil paint on canvas, relined');
  await timed('save one field', async () => {
    await page.keyboard.press('Control+s');
    await expect(screen.changed).toHaveText('Nothing changed');
  });
  expect((await admin.revision('TATE', revisionId)).values).toEqual({
    ...before.values,
    MEDIUM: 'Oil paint on canvas, relined',
  });
});

const LANDSCAPES = '/archives/TATE?q=landscape&sort=revisionId';
const queueBar = (page: Page) => page.getByRole('toolbar', { name: 'Queue' });

test('ten of thousands are corrected by ten values and ten key chords, whatever others do @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(404);
  const admin = await service.as('admin');
  await service.open(page, LANDSCAPES, 'admin');
  const { count, field, form, formOf, notices } = archiveScreen(page);
  await expect(count).toHaveText(OF_WORKS);
  const matching = /^[\d,]+/.exec((await count.textContent()) ?? '')?.[0];
  await page.getByRole('button', { name: `Correct these ${matching}` }).click();
  await expect(queueBar(page)).toContainText(`1 of ${matching}`);
  const idOf = async () => Number(/\d+$/.exec((await form.getAttribute('aria-label')) ?? '')?.[0]);
  await field('Credit line').selectText();
  const keys = countedKeys(page);
  const done: number[] = [];
  for (let k = 1; k <= 10; k++) {
    await expect(queueBar(page)).toContainText(`${k} of ${matching}`);
    await expect(field('Credit line')).toBeFocused();
    done.push(await idOf());
    await keys.type(`Bequest ${k}`);
    await keys.press('Control+Enter');
  }
  expect(keys.count()).toBe('Bequest 1'.length * 10 + 1 + 10);
  expect(done).toEqual([...new Set(done)].toSorted((a, b) => a - b));
  for (const [at, id] of done.entries()) {
    await expect
      .poll(async () => (await admin.revision('TATE', id)).values['CREDITLINE'])
      .toBe(`Bequest ${at + 1}`);
  }

  // The next two go while they wait; the place is found again.
  await expect(queueBar(page)).toContainText(`11 of ${matching}`);
  const here = await idOf();
  const after = await admin.ids(
    'TATE',
    `q=landscape&sort=revisionId&where[revisionId][gt]=${here}`,
  );
  for (const id of after.slice(0, 2)) await admin.delete('TATE', id);
  await page.reload();
  await expect(formOf(here)).toBeVisible();
  await expect(field('Credit line')).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(queueBar(page)).toContainText(`14 of ${matching}`);
  await expect(notices).toContainText('2 revisions were not found');
});

test('what two people do, and what one undoes, is kept apart in one of thousands @long', async ({
  page,
  watch,
}) => {
  // Undone over another's change, refused.
  watch.expectStatus(412);
  const admin = await service.as('admin');
  const id = 1035;
  const before = await admin.revision('TATE', id);
  await service.open(page, `/archives/TATE?selected=${id}`, 'admin');
  const { field, form, notices, changed } = archiveScreen(page);
  await untilDraftStored(page, () => field('Medium').fill('Watercolour'));
  await page.reload();
  await expect(field('Medium')).toHaveValue('Watercolour');
  await admin.correct('TATE', id, { CREDITLINE: 'Theirs' });
  await page.keyboard.press('Control+s');
  await expect
    .poll(async () => (await admin.revision('TATE', id)).values)
    .toEqual({ ...before.values, MEDIUM: 'Watercolour', CREDITLINE: 'Theirs' });
  await expect(changed).toHaveText('Nothing changed');
  await page.keyboard.press('Control+z');
  await expect(notices).toContainText(`Undone in revision ${id}: Medium.`);
  await expect
    .poll(async () => (await admin.revision('TATE', id)).values)
    .toEqual({ ...before.values, CREDITLINE: 'Theirs' });
  await form.getByRole('button', { name: 'History' }).click();
  await form
    .getByRole('button', { name: /^Restore Credit line/ })
    .first()
    .click();
  await expect(field('Credit line')).toHaveValue(String(before.values['CREDITLINE']));
});

test('in a queue of hundreds a value is kept for the next, repeated and suggested; what is flagged is found again @long', async ({
  page,
}) => {
  const admin = await service.as('admin');
  const ids = (await admin.ids('TATE', 'q=venice&sort=revisionId')).map(Number);
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  await service.open(page, '/archives/TATE?q=venice&sort=revisionId', 'admin');
  const { field, formOf } = archiveScreen(page);
  await page.getByRole('button', { name: /^Correct these / }).click();
  await expect(formOf(first)).toBeVisible();
  await field('Credit line').selectText();
  await page.keyboard.type('Given by a friend');
  // Carried over to the next, and stopped there.
  await page.keyboard.press('Control+Shift+D');
  await page.keyboard.press('Control+Enter');
  await expect(formOf(second)).toContainText(`carried over from revision ${first}`);
  await expect(field('Credit line')).toHaveValue('Given by a friend');
  await expect(field('Credit line')).toBeFocused();
  await page.keyboard.press('Control+Shift+D');
  await page.keyboard.press('Control+Enter');
  // Repeated by one key.
  await expect(formOf(third)).toBeVisible();
  await expect(field('Credit line')).toBeFocused();
  await expect(field('Credit line')).not.toHaveValue('Given by a friend');
  await page.keyboard.press('Control+d');
  await expect(field('Credit line')).toHaveValue('Given by a friend');
  await page.keyboard.press('Control+Enter');
  // Suggested: most used first.
  await expect(formOf(fourth)).toBeVisible();
  await field('Classification').selectText();
  await page.keyboard.type('pain');
  await expect(page.getByRole('option').first()).toContainText('painting');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+u');
  // In a box of several lines as well; its Escape leaves the form open.
  await field('Credit line').selectText();
  await page.keyboard.type('given by');
  await expect(page.getByRole('option', { name: 'Given by a friend' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(field('Credit line')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('!');
  await expect(field('Credit line')).toHaveValue('!given by');
  await page.keyboard.press('Control+u');
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.type('Is this Venice?');
  await page.keyboard.press('Enter');
  await expect(queueBar(page)).toContainText('5 of ');
  for (const id of [first, second, third]) {
    await expect
      .poll(async () => (await admin.revision('TATE', id)).values['CREDITLINE'])
      .toBe('Given by a friend');
  }
  await page.getByRole('button', { name: 'Exit queue' }).click();
  await page.getByRole('button', { name: 'Queues and flags' }).click();
  await page.getByRole('menuitem', { name: 'List of the flags…' }).click();
  const list = page.getByRole('dialog', { name: 'Flagged for later' });
  await list.getByRole('button', { name: /Is this Venice\?/ }).click();
  await expect(formOf(fourth)).toBeVisible();
});

test('two people in one field: what it was, theirs and mine are shown, one key takes one @long', async ({
  page,
  watch,
}) => {
  watch.expectStatus(412);
  const admin = await service.as('admin');
  const id = 2_000;
  const before = await admin.revision('TATE', id);
  await service.open(page, `/archives/TATE?selected=${id}`, 'admin');
  const { conflict, field, notices } = archiveScreen(page);
  await field('Medium').fill('Mine');
  await field('Date').fill('Mine too');
  await admin.correct('TATE', id, { MEDIUM: 'Theirs', DATETEXT: 'Theirs too' });
  await page.keyboard.press('Control+s');
  await expect(conflict).toBeFocused();
  for (const value of [String(before.values['MEDIUM']), 'Theirs', 'Mine']) {
    await expect(conflict).toContainText(value);
  }
  await page.keyboard.press('2');
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await expect(notices).toContainText(`Revision ${id} is saved.`);
  const { values } = await admin.revision('TATE', id);
  expect(values).toMatchObject({ DATETEXT: 'Mine too', MEDIUM: 'Theirs' });
});

test('who else has one of thousands open is named; a lock is shown, kept to, and taken off again @long', async ({
  page,
  browser,
  watch,
}) => {
  // Saved by a program over the lock, refused.
  watch.expectStatus(423);
  const admin = await service.as('admin');
  const anna = await service.as('anna');
  const id = 3_000;
  const path = `/archives/TATE?selected=${id}`;
  const elsewhere = await browser.newContext();
  const other = await elsewhere.newPage();
  const [hers, theirs] = [archiveScreen(page), archiveScreen(other)];
  await service.open(page, path, 'anna');
  const told = page.waitForResponse(
    (response) => response.request().postData()?.includes('"editing":true') ?? false,
  );
  await hers.field('Medium').fill('Typed by Anna');
  await told;
  await service.open(other, path, 'admin');
  await expect(theirs.form.getByText('Anna Weiss is editing this.')).toBeAttached();
  await elsewhere.close();

  const before = (await admin.revision('TATE', id)).values;
  await admin.lock('TATE', id, true);
  await expect(hers.form).toContainText('Administrator locked this revision at');
  await expect(hers.field('Medium')).not.toBeEditable();
  await page.keyboard.press('Control+s');
  await expect(anna.correct('TATE', id, { MEDIUM: 'Over the lock' })).rejects.toThrow(': 423 ');
  expect((await admin.revision('TATE', id)).values).toEqual(before);
  await admin.lock('TATE', id, false);
  await expect(hers.field('Medium')).toBeEditable();
  await expect(hers.field('Medium')).toHaveValue('Typed by Anna');
  await page.keyboard.press('Control+s');
  await expect
    .poll(async () => (await admin.revision('TATE', id)).values)
    .toEqual({ ...before, MEDIUM: 'Typed by Anna' });
});

test('corrects thousands by a rule, and takes all of it back @long', async ({ page }) => {
  const admin = await service.as('admin');
  const ids = await admin.ids('TATE', 'q=landscape');
  const known = [ids.at(0), ids.at(1_000), ids.at(-1)].flatMap((id) => id ?? []);
  const before = await Promise.all(known.map((id) => admin.revision('TATE', id)));
  await service.open(page, LANDSCAPES, 'admin');
  const { grid, count } = archiveScreen(page);
  await expect(count).toHaveText(/ of [\d,]+ revisions, filtered$/);
  await grid.focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'By rules…' }).click();
  const dialog = page.getByRole('dialog', { name: /by rules$/ });
  await choose(page, 'Which field do you want to correct?', 'Credit line');
  await choose(page, 'Change of Credit line', 'Add suffix');
  await dialog.getByLabel('Text').fill(' (checked)');
  await timed('plan', async () => {
    await page.keyboard.press('Control+Enter');
    await expect(dialog.getByRole('status').first()).toContainText('would change');
  });
  await timed('all changed', async () => {
    await dialog.getByRole('button', { name: /^Change [\d,]+ revisions/ }).click();
    await expect(dialog.getByRole('status').first()).toContainText('revisions changed', {
      timeout: 90_000,
    });
  });
  for (const { revision, values } of before) {
    const now = await admin.revision('TATE', revision.revisionId);
    const line = values['CREDITLINE'];
    expect(now.values).toEqual({ ...values, CREDITLINE: `${String(line ?? '')} (checked)` });
  }
  await timed('all undone', async () => {
    await dialog.getByRole('button', { name: 'Undo all' }).click();
    await expect(dialog.getByRole('status').first()).toContainText('revisions undone', {
      timeout: 90_000,
    });
  });
  for (const { revision, values } of before) {
    expect((await admin.revision('TATE', revision.revisionId)).values).toEqual(values);
  }
});

test('exports thousands of revisions as a spreadsheet and takes corrections of it in @long', async ({
  page,
}) => {
  const admin = await service.as('admin');
  await service.open(page, LANDSCAPES, 'admin');
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  const [download] = await timed('export', () =>
    Promise.all([
      page.waitForEvent('download', { timeout: 90_000 }),
      page.getByRole('menuitem', { name: 'Excel (XLSX), all fields' }).click(),
    ]),
  );
  const { sheets } = await readXlsx(await readFile(await download.path()));
  const rows = (sheets[0]?.rows ?? []).map((cells) => [...cells]);
  expect(rows).toHaveLength((await admin.ids('TATE', 'q=landscape')).length + 1);
  const title = rows[0]?.indexOf('Title') ?? -1;
  const corrected = [rows[0], ...rows.slice(500, 900)].flatMap((cells) => (cells ? [cells] : []));
  const first = corrected[1] ?? [];
  first[title] = 'Corrected in a spreadsheet';
  await page.getByRole('button', { name: 'Spreadsheet' }).click();
  await page.getByRole('menuitem', { name: 'Import a corrected file…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import a corrected file' });
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'corrected.xlsx',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'Any', rows: corrected }] })),
  });
  await dialog.getByRole('button', { name: 'Preview' }).click();
  const plan = page.getByRole('dialog', { name: 'Bulk edit', exact: true });
  await expect(plan.getByRole('status').first()).toContainText('1 revision would change');
  await plan.getByRole('button', { name: 'Change 1 revision' }).click();
  await expect(plan.getByRole('status').first()).toContainText('1 revision changed');
  expect((await admin.revision('TATE', Number(first[0]))).values['TITLE']).toBe(
    'Corrected in a spreadsheet',
  );
});

test('counts a work list among thousands @long', async ({ page }) => {
  const admin = await service.as('admin');
  const missing = await admin.ids('TATE', 'where[CREDITLINE][null]=true');
  await service.open(page, '/archives/TATE?where[CREDITLINE][null]=true', 'admin');
  const views = page.getByRole('region', { name: 'Views' });
  await views.getByRole('button', { name: 'Save as a view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Credit line missing');
  await page.keyboard.press('Enter');
  await expect(
    views.getByRole('button', { name: `Credit line missing ${missing.length}`, exact: true }),
  ).toBeVisible();
});
