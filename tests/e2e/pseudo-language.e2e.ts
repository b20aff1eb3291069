import type { Page } from '@playwright/test';
import { buildWebAdmin } from '../../scripts/web-build.ts';
import { ownService } from './support/own-service.ts';
import { expect, test } from './support/test.ts';

test.beforeAll(async () => {
  test.setTimeout(120_000);
  await buildWebAdmin(undefined, 'pseudo');
});
const service = ownService({ environment: { INDEXDESK_LANGUAGE: 'pseudo' } });

/** The screens whose texts are in the catalogue. The list only becomes longer. */
const SCREENS = [{ name: 'the start page', path: '/' }] as const;

for (const width of [1440, 400]) {
  for (const { name, path } of SCREENS) {
    test(`${name} has all its texts from the catalogue, and shows them whole, at ${width} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 900 });
      const received = receivedTexts(page);
      await service.open(page, path);
      await expect(page.getByRole('main').getByText('⟦').first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      expect(await textsOutside(page, await received())).toEqual([]);
      expect(await cutOff(page)).toEqual([]);
    });
  }
}

/** What the service answered until it is called: data of archives and tables, which is in no catalogue. */
function receivedTexts(page: Page): () => Promise<string> {
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/')) bodies.push(response.text().catch(() => ''));
  });
  return async () => (await Promise.all(bodies)).join('\n');
}

/** Visible texts, and names of controls, that are neither of the catalogue nor data. */
async function textsOutside(page: Page, data: string): Promise<string[]> {
  const shown = await page.locator('main').evaluate((main) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.checkVisibility()) found.push(node.textContent ?? '');
    }
    for (const attribute of ['aria-label', 'title', 'placeholder']) {
      for (const element of main.querySelectorAll(`[${attribute}]`)) {
        if (element.checkVisibility()) found.push(element.getAttribute(attribute) ?? '');
      }
    }
    return found;
  });
  return shown
    .map((text) => text.trim())
    .filter((text) => !PSEUDO.test(text) && /\p{L}{2}/u.test(text))
    .filter((text) => !data.includes(JSON.stringify(text).slice(1, -1)));
}

/** What only texts of the catalogue have in this language: brackets, and vowels with accents twice. */
const PSEUDO = /[⟦⟧]|åå|éé|îî|öö|ûû/u;

/** Buttons, labels and headings whose text is wider than they are. */
async function cutOff(page: Page): Promise<string[]> {
  return page
    .locator('main :is(button, label, h1, h2, h3)')
    .evaluateAll((elements) =>
      elements.flatMap((element) =>
        element.checkVisibility() && element.scrollWidth > element.clientWidth + 1
          ? [element.textContent ?? '']
          : [],
      ),
    );
}
