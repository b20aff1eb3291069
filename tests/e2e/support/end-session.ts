import type { Page } from '@playwright/test';

/**
 * Ends the page's session at the service before the next call of the method is sent. The browser keeps its cookie, so
 * the call is the first to learn of the end.
 * @param sessions the address of the calls about sessions
 */
export async function endSessionBefore(
  page: Page,
  method: string,
  sessions: string,
): Promise<void> {
  const context = page.context();
  let hasEnded = false;
  await page.route('**/api/**', async (route) => {
    if (!hasEnded && route.request().method() === method) {
      hasEnded = true;
      const cookies = await context.cookies();
      const ended = await context.request.delete(sessions);
      if (ended.status() !== 204) throw new Error(await ended.text());
      await context.addCookies(cookies);
    }
    await route.continue();
  });
}
