import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { findChromium, launchOptions } from '#tests/support/chromium.ts';
import { PASSWORD } from '#tests/support/password.ts';

export function launch(): Promise<Browser> {
  return chromium.launch(launchOptions(findChromium()));
}

/** Opens an address as the administrator of a service that was started with `PASSWORD`. */
export async function openAs(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  return page;
}

/** Megabytes that the page's scripts hold after garbage was collected. */
export async function heapOf(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 100_000) / 10;
}
