import { expect, type Page } from '@playwright/test';

/** The next key reaches the page: the focus has not fallen to its body. */
export async function expectFocusInPage(page: Page): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.tagName ?? 'none');
  await expect.poll(focused).not.toMatch(/^(?:BODY|HTML|none)$/);
}
