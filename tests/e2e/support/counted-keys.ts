import type { Page } from '@playwright/test';

/** The keyboard, counting: a combination such as Control+Enter is one. */
export function countedKeys(page: Page) {
  let count = 0;
  return {
    count: () => count,
    async press(key: string, times = 1): Promise<void> {
      for (let i = 0; i < times; i++) {
        count++;
        await page.keyboard.press(key);
      }
    },
    async type(text: string): Promise<void> {
      count += text.length;
      await page.keyboard.type(text);
    },
  };
}
