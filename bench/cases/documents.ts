import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext } from '@playwright/test';
import { KINDS, loadKinds, REVISION } from '#tests/e2e/support/kinds.ts';
import { startService } from '#tests/support/service-process.ts';
import { launch, openAs } from '../browser.ts';
import { roundedPartBelow } from '../figures.ts';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import type { BenchResult } from '../result.ts';
import { PASSWORD } from '#tests/support/password.ts';

const TIMES = Number(process.env['INDEXDESK_BENCH_TIMES'] ?? 5);
/** The files of 500 pages: their pages in a tree, and all in one list, which is read whole. */
const FILES = { tree: REVISION.long, list: REVISION.flat } as const;

/**
 * From the press on a revision in the list until the first page of its PDF is drawn: by a browser that has never
 * shown a PDF of the service, and by one that has shown another before.
 */
export async function run(): Promise<BenchResult> {
  await buildWebAdmin();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-'));
  const dataDir = join(folder, 'data');
  await loadKinds(dataDir);
  const service = await startService({
    dataDir,
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
  });
  const browser = await launch();
  try {
    const first = await openAs(browser, `${service.url}/archives/${KINDS}`);
    await first.locator('[role=grid] [data-row="0"]').waitFor();
    const signedIn = await first.context().storageState();
    await first.context().close();
    const figures: Record<string, number> = {};
    for (const [name, revisionId] of Object.entries(FILES)) {
      const times = { first: new Array<number>(), later: new Array<number>() };
      for (let time = 0; time < TIMES; time++) {
        // One after the other: each is to have the machine.
        const shown = await measure(browser, service.url, signedIn, revisionId);
        times.first.push(shown.first);
        times.later.push(shown.later);
      }
      for (const [when, values] of Object.entries(times)) {
        figures[`500 pages in a ${name}: ${when} p50 (ms)`] = roundedPartBelow(values, 0.5);
        figures[`500 pages in a ${name}: ${when} max (ms)`] = roundedPartBelow(values, 1);
      }
    }
    return { name: 'documents', figures };
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

async function measure(browser: Browser, url: string, storageState: State, revisionId: number) {
  const open = async (before: number): Promise<number> => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      storageState,
    });
    const page = await context.newPage();
    await page.goto(`${url}/archives/${KINDS}?sort=revisionId&selected=${before}`);
    await page.locator('[aria-label="Page 1"] canvas[data-drawn]').waitFor();
    const row = page.locator(`[role=grid] [data-row="${revisionId - 1}"] [role=gridcell]`).nth(1);
    await row.waitFor();
    const watching = await page.evaluateHandle(listenForPage, String(revisionId));
    await row.click();
    const took = await watching.evaluate(({ drawn }) => drawn);
    await context.close();
    return took;
  };
  // The file of the revision that follows is read ahead, so neither may stand before one of those.
  return { first: await open(REVISION.fax), later: await open(REVISION.japanese) };
}

/** Runs in the page: milliseconds from the press until ink of the revision's first page is painted. */
function listenForPage(revisionId: string): { readonly drawn: Promise<number> } {
  const inked = (canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const dots = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
    const pixels = new Uint32Array(dots?.buffer ?? new ArrayBuffer(0));
    // Bytes of a pixel in their order in memory: red, green, blue, opacity.
    const isInk = (pixel: number) =>
      pixel >>> 24 > 128 && (pixel & 255) + ((pixel >> 8) & 255) + ((pixel >> 16) & 255) < 384;
    return pixels.some(isInk);
  };
  const drawn = new Promise<number>((done) => {
    const onPress = ({ timeStamp }: Event) => {
      removeEventListener('pointerdown', onPress, { capture: true });
      const look = () => {
        const form = document.querySelector(`[aria-label="Form of revision ${revisionId}"]`);
        // The pages of the file before it are 1 or few, those of this one 500.
        const long = document.querySelector('[aria-label="Document"]')?.textContent.includes('500');
        const canvas = document.querySelector('[aria-label="Page 1"] canvas[data-drawn]');
        const there = canvas instanceof HTMLCanvasElement && form !== null && long === true;
        if (!there || !inked(canvas)) requestAnimationFrame(look);
        // The frame after the one that draws it.
        else requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp)));
      };
      look();
    };
    addEventListener('pointerdown', onPress, { capture: true });
  });
  return { drawn };
}
