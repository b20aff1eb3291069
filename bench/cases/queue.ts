import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { runCommand } from '#tests/e2e/support/command.ts';
import { findChromium } from '#tests/support/chromium.ts';
import { startService } from '#tests/support/service-process.ts';
import { TATE_IS_THERE, writeTateDefinition } from '#tests/support/tate.ts';
import type { BenchResult } from '../result.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PASSWORD = 'correct horse battery';
const STEPS = 500;
/** Of the steps, those that are timed. */
const TIMED = 200;
const HEAP_EVERY = 100;

/**
 * The correction queue on the Tate archive in Chromium: from the key press of “save and next” until the next form is
 * painted with the cursor in the same field and its text selected; and the page's memory over 500 steps.
 */
export async function run(): Promise<BenchResult> {
  if (!TATE_IS_THERE) throw new Error('The Tate data is not there: set INDEXDESK_TEST_DATA.');
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-'));
  const definition = await writeTateDefinition({ artworksOnly: true });
  await runCommand(['load', definition, '--data', join(folder, 'data')]);
  const service = await startService({
    dataDir: join(folder, 'data'),
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
  });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${service.url}/archives/TATE?sort=revisionId&q=landscape`);
    await page.getByLabel('User name').fill('admin');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Correct these [\d,]+/ }).click();
    await page.getByRole('region', { name: /^Form of revision/ }).waitFor();
    const field = page.getByRole('textbox', { name: 'Credit line' });
    await field.focus();
    return { name: 'queue', figures: await steps(page) };
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(dirname(definition), { recursive: true, force: true });
  }
}

async function steps(page: Page): Promise<Record<string, number>> {
  const devtools = await page.context().newCDPSession(page);
  const heap: Record<string, number> = {};
  const measureHeap = async (step: number) => {
    await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    heap[`heap after ${step} steps (MB)`] = Math.round(usedSize / 100_000) / 10;
  };
  await measureHeap(0);
  const times: number[] = [];
  for (let step = 1; step <= STEPS; step++) {
    await page.keyboard.type(`Bequest ${step}`);
    // Listens before the key is pressed; what it waits for comes with the handle.
    const listening = await page.evaluateHandle(listenForNext);
    await page.keyboard.press('Control+Enter');
    times.push(await listening.evaluate(({ painted }) => painted));
    await listening.dispose();
    if (step % HEAP_EVERY === 0) await measureHeap(step);
  }
  const sorted = times.slice(0, TIMED).toSorted((a, b) => a - b);
  const share = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  return { 'step p50': share(0.5), 'step p95': share(0.95), 'step max': share(0.999), ...heap };
}

/** Runs in the page: milliseconds from the key press until the next form is painted and can be typed into. */
function listenForNext(): { readonly painted: Promise<number> } {
  const formOf = (element: Element | null) =>
    element?.closest('section[aria-label^="Form of revision"]')?.getAttribute('aria-label') ?? null;
  const before = formOf(document.activeElement);
  const painted = new Promise<number>((done) => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      removeEventListener('keydown', onKey, { capture: true });
      const look = () => {
        const { activeElement } = document;
        const now = formOf(activeElement);
        const typed =
          activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
        const selected =
          typed &&
          activeElement.selectionStart === 0 &&
          activeElement.selectionEnd === activeElement.value.length;
        if (now === null || now === before || !selected) requestAnimationFrame(look);
        // The frame after the one that draws it.
        else
          requestAnimationFrame(() => setTimeout(() => done(performance.now() - event.timeStamp)));
      };
      look();
    };
    addEventListener('keydown', onKey, { capture: true });
  });
  return { painted };
}

async function build(): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin');
  await promisify(execFile)(process.execPath, [join(vite, 'vite.js'), 'build'], { cwd: PROJECT });
}
