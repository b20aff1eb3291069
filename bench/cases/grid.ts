import type { Page } from '@playwright/test';
import { startService } from '#tests/support/service-process.ts';
import { heapOf, launch, openAs } from '../browser.ts';
import { roundedPartBelow } from '../figures.ts';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import { millionRecords, RECORDS, TABLE } from '../million-records.ts';
import type { BenchResult } from '../result.ts';
import { PASSWORD } from '#tests/support/password.ts';

const JUMPS = Number(process.env['INDEXDESK_BENCH_STEPS'] ?? 60);
const STROKES = 2 * JUMPS;
const OPENINGS = 9;
const SCROLLED_MS = 8_000;
const USED_MINUTES = Number(process.env['INDEXDESK_BENCH_MINUTES'] ?? 10);

/**
 * The grid on a table of 1,000,000 records of 20 columns on SQLite, in Chromium: until it can be used, until a jump
 * shows its rows, frames while scrolling, until a key stroke is painted, and memory after random use.
 */
export async function run(): Promise<BenchResult> {
  await buildWebAdmin();
  const service = await startService({
    dataDir: await millionRecords(),
    environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
  });
  const browser = await launch();
  try {
    const url = `${service.url}/tables/${TABLE}`;
    const page = await openAs(browser, url);
    await cellAt(page, 0).waitFor();
    const figures = {
      ...(await opening(page, url)),
      ...(await jumping(page)),
      ...(await scrolling(page)),
      ...(await typing(page)),
      ...(await using(page)),
    };
    return { name: 'grid', figures };
  } finally {
    await browser.close();
    await service.stop();
  }
}

const cellAt = (page: Page, row: number) => page.locator(`[data-row="${row}"] [data-col="1"]`);

/**
 * From the navigation until a press into the first cell, made as soon as that is painted with its value, is painted:
 * the cell holds the keyboard. By the page's own clock, as the driver of the browser looks only ten times a second.
 */
async function opening(page: Page, url: string) {
  const shown: number[] = [];
  const times: number[] = [];
  await page.addInitScript(watchOpening);
  for (let i = 0; i < OPENINGS; i++) {
    await page.goto('about:blank');
    await page.goto(url, { waitUntil: 'commit' });
    const { at, x, y } = await page.evaluate(() => Reflect.get(window, 'firstCell'));
    await page.mouse.click(x, y);
    shown.push(at);
    times.push(await page.evaluate(() => Reflect.get(window, 'cellFocused')));
  }
  return {
    'first rows painted p50 (ms)': roundedPartBelow(shown, 0.5),
    'usable p50 (ms)': roundedPartBelow(times, 0.5),
    'usable max (ms)': roundedPartBelow(times, 1),
  };
}

/** Runs in the page, from its beginning: when the first cell is painted with its value, and when it has the focus. */
function watchOpening(): void {
  const painted = <T>(find: () => T | null) =>
    new Promise<{ readonly found: T; readonly at: number }>((done) => {
      const look = () => {
        const found = find();
        if (found === null) requestAnimationFrame(look);
        // The frame after the one that draws it.
        else requestAnimationFrame(() => setTimeout(() => done({ found, at: performance.now() })));
      };
      look();
    });
  const cell = () => {
    const first = document.querySelector('[data-row="0"] [data-col="1"]:not([aria-busy])');
    return first?.textContent ? first : null;
  };
  Reflect.set(
    window,
    'firstCell',
    painted(cell).then(({ found, at }) => {
      const { x, y } = found.getBoundingClientRect();
      return { at, x: x + 5, y: y + 5 };
    }),
  );
  const focused = () => (cell()?.matches('[data-focused]:focus') ? cell() : null);
  Reflect.set(
    window,
    'cellFocused',
    painted(focused).then(({ at }) => at),
  );
}

/** A number that is the same in each run. */
function* scattered(): Generator<number> {
  for (let i = 1; ; i++) yield ((i * 2654435761) % 4294967296) / 4294967296;
}

async function jumping(page: Page) {
  const times: number[] = [];
  const numbers = scattered();
  for (let i = 0; i < JUMPS; i++) {
    const row = Math.floor((numbers.next().value ?? 0) * RECORDS);
    await page.keyboard.press('Control+g');
    await page.keyboard.type(String(row + 1));
    const listening = await page.evaluateHandle(listenForRow, row);
    await page.keyboard.press('Enter');
    times.push(await listening.evaluate(({ painted }) => painted));
    await listening.dispose();
  }
  return {
    'jump p50 (ms)': roundedPartBelow(times, 0.5),
    'jump p95 (ms)': roundedPartBelow(times, 0.95),
  };
}

/** Runs in the page: milliseconds from the Enter key until the cells of a row are painted with their values. */
function listenForRow(row: number): { readonly painted: Promise<number> } {
  const painted = new Promise<number>((done) => {
    const onKey = (event: KeyboardEvent) => {
      removeEventListener('keydown', onKey, { capture: true });
      const look = () => {
        const cell = document.querySelector(`[data-row="${row}"] [data-col="1"]:not([aria-busy])`);
        if (!cell?.textContent) requestAnimationFrame(look);
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

async function scrolling(page: Page) {
  const frames = await page.evaluate(async (lasting) => {
    const grid = document.querySelector('[role=grid]');
    const times: number[] = [];
    await new Promise<void>((done) => {
      let last = performance.now();
      const end = last + lasting;
      const step = (now: number) => {
        times.push(now - last);
        last = now;
        grid?.scrollBy(0, 90);
        if (now < end) requestAnimationFrame(step);
        else done();
      };
      requestAnimationFrame(step);
    });
    return times.slice(2);
  }, SCROLLED_MS);
  const whole = frames.reduce((sum, time) => sum + time, 0);
  return {
    'scrolling frames per second': Math.round((frames.length / whole) * 1000),
    'scrolling frame p50 (ms)': roundedPartBelow(frames, 0.5),
    'scrolling frame p95 (ms)': roundedPartBelow(frames, 0.95),
  };
}

async function typing(page: Page) {
  await page.keyboard.press('Control+g');
  await page.keyboard.type('500000');
  await page.keyboard.press('Enter');
  await page.locator('[data-row="499999"] [data-col="1"]:not([aria-busy])').waitFor();
  await page.locator('[data-row="499999"] [data-col="2"]').click();
  const times: number[] = [];
  for (let i = 0; i < STROKES; i++) {
    const listening = await page.evaluateHandle(() => ({
      painted: new Promise<number>((done) => {
        const onKey = (event: KeyboardEvent) =>
          requestAnimationFrame(() => setTimeout(() => done(performance.now() - event.timeStamp)));
        addEventListener('keydown', onKey, { capture: true, once: true });
      }),
    }));
    await page.keyboard.press('abcdefghij'[i % 10] ?? 'a');
    times.push(await listening.evaluate(({ painted }) => painted));
    await listening.dispose();
  }
  await page.keyboard.press('Escape');
  return {
    'key to paint p50 (ms)': roundedPartBelow(times, 0.5),
    'key to paint p95 (ms)': roundedPartBelow(times, 0.95),
  };
}

async function using(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  const before = await heapOf(devtools);
  const numbers = scattered();
  const next = () => numbers.next().value ?? 0;
  const end = performance.now() + USED_MINUTES * 60_000;
  let acts = 0;
  while (performance.now() < end) {
    const act = next();
    if (act < 0.3) {
      await page.keyboard.press('Control+g');
      await page.keyboard.type(String(1 + Math.floor(next() * RECORDS)));
      await page.keyboard.press('Enter');
    } else if (act < 0.7) {
      await page.keyboard.press(act < 0.5 ? 'PageDown' : 'PageUp');
    } else if (act < 0.8) {
      await page.keyboard.press('Control+ArrowRight');
      await page.keyboard.press('Control+ArrowLeft');
    } else if (act < 0.9) {
      await page.keyboard.press('Shift+PageDown');
      await page.keyboard.press('Control+c');
    } else {
      await page.keyboard.type('x');
      await page.keyboard.press('Escape');
    }
    acts++;
  }
  return {
    'heap at first (MB)': before,
    [`heap after ${USED_MINUTES} minutes (MB)`]: await heapOf(devtools),
    'acts in that time': acts,
  };
}
