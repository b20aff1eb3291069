import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { datasetListAnswer } from '#shared/contract/answers.ts';
import { BASE } from '#server/http/paths.ts';
import { runInHost } from './support/hosted-service.ts';
import { copyContent, ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

/** A German clerk in Berlin: `1.234,50`, `31.12.2026`, clocks that go forward in March and back in October. */
test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' });

const READINGS = '5b0d7f2e-9c41-4f6a-8d27-3e1a6c90b7a1';
const METERS = '5b0d7f2e-9c41-4f6a-8d27-3e1a6c90b7a2';

const service = ownService({
  prepare: async (dataDir) => {
    await copyContent(dataDir);
    const file = join(dataDir, '..', 'readings.json');
    const meters = [
      { MNO: 'M-100', PLACE: 'Kiel', RATE: 0.315 },
      { MNO: 'M-200', PLACE: 'Emden', RATE: 1.5 },
    ];
    const tables = [
      {
        guid: METERS,
        name: 'METERS',
        label: 'Meters',
        columns: [
          { name: 'MNO', label: 'Meter no.', type: 'text', required: true },
          { name: 'PLACE', label: 'Place', type: 'text' },
          { name: 'RATE', label: 'Rate', type: 'decimal', scale: 3 },
        ],
        datasets: meters,
      },
      {
        guid: READINGS,
        name: 'READINGS',
        label: 'Readings',
        columns: [
          {
            name: 'METER',
            label: 'Meter',
            type: 'text',
            optionsFrom: {
              table: 'METERS',
              column: 'MNO',
              fills: { PLACE: 'PLACE', RATE: 'RATE' },
            },
          },
          { name: 'PLACE', label: 'Place', type: 'text' },
          { name: 'RATE', label: 'Rate', type: 'decimal', scale: 3 },
          { name: 'COUNT', label: 'Count', type: 'integer' },
          { name: 'DAY', label: 'Day', type: 'date' },
          { name: 'TAKEN', label: 'Taken', type: 'datetime' },
          { name: 'STATE', label: 'State', type: 'text', options: ['open', 'checked'] },
          { name: 'VALID', label: 'Valid', type: 'boolean' },
          { name: 'NOTE', label: 'Note', type: 'text' },
        ],
        datasets: Array.from({ length: 8 }, (_, i) => ({
          RATE: 1234.5,
          COUNT: i,
          DAY: '2026-12-31',
          TAKEN: '2026-07-01T14:05:00+05:30',
        })),
      },
    ];
    await writeFile(file, JSON.stringify({ tables }));
    await runInHost(['load', file, '--data', dataDir]);
  },
});

const COLUMNS = ['METER', 'PLACE', 'RATE', 'COUNT', 'DAY', 'TAKEN', 'STATE', 'VALID', 'NOTE'];

const open = async (page: Page) => {
  await service.open(page, `/tables/${READINGS}`, 'admin');
  await expect(cell(page, 8, 'COUNT')).toHaveText('7');
};
const cell = (page: Page, row: number, column: string) =>
  page
    .getByRole('grid')
    .locator(`[data-row="${row - 1}"] [data-col="${COLUMNS.indexOf(column) + 1}"]`);
const saved = (page: Page) => page.getByText('Saved', { exact: true });

async function dataset(page: Page, row: number) {
  const path = `application/dataapp/tables/${READINGS}/datasets?limit=100`;
  const answer = await page.request.get(service.url + BASE + path);
  return datasetListAnswer.parse(await answer.json()).datasets[row - 1];
}

/** Types into a cell and goes down. */
const put = async (page: Page, row: number, column: string, text: string) => {
  await cell(page, row, column).click();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
};

test('shows and reads numbers and dates as they are written here, and sends them as the interface says @long', async ({
  page,
}) => {
  await open(page);
  await expect(cell(page, 1, 'RATE')).toHaveText('1.234,500');
  await expect(cell(page, 1, 'DAY')).toHaveText('31.12.2026');
  // The offset as it was entered; the clock here as a hint.
  await expect(cell(page, 1, 'TAKEN')).toHaveText('01.07.2026 14:05 +05:30');
  await expect(cell(page, 1, 'TAKEN').getByTitle('01.07.2026, 10:35 here')).toBeVisible();
  await put(page, 1, 'RATE', '1.234');
  await put(page, 1, 'COUNT', '12.000');
  await put(page, 1, 'DAY', '3.4.26');
  await put(page, 1, 'VALID', 'ja');
  await put(page, 1, 'STATE', 'CHECK');
  await cell(page, 1, 'TAKEN').click();
  await page.keyboard.type('1.7.26 9:30');
  await expect(page.getByText('01.07.2026, 09:30 here')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(saved(page)).toBeVisible();
  await expect(cell(page, 1, 'RATE')).toHaveText('1.234,000');
  await expect(cell(page, 1, 'COUNT')).toHaveText('12000');
  await expect(cell(page, 1, 'DAY')).toHaveText('03.04.2026');
  await expect(cell(page, 1, 'TAKEN')).toHaveText('01.07.2026 09:30 +02:00');
  expect(await dataset(page, 1)).toMatchObject({
    RATE: 1234,
    COUNT: 12_000,
    DAY: '2026-04-03',
    TAKEN: '2026-07-01T09:30:00+02:00',
    STATE: 'checked',
    VALID: true,
  });
  // An editor that is opened and left changes nothing, whatever stands in it.
  await cell(page, 2, 'TAKEN').click();
  await page.keyboard.press('F2');
  await expect(page.getByRole('grid').getByRole('textbox')).toHaveValue('01.07.2026 14:05 +05:30');
  await page.keyboard.press('Enter');
  expect((await dataset(page, 2))?.['TAKEN']).toBe('2026-07-01T14:05:00+05:30');
});

test('says of a time that the clocks here skip, and asks of one that they run twice @long', async ({
  page,
}) => {
  await open(page);
  await cell(page, 3, 'TAKEN').click();
  await page.keyboard.type('29.3.2026 2:30');
  await expect(page.getByText(/^The time 02:30 does not exist on 2026-03-29/)).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(cell(page, 3, 'TAKEN')).toContainText('29.3.2026 2:30');
  await expect(cell(page, 3, 'TAKEN')).toHaveAttribute('aria-invalid', 'true');
  await put(page, 4, 'TAKEN', '25.10.2026 2:30');
  await expect(cell(page, 4, 'TAKEN')).toHaveAccessibleDescription(
    /can mean .*\+02:00 or .*\+01:00/,
  );
  // F2 goes to what it can mean.
  await page.keyboard.press('ArrowUp');
  await expect(cell(page, 4, 'TAKEN')).toBeFocused();
  await page.keyboard.press('F2');
  await expect(page.getByRole('button', { name: '25 October 2026, 02:30 +02:00' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(cell(page, 4, 'TAKEN')).toHaveText('25.10.2026 02:30 +01:00');
  await expect(cell(page, 4, 'TAKEN')).toBeFocused();
  await put(page, 3, 'TAKEN', '29.3.2026 3:30');
  await expect(saved(page)).toBeVisible();
  expect((await dataset(page, 3))?.['TAKEN']).toBe('2026-03-29T03:30:00+02:00');
  expect((await dataset(page, 4))?.['TAKEN']).toBe('2026-10-25T02:30:00+01:00');
});

test('looks values up in another table and fills the cells beside; one step takes all back @long', async ({
  page,
}) => {
  await open(page);
  await cell(page, 5, 'METER').click();
  await page.keyboard.type('emd');
  const option = page.getByRole('option', { name: /M-200/ });
  await expect(option).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(cell(page, 5, 'METER')).toHaveText('M-200');
  await expect(cell(page, 5, 'PLACE')).toHaveText('Emden');
  await expect(cell(page, 5, 'RATE')).toHaveText('1,500');
  await expect(async () => {
    expect(await dataset(page, 5)).toMatchObject({ METER: 'M-200', PLACE: 'Emden', RATE: 1.5 });
  }).toPass();
  await page.keyboard.press('Control+z');
  await expect(cell(page, 5, 'PLACE')).toHaveText('');
  await expect(async () => {
    expect(await dataset(page, 5)).toMatchObject({ METER: null, PLACE: null, RATE: 1234.5 });
  }).toPass();
  // What is typed stands, whether the table has it or not.
  await put(page, 6, 'METER', 'M-999');
  // With the warning of the check for screen readers behind it, once the checks are loaded.
  await expect(cell(page, 6, 'METER')).toContainText('M-999');
  // The form of the row looks up, too.
  await cell(page, 7, 'METER').click();
  await page.getByRole('button', { name: 'Form', exact: true }).click();
  const meter = page.getByRole('combobox', { name: 'Meter' });
  await meter.fill('kiel');
  await expect(page.getByRole('option', { name: /M-100/ })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await meter.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Rate' })).toHaveValue('0,315');
  await expect(async () => {
    expect(await dataset(page, 7)).toMatchObject({ METER: 'M-100', PLACE: 'Kiel', RATE: 0.315 });
  }).toPass();
});

test('create, paste, mend an error and undo by the keyboard alone, and hear what happens', async ({
  page,
}) => {
  await open(page);
  const said = page.getByRole('status', { name: 'Status of the table' });
  await page.getByRole('searchbox', { name: 'Search in Readings' }).focus();
  // One tab stop leads into the grid.
  for (let steps = 0; steps < 40; steps += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator('[role=gridcell]:focus, [role=columnheader]:focus').count()) > 0) break;
  }
  await expect(page.locator('[role=gridcell]:focus, [role=columnheader]:focus')).toHaveCount(1);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+ArrowLeft');
  const focused = page.locator('[role=gridcell]:focus');
  await expect(focused).toHaveAttribute('aria-colindex', '2');
  await page.keyboard.type('M-300');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Husum');
  await page.keyboard.press('Control+Enter');
  await expect(said).toContainText('Everything is saved');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '11');

  // A block of cells is told of by its size.
  await page.keyboard.press('Control+Home');
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
  await expect(focused).toHaveAttribute('aria-colindex', '5');
  await expect(page.locator('[role=row]:has([role=gridcell]:focus)')).toHaveAttribute(
    'aria-rowindex',
    '2',
  );
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(said).toHaveText('2 rows by 2 columns selected.');

  const [first, second] = [await dataset(page, 1), await dataset(page, 2)];
  await page.keyboard.press('Home');
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'A\tB\t7,25\t1\r\nC\tD\tviel\t2\r\n');
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  });
  const dialog = page.getByRole('dialog', { name: /^Paste/ });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Paste, and mark the rest' })).toBeEnabled();
  await expect(dialog.getByRole('region', { name: 'Old and new' })).toBeFocused();
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toBeHidden();
  await expect(said).toContainText('1 entry is not saved. Rate: ');

  await page.keyboard.press('F8');
  await expect(focused).toHaveAttribute('aria-invalid', 'true');
  await expect(focused).toHaveAccessibleDescription(/must be a number/);
  await page.keyboard.type('8,5');
  await page.keyboard.press('Enter');
  await expect(said).toContainText('Everything is saved');
  expect(await dataset(page, 1)).toMatchObject({ METER: 'A', PLACE: 'B', RATE: 7.25, COUNT: 1 });
  expect(await dataset(page, 2)).toMatchObject({ METER: 'C', PLACE: 'D', RATE: 8.5, COUNT: 2 });

  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: /^Undone/ })
      .last(),
  ).toBeVisible();
  await expect(async () => {
    expect(await dataset(page, 1)).toEqual(first);
    expect(await dataset(page, 2)).toEqual(second);
  }).toPass();
});
