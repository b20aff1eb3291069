import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { runCommand } from '#tests/e2e/support/command.ts';
import { startService } from '#tests/support/service-process.ts';
import { launch, openAs } from '../browser.ts';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import type { BenchResult } from '../result.ts';
import { PASSWORD } from '#tests/support/password.ts';

const TABLE = 'c2a1e7d4-40b6-4c1f-9a55-0d8e6f3b7a61';
const ROWS = 50_000;

const COLUMNS = [
  { name: 'code', label: 'Code', type: 'text', required: true, unique: true, maxLength: 20 },
  { name: 'name', label: 'Name', type: 'text', maxLength: 80 },
  { name: 'city', label: 'City', type: 'text', maxLength: 60 },
  { name: 'state', label: 'State', type: 'text', options: ['open', 'waiting', 'closed'] },
  { name: 'pieces', label: 'Pieces', type: 'integer' },
  { name: 'net', label: 'Net', type: 'decimal', scale: 2 },
  { name: 'gross', label: 'Gross', type: 'decimal', scale: 2 },
  { name: 'ordered', label: 'Ordered', type: 'date' },
  { name: 'active', label: 'Active', type: 'boolean' },
  { name: 'note', label: 'Note', type: 'text', maxLength: 120 },
];

/**
 * 50,000 rows of 10 columns pasted as text into an empty table, and then over the rows that are there, in Chromium:
 * until the service has planned it, and from its button until the last row is written.
 */
export async function run(): Promise<BenchResult> {
  await buildWebAdmin();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-paste-'));
  const dataDir = join(folder, 'data');
  const file = join(folder, 'definition.json');
  const table = { guid: TABLE, name: 'PASTED', label: 'Pasted', columns: COLUMNS };
  await writeFile(file, JSON.stringify({ tables: [table] }));
  await runCommand(['load', file, '--data', dataDir]);
  const service = await startService({
    dataDir,
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
  });
  const browser = await launch();
  try {
    const page = await openAs(browser, `${service.url}/tables/${TABLE}`);
    const fresh = await paste(page, 0);
    await page.reload();
    const changed = await paste(page, 1);
    return {
      name: 'paste',
      figures: {
        'new rows: preview (ms)': fresh.preview,
        'new rows: written (ms)': fresh.written,
        'changed rows: preview (ms)': changed.preview,
        'changed rows: written (ms)': changed.written,
      },
    };
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function paste(page: Page, turn: number) {
  await page.locator('[data-row="0"] [data-col="1"]:not([aria-busy])').click();
  const begun = performance.now();
  await page.evaluate(
    ({ rows, turn }) => {
      const states = ['open', 'waiting', 'closed'];
      const lines = Array.from({ length: rows }, (_, i) => {
        const n = i + turn;
        const day = new Date(Date.UTC(2015, 0, 1 + (n % 4000))).toISOString().slice(0, 10);
        const net = `${(n % 9000) + 1000},${String(n % 100).padStart(2, '0')}`;
        const texts = [`C-${i}`, `Name ${n}`, `City ${n % 90}`, states[n % 3]];
        return [...texts, n % 1000, net, net, day, n % 2 ? 'ja' : 'nein', `Note ${n}`].join('\t');
      });
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', lines.join('\r\n'));
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    },
    { rows: ROWS, turn },
  );
  const dialog = page.getByRole('dialog', { name: 'Paste' });
  const go = dialog.getByRole('button', { name: 'Write 50,000 records' });
  await go.waitFor({ timeout: 120_000 });
  const previewed = performance.now();
  await go.click();
  await dialog.getByText('50,000 records written').waitFor({ timeout: 300_000 });
  const done = performance.now();
  return { preview: Math.round(previewed - begun), written: Math.round(done - previewed) };
}
