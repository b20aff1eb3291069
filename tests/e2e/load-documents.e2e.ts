import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectNoViolations } from './support/accessibility.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

const service = ownService();

/** Real files: the browser recognises them by their times of change, too. */
async function writePdfs(folder: string, names: readonly string[]): Promise<string[]> {
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      await writeFile(path, `%PDF-1.4 ${name}`);
      return path;
    }),
  );
}

test('files become documents with index data from their names, and none is sent twice @long', async ({
  page,
}, testInfo) => {
  await mkdir(testInfo.outputPath(), { recursive: true });
  const admin = page.request;
  await service.signIn(page.context(), 'admin');
  const base = `${service.url}/api/rest/v2/`;
  const definition = {
    data: {
      archive: {
        table: 'DELIVERIES',
        name: 'Deliveries',
        indexFields: [
          { name: 'CUSTOMER', label: 'Customer', type: 'text' },
          { name: 'NO', label: 'Number', type: 'text' },
          { name: 'DAY', label: 'Day', type: 'date' },
        ],
      },
    },
  };
  const created = await admin.post(`${base}configuration/archives`, definition);
  expect(created.status()).toBe(201);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/documents')) sent += 1;
  });
  const files = await writePdfs(testInfo.outputPath(), [
    ...Array.from({ length: 40 }, (_, i) => `Miller_D-${i}_2027-03-01.pdf`),
    'unknown.pdf',
  ]);
  const empty = testInfo.outputPath('Miller_D-99_2027-03-01.pdf');
  await writeFile(empty, '');
  await page.goto(`${service.url}/administration/load-documents`);
  const choose = async () => {
    await page.getByLabel('Archive', { exact: true }).click();
    await page.getByRole('option', { name: 'Deliveries' }).click();
    await page.locator('input[type=file][multiple]').setInputFiles(files);
    await page.getByLabel('Index data from the names of the files').fill('{CUSTOMER}_{NO}');
  };
  await choose();
  const pattern = page.getByLabel('Index data from the names of the files');
  await pattern.fill('{CUSTOMER}_{NUMBER}.pdf');
  await expect(page.getByText('The archive has no index field NUMBER.').first()).toBeVisible();
  await pattern.fill('scan {NO}.pdf');
  await expect(page.getByText('41 files cannot be stored as they are.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Load 41 documents' })).toBeDisabled();
  await pattern.fill('{CUSTOMER}_{NO}_{DAY}.pdf');
  await expect(page.getByRole('table', { name: 'Files' })).toContainText('01/03/2027');
  await expectNoViolations(page);
  await page.locator('input[type=file][multiple]').setInputFiles(empty);
  await expect(page.getByText('2 files cannot be stored as they are.')).toBeVisible();
  await page.getByRole('link', { name: 'Sessions' }).click();
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(leave).toContainText('Not all files are stored.');
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Load 40 documents' }).click();
  await expect(page.getByText('40 of 42 stored, 2 failed')).toBeVisible();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('The file is empty.')).toBeVisible();
  expect(sent).toBe(40);

  await page.reload();
  await choose();
  await expect(page.getByText('40 of 41 stored', { exact: true })).toBeVisible();
  await pattern.fill('');
  await page.getByRole('button', { name: 'Load 1 document' }).click();
  await expect(page.getByText('41 of 41 stored')).toBeVisible();
  expect(sent).toBe(41);
  await page.getByRole('link', { name: 'Show the new documents' }).click();
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible();

  const list = await admin.get(
    `${base}application/archiveapp/archives/DELIVERIES/documents?limit=100`,
  );
  const { archivedocuments } = await list.json();
  expect(archivedocuments).toHaveLength(41);
  expect(archivedocuments[0].files).toMatchObject([{ contentType: 'application/pdf' }]);

  // Another archive of the same name has none of them. The page of the archive is left before its deletion, of which it
  // would hear: it would read the archive again, and be answered with 404.
  await page.goto(`${service.url}/administration/load-documents`);
  const configured = `${base}configuration/archives/DELIVERIES`;
  expect((await admin.delete(configured)).status()).toBe(204);
  const purge = { data: { confirm: 'DELIVERIES' } };
  expect((await admin.delete(`${configured}?purge=true`, purge)).ok()).toBe(true);
  await expect
    .poll(async () => (await admin.post(`${base}configuration/archives`, definition)).status())
    .toBe(201);
  await page.goto(`${service.url}/administration/load-documents`);
  await choose();
  await expect(page.getByRole('button', { name: 'Load 40 documents' })).toBeVisible();
});

test('files get their index data from a CSV beside them, as a receipt says @long', async ({
  page,
}, testInfo) => {
  await mkdir(testInfo.outputPath(), { recursive: true });
  await service.signIn(page.context(), 'admin');
  const created = await page.request.post(`${service.url}/api/rest/v2/configuration/archives`, {
    data: {
      archive: {
        table: 'LEASES',
        name: 'Leases',
        indexFields: [
          { name: 'NO', label: 'Number', type: 'text', required: true },
          { name: 'SIGNED', label: 'Signed', type: 'date', required: true },
          { name: 'RENT', label: 'Rent', type: 'decimal' },
        ],
      },
    },
  });
  expect(created.status()).toBe(201);
  const files = await writePdfs(testInfo.outputPath(), ['a.pdf', 'B.pdf', 'c.pdf']);
  const csv = join(testInfo.outputPath(), 'index.csv');
  await writeFile(
    csv,
    'Datei;Number;Signed;Rent;Other\na.pdf;L-1;31.12.2026;1.234,50;x\nb.pdf;L-2;13.01.2027;99,00;x\ngone.pdf;L-3;14.01.2027;1,00;x\n',
  );
  await page.goto(`${service.url}/administration/load-documents`);
  await page.getByLabel('Archive', { exact: true }).click();
  await page.getByRole('option', { name: 'Leases' }).click();
  await page.locator('input[type=file][multiple]').setInputFiles(files);
  await expect(page.getByText('3 files cannot be stored as they are.')).toBeVisible();
  // Nothing is stored while the index data is still being read.
  const held = Promise.withResolvers<void>();
  await page.route('**/analyses', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.locator('input[type=file][accept]').setInputFiles(csv);
  await expect(page.getByRole('button', { name: 'Load 3 documents' })).toBeDisabled();
  held.resolve();
  await expect(
    page.getByText(
      '1 file cannot be stored as it is. 1 row of the spreadsheet names a file that is not chosen.',
    ),
  ).toBeVisible();
  await expect(
    page.getByText('Columns without a field of this name, not read: Other'),
  ).toBeVisible();
  await expect(
    page.getByRole('row', { name: /^a\.pdf .* L-1 31\/12\/2026 1,234\.50/ }),
  ).toBeVisible();
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Load 2 documents' }).click();
  await expect(page.getByText('2 of 3 stored, 1 failed')).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the receipt' }).click();
  const receipt = await readFile(await (await download).path(), 'utf8');
  expect(receipt.split('\r\n')).toEqual([
    'File,Bytes,State,Revision,Message',
    expect.stringMatching(/^a\.pdf,\d+,stored,\d+,$/),
    expect.stringMatching(/^B\.pdf,\d+,stored,\d+,$/),
    expect.stringMatching(/^c\.pdf,\d+,failed,,The spreadsheet has no row for this file\.$/),
  ]);
  await page.getByRole('button', { name: 'Clear the list' }).click();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible();
});

test('a file whose upload begins while the network is away is stored once it is back @long', async ({
  page,
  watch,
}, testInfo) => {
  watch.expectUnreachable();
  await mkdir(testInfo.outputPath(), { recursive: true });
  await service.signIn(page.context(), 'admin');
  const created = await page.request.post(`${service.url}/api/rest/v2/configuration/archives`, {
    data: {
      archive: {
        table: 'MEMOS',
        name: 'Memos',
        indexFields: [{ name: 'NO', label: 'Number', type: 'text' }],
      },
    },
  });
  expect(created.status()).toBe(201);
  await page.goto(`${service.url}/administration/load-documents`);
  await page.getByLabel('Archive', { exact: true }).click();
  await page.getByRole('option', { name: 'Memos' }).click();
  const files = await writePdfs(testInfo.outputPath(), ['a.pdf']);
  await page.locator('input[type=file][multiple]').setInputFiles(files);
  const lost = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Load 1 document' }).click();
  await lost;
  await expect(page.getByText('The server cannot be reached. Trying again…')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('1 of 1 stored', { exact: true })).toBeVisible();
});
