import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { TATE_IS_THERE, writeTateDefinition } from '#tests/support/tate.ts';
import { archiveScreen } from './support/archive-screen.ts';
import { runCommand } from './support/command.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

test.skip(!TATE_IS_THERE, 'The Tate data is not there: set INDEXDESK_TEST_DATA.');

const service = ownService({
  limit: 180_000,
  async prepare(dataDir) {
    if (!TATE_IS_THERE) return;
    const file = await writeTateDefinition();
    await runCommand(['load', file, '--data', dataDir]);
    await rm(dirname(file), { recursive: true });
  },
});

/** Says how long something took; the machine decides, so nothing is demanded. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`Tate: ${what}: ${Math.round(performance.now() - start)} ms`);
  return result;
}

test('works on an archive of 69,202 revisions', async ({ page }) => {
  test.setTimeout(120_000);
  const admin = await service.as('admin');
  await service.open(page, '/', 'admin');
  await expect(page.getByRole('heading', { name: 'Archives and tables', level: 1 })).toBeVisible();
  const screen = archiveScreen(page);
  const rows = screen.grid.getByRole('row').filter({ hasNotText: 'Accession no.' });
  await timed('list usable', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Tate collection/ })
      .click();
    await expect(rows.nth(3)).toHaveAccessibleName(/^\d+ \w+/);
  });
  await expect(screen.count).toHaveText('69,202 revisions');

  await timed('scroll to the middle', async () => {
    await screen.grid.hover();
    await page.mouse.wheel(0, 30_000 * 31);
    await expect(rows.nth(12)).not.toHaveAttribute('aria-busy');
    await expect(rows.nth(12)).toHaveAccessibleName(/^\d+ \w+/);
    await expect(rows.nth(12)).toHaveAttribute('aria-rowindex', /^(?:29|30)\d{3}$/);
  });
  await screen.grid.focus();
  await timed('jump to the end', async () => {
    await page.keyboard.press('End');
    await expect(rows.last()).toHaveAttribute('aria-rowindex', '69203');
    await expect(rows.last()).toHaveAccessibleName(/^\d+ \w+/);
  });
  await timed('sort by title, from the other end', async () => {
    await screen.grid.getByRole('columnheader', { name: 'Title' }).click();
    await screen.grid.getByRole('columnheader', { name: 'Title' }).click();
    await expect(page).toHaveURL(/sort=-TITLE/);
    await expect(screen.grid).toHaveAttribute('aria-busy', 'false');
  });
  await timed('search by parts of words', async () => {
    await screen.search.fill('turner venice');
    await expect(page).toHaveURL(/q=turner/);
    await expect(screen.count).toHaveText(/^\d[\d,]* of 69,202 revisions, filtered$/);
  });

  // One of the 5,013 values with CRLF goes through the form and comes back, to the byte.
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
    (request) => request.method() === 'PUT' && !request.url().endsWith('/viewers'),
  );
  await timed('save all fields', async () => {
    await screen.saveAll.click();
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
