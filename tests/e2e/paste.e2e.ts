import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { datasetListAnswer } from '#shared/contract/answers.ts';
import { BASE } from '#server/http/paths.ts';
import { runInHost } from './support/hosted-service.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const tableOf = (number: number) => `5b0d7f2e-9c41-4f6a-8d27-3e1a6c90b70${number}`;
const PARTS = {
  columns: [
    { name: 'NAME', label: 'Name', type: 'text', required: true, maxLength: 40, pattern: '[^?]*' },
    { name: 'AMOUNT', label: 'Amount', type: 'decimal', scale: 2 },
    { name: 'DAY', label: 'Day', type: 'date' },
    { name: 'NOTE', label: 'Note', type: 'text' },
  ],
  datasets: Array.from({ length: 6 }, (_, i) => ({ NAME: `Part ${i + 1}`, AMOUNT: i })),
};

/** Each test pastes into a table of its own. */
const service = ownService({
  prepare: async (dataDir) => {
    await copyContent(dataDir);
    const file = join(dataDir, '..', 'parts.json');
    const tables = [0, 1, 2, 3, 4, 5, 6, 7].map((number) => ({
      ...PARTS,
      guid: tableOf(number),
      name: `PARTS${number}`,
      label: 'Parts',
    }));
    await writeFile(file, JSON.stringify({ tables }));
    await runInHost(['load', file, '--data', dataDir]);
  },
});

const open = async (page: Page, table: number) => {
  await service.open(page, `/tables/${tableOf(table)}`, 'admin');
  await expect(cell(page, 1, 1)).toHaveText('Part 1');
};
const cell = (page: Page, row: number, col: number) =>
  page.getByRole('grid').locator(`[data-row="${row - 1}"] [data-col="${col}"]`);

/** As the browser does it on Ctrl+V. */
const paste = (page: Page, forms: Readonly<Record<string, string>>) =>
  page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    for (const [type, data] of Object.entries(given)) clipboardData.setData(type, data);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, forms);

const dialog = (page: Page) => page.getByRole('dialog', { name: /^Paste/ });

async function parts(page: Page, table: number, offset = 0) {
  const path = `application/dataapp/tables/${tableOf(table)}/datasets?limit=1000&offset=${offset}`;
  const answer = await page.request.get(service.url + BASE + path);
  return datasetListAnswer.parse(await answer.json());
}

test('several cells: asks once what it cannot know, shows old and new, keeps what cannot be read @long', async ({
  page,
}) => {
  // Patterns are checked by code that is loaded after the page.
  const patterns = Promise.withResolvers<void>();
  await page.route('**/pattern-engine-*.js', async (route) => {
    await patterns.promise;
    await route.continue();
  });
  await open(page, 0);
  await cell(page, 1, 1).click();
  await paste(page, { 'text/plain': 'Bolt?\r\nNut' });
  await expect(dialog(page)).toBeVisible();
  patterns.resolve();
  await expect(page.getByRole('button', { name: 'Cells that cannot be saved 1' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await cell(page, 1, 2).click();
  await paste(page, { 'text/plain': '1.234,50\t03/04/2024\r\n2\t05/06/2024\r\nmany\t\r\n' });
  await expect(dialog(page)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cells changed 2' })).toBeVisible();
  const question = page.getByRole('group', { name: /What does “03\/04\/2024” mean in Day/ });
  await expect(
    dialog(page).getByRole('button', { name: 'Paste', exact: false }).last(),
  ).toBeDisabled();
  // The keyboard is where the answer is due.
  await expect(question.getByRole('radio').first()).toBeFocused();
  await question.getByRole('radio', { name: /3 April 2024/ }).check();
  await expect(page.getByRole('button', { name: 'Cells that cannot be saved 1' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Paste, and mark the rest' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(async () => {
    const { datasets } = await parts(page, 0);
    expect(datasets.slice(0, 3).map(({ AMOUNT, DAY }) => [AMOUNT, DAY])).toEqual([
      [1234.5, '2024-04-03'],
      [2, '2024-06-05'],
      [2, null],
    ]);
  }).toPass();
  await expect(cell(page, 3, 2)).toContainText('many');
  await expect(cell(page, 3, 2)).toHaveAttribute('aria-invalid', 'true');
  // What was answered is remembered; the keyboard is in the preview, which Ctrl+Enter confirms.
  await cell(page, 4, 3).click();
  await paste(page, { 'text/plain': '07/08/2024\tx' });
  await expect(dialog(page).getByRole('region', { name: 'Old and new' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 4, 4)).toHaveText('x');
  await expect(async () => {
    expect((await parts(page, 0)).datasets[3]?.['DAY']).toBe('2024-08-07');
  }).toPass();
});

test('what LibreOffice copies: values as they are, merged cells once; past the last row it creates @long', async ({
  page,
}) => {
  const html = await readFile('tests/fixtures/clipboard/libreoffice-merged.html', 'utf8');
  await open(page, 1);
  await cell(page, 6, 1).click();
  const de = (ending: string) =>
    readFile(`tests/fixtures/clipboard/libreoffice-values-de.${ending}`, 'utf8');
  const values = /<tr>.*<\/tr>/s.exec(await de('html'))?.[0] ?? '';
  // Without the two first columns, the truth values and the headings: as if only the others were copied.
  const rows = [...values.matchAll(/<tr>.*?<\/tr>/gs)].slice(1).map(([row]) => {
    const cells = [...row.matchAll(/<td.*?<\/td>/gs)].map(([cell]) => cell);
    return `<tr>${[1, 2, 3, 5].map((at) => cells[at] ?? '').join('')}</tr>`;
  });
  const generator = '<meta name="generator" content="LibreOffice 7.4.7.2 (Linux)"/>';
  await paste(page, { 'text/html': `${generator}<table>${rows.join('')}</table>` });
  await expect(page.getByRole('button', { name: 'New rows 2' })).toBeVisible();
  await expect(dialog(page)).toContainText('lacks Name');
  await dialog(page)
    .getByRole('button', { name: /^Paste/ })
    .last()
    .click();
  await expect(async () => {
    const { datasets } = await parts(page, 1);
    expect(datasets.slice(5).map(({ jrid: _jrid, ...values }) => values)).toEqual([
      {
        NAME: 'Müller & Söhne',
        AMOUNT: 1234.5,
        DAY: '2024-04-03',
        NOTE: 'erste Zeile\nzweite Zeile',
      },
      { NAME: 'Say "hi"\tthere', AMOUNT: -0.05, DAY: '2025-01-01', NOTE: '  two  blanks  ' },
    ]);
  }).toPass();
  await expect(page.getByText(/^2 of 3 rows are pasted; 1 is not saved/)).toBeVisible();
  // The third has no name: it stays as it is until it has one.
  await expect(cell(page, 8, 2)).toHaveText('1,000,000.00');
  await expect(cell(page, 8, 1)).toHaveAttribute('aria-invalid', 'true');
  await cell(page, 1, 1).click();
  await paste(page, { 'text/html': html });
  await dialog(page)
    .getByRole('button', { name: /^Paste/ })
    .last()
    .click();
  await expect(cell(page, 2, 1)).toHaveText('d');
  await expect(cell(page, 1, 2)).toHaveText('');
});

/* Not recorded: written after what is described of them (README of the fixtures). */
test('what Excel and Google Sheets copy, as it is described: days in their order, values as they are @long', async ({
  page,
}) => {
  const forms = async (name: string) => ({
    'text/html': await readFile(`tests/fixtures/clipboard/${name}.html`, 'utf8'),
    'text/plain': await readFile(`tests/fixtures/clipboard/${name}.txt`, 'utf8'),
  });
  await open(page, 5);
  const go = async (name: string) => {
    await expect(dialog(page).getByRole('button', { name, exact: true })).toBeEnabled();
    await expect(dialog(page).getByRole('region', { name: 'Old and new' })).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await expect(dialog(page)).toBeHidden();
  };
  await cell(page, 1, 1).click();
  await paste(page, await forms('described-excel-values'));
  // The error of a formula is no text.
  await go('Paste, and mark the rest');
  await expect(cell(page, 2, 4)).toContainText('#N/A');
  await expect(cell(page, 2, 4)).toHaveAttribute('aria-invalid', 'true');
  await cell(page, 3, 1).click();
  await paste(page, await forms('described-sheets-values'));
  await go('Paste');
  await expect(async () => {
    const { datasets } = await parts(page, 5);
    expect(datasets.slice(0, 4).map(({ jrid: _jrid, ...values }) => values)).toEqual([
      { NAME: '007', AMOUNT: 1234.5, DAY: '2024-04-03', NOTE: 'one\ntwo' },
      { NAME: 'A  long name that is wrapped', AMOUNT: -0.25, DAY: '2025-01-01', NOTE: null },
      { NAME: '007', AMOUNT: 1234.5, DAY: '2024-04-03', NOTE: 'WAHR' },
      { NAME: 'one\ntwo', AMOUNT: null, DAY: null, NOTE: 'FALSCH' },
    ]);
  }).toPass();
});

/** The batch of the service over the grid: a large paste, or the list of all. */
const batch = (page: Page) => page.getByRole('dialog', { name: /^(?:Paste|Batch history)$/ });
const MANY = 2000;

test('thousands of rows are written by the service, which outlives the tab, and are undone @long', async ({
  page,
  context,
}) => {
  await open(page, 2);
  await cell(page, 5, 1).click();
  const lines = Array.from({ length: MANY }, (_, i) => `Row ${i}\t${i}\t2024-01-31`);
  await paste(page, { 'text/plain': lines.join('\n') });
  await expect(batch(page).getByRole('status').first()).toHaveText(
    '1,998 records would be created and 2 changed; nothing is changed yet',
  );
  await batch(page).getByRole('button', { name: 'Write 2,000 records' }).click();
  await expect(batch(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.close({ runBeforeUnload: false });

  const later = await context.newPage();
  await later.goto(`${service.url}/tables/${tableOf(2)}`);
  await later.getByRole('button', { name: 'Spreadsheet' }).click();
  await later.getByRole('menuitem', { name: 'Batch history…' }).click();
  await batch(later)
    .getByRole('button', { name: /^Pasted rows/ })
    .click();
  const status = batch(later).getByRole('status').first();
  await expect(status).toHaveText('2,000 records written');
  const names: unknown[] = [];
  for (let offset = 0; offset < 3000; offset += 1000) {
    const { datasets } = await parts(later, 2, offset);
    names.push(...datasets.map(({ NAME }) => NAME));
  }
  const expected = lines.map((_, i) => `Row ${i}`);
  expect(names).toEqual(['Part 1', 'Part 2', 'Part 3', 'Part 4', ...expected]);
  await batch(later).getByRole('button', { name: 'Undo all' }).click();
  await expect(status).toHaveText('2,000 records undone');
  const { datasets } = await parts(later, 2);
  expect(datasets.map(({ NAME, AMOUNT }) => [NAME, AMOUNT])).toEqual(
    PARTS.datasets.map(({ NAME, AMOUNT }) => [NAME, AMOUNT]),
  );
});

test('a large paste is one step of undo in the grid @long', async ({ page }) => {
  await open(page, 6);
  await cell(page, 5, 1).click();
  const lines = Array.from({ length: 1200 }, (_, i) => `Row ${i}\t${i}`);
  await paste(page, { 'text/plain': lines.join('\n') });
  await batch(page).getByRole('button', { name: 'Write 1,200 records' }).click();
  const status = batch(page).getByRole('status').first();
  await expect(status).toHaveText('1,200 records written');
  await batch(page).getByRole('button', { name: 'Close' }).last().click();
  await expect(cell(page, 5, 1)).toHaveText('Row 0');
  await cell(page, 1, 1).click();
  await page.keyboard.press('Control+z');
  await expect(status).toHaveText('1,200 records undone');
  await batch(page).getByRole('button', { name: 'Close' }).last().click();
  await expect(cell(page, 5, 1)).toHaveText('Part 5');
  expect((await parts(page, 6)).datasets.map(({ NAME }) => NAME)).toEqual(
    PARTS.datasets.map(({ NAME }) => NAME),
  );
});

test('a service that is killed continues with a paste at its next start @long', async ({
  page,
  watch,
}) => {
  watch.expectUnreachable();
  await open(page, 7);
  await cell(page, 7, 1).click();
  const lines = Array.from({ length: MANY }, (_, i) => `Row ${i}\t${i}`);
  await paste(page, { 'text/plain': lines.join('\n') });
  await batch(page).getByRole('button', { name: 'Write 2,000 records' }).click();
  await expect(batch(page).getByRole('button', { name: 'Pause' })).toBeVisible();
  await service.kill();
  await service.startAgain();
  await expect(batch(page).getByRole('status').first()).toHaveText('2,000 records written');
  const { meta } = await parts(page, 7);
  expect(meta.pagination.total).toBe(MANY + 6);
});

test('a copy within the grid is pasted as it was; one cell fills what is selected @long', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, 3);
  await cell(page, 1, 1).click();
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  await cell(page, 5, 1).click();
  await page.keyboard.press('Control+v');
  await expect(dialog(page).getByRole('region', { name: 'Old and new' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 5, 1)).toHaveText('Part 1');
  await expect(cell(page, 6, 1)).toHaveText('Part 2');
  // Past the last row too, and all of it is one step to undo.
  await cell(page, 6, 1).click();
  await page.keyboard.press('Control+v');
  await expect(page.getByRole('button', { name: 'New rows 1' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(cell(page, 7, 1)).toHaveText('Part 2');
  await expect(page.getByText('2 rows are pasted.')).toBeVisible();
  await cell(page, 6, 1).click();
  await page.keyboard.press('Control+z');
  await expect(page.getByText('Undone: pasting.')).toBeVisible();
  await expect(cell(page, 6, 1)).toHaveText('Part 2');
  await expect(cell(page, 7, 1)).toHaveText('');
  // The keyboard is where it was.
  await page.keyboard.press('Control+y');
  await expect(cell(page, 7, 1)).toHaveText('Part 2');
  await expect(cell(page, 6, 1)).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(cell(page, 7, 1)).toHaveText('');
  await cell(page, 2, 2).click();
  await page.keyboard.press('Control+c');
  await cell(page, 3, 2).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+v');
  await expect(async () => {
    const { datasets } = await parts(page, 3);
    expect(datasets.map(({ NAME, AMOUNT }) => [NAME, AMOUNT])).toEqual([
      ['Part 1', 0],
      ['Part 2', 1],
      ['Part 3', 1],
      ['Part 4', 1],
      ['Part 1', 0],
      ['Part 2', 1],
    ]);
  }).toPass();
});

test('a large paste leaves alone what somebody else changed meanwhile, and names what is refused @long', async ({
  page,
}) => {
  await open(page, 4);
  await cell(page, 1, 1).click();
  const lines = Array.from({ length: 1004 }, (_, i) =>
    i === 900 ? '\t7' : i === 901 ? 'Row 901\tmany' : `Row ${i}\t${i + 100}`,
  );
  await paste(page, { 'text/plain': lines.join('\n') });
  const status = batch(page).getByRole('status').first();
  await expect(status).toHaveText(
    '996 records would be created and 6 changed, 2 rows have problems; nothing is changed yet',
  );
  await batch(page).getByRole('button', { name: '2 not possible' }).click();
  const records = batch(page).getByRole('region', { name: 'Records of the paste' });
  await expect(records).toContainText('Row 901: Name: ');
  await expect(records).toContainText('Row 902: Amount “many”: ');
  const { datasets } = await parts(page, 4);
  const path = `application/dataapp/tables/${tableOf(4)}/datasets/${datasets[0]?.jrid}`;
  const answer = await page.request.put(service.url + BASE + path, {
    data: { dataset: { NAME: 'Theirs' } },
  });
  expect(answer.status()).toBe(200);
  await batch(page).getByRole('button', { name: 'Write 1,002 records' }).click();
  await expect(status).toHaveText('1,001 records written');
  await batch(page).getByRole('button', { name: '1 changed by others meanwhile' }).click();
  await expect(records).toContainText('The record was changed meanwhile, last by admin at ');
  const now = (await parts(page, 4)).datasets;
  expect(now.slice(0, 2).map(({ NAME, AMOUNT }) => [NAME, AMOUNT])).toEqual([
    ['Theirs', 0],
    ['Row 1', 101],
  ]);
});
