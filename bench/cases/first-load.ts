import { title } from '#messages/records.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { INVOICES, SUPPLIERS } from '#tests/support/sample.ts';
import { startService } from '#tests/support/service-process.ts';
import { launch, openAs } from '../browser.ts';
import { roundedPartBelow } from '../figures.ts';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import type { BenchResult } from '../result.ts';
import { PASSWORD } from '#tests/support/password.ts';

const TIMES = Number(process.env['INDEXDESK_BENCH_TIMES'] ?? 5);
/** Answers that come when a screen can be used already are part of its bytes; so long after, in milliseconds. */
const SETTLED = 2_500;

interface Screen {
  readonly path: string;
  /** what a clerk first does there can be done once this is visible */
  readonly usable: string;
}

/**
 * Each screen with the sample content, opened in a browser that has never been there and once more in one that has:
 * bytes over the wire, time until it can be used, long tasks; beside it a bare document of the same service.
 */
export async function run(): Promise<BenchResult> {
  await buildWebAdmin();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-bench-'));
  const service = await startService({
    dataDir: join(folder, 'data'),
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
  });
  const browser = await launch();
  try {
    const archive = `/archives/${INVOICES}`;
    const first = await openAs(browser, service.url + archive);
    await first.locator('[role=grid] [data-row="0"]').waitFor();
    const signedIn = await first.context().storageState();
    const queue = await makeQueue(first, archive);
    const jrid = await first.evaluate(firstRecord, SUPPLIERS.guid);
    await first.context().close();

    const table = `/tables/${SUPPLIERS.guid}`;
    const screens: Record<string, Screen> = {
      'sign-in': { path: '/sign-in', usable: 'input[name=username]' },
      overview: { path: '/', usable: `main a[href^="${archive}"]` },
      archive: { path: archive, usable: '[role=grid] [data-row="0"]' },
      form: {
        path: `${archive}?selected=10001`,
        usable: '[aria-label^="Form of revision"] [data-field]',
      },
      queue: { path: queue, usable: '[aria-label^="Form of revision"] [data-field]' },
      grid: { path: table, usable: '[data-row="0"] [data-col="1"]:not([aria-busy])' },
      record: {
        path: `${table}?selected=${jrid}`,
        usable: `section[aria-label="${title(jrid)}"] input`,
      },
    };
    const figures: Record<string, number> = {};
    for (const [name, screen] of Object.entries(screens)) {
      const state = name === 'sign-in' ? undefined : signedIn;
      // One after the other: each is to have the machine.
      Object.assign(figures, await measure(browser, name, service.url, screen, state));
    }
    return { name: 'first-load', figures };
  } finally {
    await browser.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeQueue(page: Page, archive: string): Promise<string> {
  await page.getByRole('button', { name: /^Correct these [\d,]+/ }).click();
  await page.waitForURL(/\/queue\//);
  await page.locator('[aria-label^="Form of revision"] [data-field]').first().waitFor();
  return archive + new URL(page.url()).pathname.slice(archive.length);
}

/** Runs in the page. */
async function firstRecord(guid: string): Promise<string> {
  const answer = await fetch(
    `/api/rest/v2/application/dataapp/tables/${guid}/datasets?limit=1&offset=0`,
  );
  const { datasets } = await answer.json();
  return datasets[0].jrid;
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

async function measure(
  browser: Browser,
  name: string,
  url: string,
  { path, usable }: Screen,
  state: State | undefined,
): Promise<Record<string, number>> {
  const bare: number[] = [];
  const never: number[] = [];
  const again: number[] = [];
  let counted = { bytes: 0, requests: 0, ahead: 0 };
  const longTasks: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      ...(state ? { storageState: state } : {}),
      // The figures to reach are of gzip; browsers ask for brotli, which is smaller, over https and on localhost.
      extraHTTPHeaders: { 'Accept-Encoding': 'gzip' },
    });
    const page = await context.newPage();
    await page.addInitScript(countLongTasks);
    const wire = await countBytes(page);
    bare.push(await timeUntil(page, `${url}/favicon.svg`, 'svg'));
    await page.goto('about:blank');
    wire.reset();
    never.push(await timeUntil(page, url + path, usable));
    wire.usable();
    await page.waitForTimeout(SETTLED);
    longTasks.push(await page.evaluate(() => Reflect.get(window, 'longTasks')?.length ?? 0));
    counted = wire.counted();
    await page.goto('about:blank');
    again.push(await timeUntil(page, url + path, usable));
    await context.close();
  }
  return {
    [`${name}: in all (KB gzip)`]: kilobytes(counted.bytes),
    [`${name}: requests`]: counted.requests,
    [`${name}: scripts and styles in advance (KB gzip)`]: kilobytes(counted.ahead),
    [`${name}: usable, never been there p50 (ms)`]: roundedPartBelow(never, 0.5),
    [`${name}: usable, been there p50 (ms)`]: roundedPartBelow(again, 0.5),
    [`${name}: floor, a bare document p50 (ms)`]: roundedPartBelow(bare, 0.5),
    [`${name}: tasks over 50 ms p50`]: roundedPartBelow(longTasks, 0.5),
  };
}

/** Milliseconds from asking for an address until something of it is painted. */
async function timeUntil(page: Page, url: string, selector: string): Promise<number> {
  const before = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  // A locator looks every 500 ms after its first looks; a frame of the page is not missed.
  await page.waitForFunction((wanted) => document.querySelector(wanted) !== null, selector, {
    polling: 'raf',
  });
  return performance.now() - before;
}

const kilobytes = (bytes: number) => Math.round(bytes / 102.4) / 10;

/**
 * Bytes of a screen are those of all that was asked for until it could be used, and of answers after that; scripts and
 * styles that are asked for after that come in advance, for what nobody has opened yet.
 */
async function countBytes(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  let usable = false;
  let now = { bytes: 0, requests: 0, ahead: 0 };
  const inAdvance = new Set<string>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (usable && /\.(?:m?js|css)$/.test(new URL(request.url).pathname)) inAdvance.add(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (inAdvance.has(requestId)) now.ahead += encodedDataLength;
    else {
      now.bytes += encodedDataLength;
      now.requests++;
    }
  });
  return {
    reset() {
      usable = false;
      now = { bytes: 0, requests: 0, ahead: 0 };
    },
    usable() {
      usable = true;
    },
    counted: () => ({ ...now }),
  };
}

/** Runs in the page, before anything else. */
function countLongTasks(): void {
  const tasks: number[] = [];
  Reflect.set(window, 'longTasks', tasks);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}
