import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { runCommand } from '#tests/e2e/support/command.ts';
import { startService } from '#tests/support/service-process.ts';
import { writeTateVariant } from '#tests/support/tate.ts';
import { heapOf, launch, openAs } from '../browser.ts';
import { roundedPartBelow } from '../figures.ts';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import type { BenchResult } from '../result.ts';
import { PASSWORD } from '#tests/support/password.ts';

const STEPS = Number(process.env['INDEXDESK_BENCH_STEPS'] ?? 500);
/** Of the steps, those that are timed. */
const TIMED = 200;
const HEAP_EVERY = 100;

/**
 * The correction queue on the Tate archive in Chromium: from the key press of “save and next” until the next form is
 * painted with the cursor in the same field and its text selected; and the page's memory over 500 steps.
 */
export async function run(): Promise<BenchResult> {
  await buildWebAdmin();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-'));
  const definition = await writeTateVariant();
  await runCommand(['load', definition, '--data', join(folder, 'data')]);
  const service = await startService({
    dataDir: join(folder, 'data'),
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
  });
  const browser = await launch();
  try {
    const url = `${service.url}/archives/TATE?sort=revisionId&q=landscape`;
    const page = await openAs(browser, url);
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
    heap[`heap after ${step} steps (MB)`] = await heapOf(devtools);
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
  const timed = times.slice(0, TIMED);
  return {
    'step p50': roundedPartBelow(timed, 0.5),
    'step p95': roundedPartBelow(timed, 0.95),
    'step max': roundedPartBelow(timed, 1),
    ...heap,
  };
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
