import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { IS_LONG_RUN } from '#tests/support/effort.ts';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** What can be otherwise in dark than in light. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Minified: `axe.source` is twice as long, and reading it takes half as long again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rows of a list: looking at each cell takes long. */
export const ROWS = '[role="grid"]';

/** Light and dark take their colours from the same variables, so that a short run can do with a sample. */
const SCHEMES = IS_LONG_RUN ? (['light', 'dark'] as const) : (['light'] as const);

/**
 * No rule of axe may find anything, and the document may not scroll.
 * @param part selectors of the part of the page that is looked at, and of what in it is not; `schemes` where a short run
 *   looks at both
 */
export async function expectNoViolations(
  page: Page,
  part: {
    readonly within?: string;
    readonly except?: string;
    readonly schemes?: readonly ('light' | 'dark')[];
  } = {},
): Promise<void> {
  const context = {
    include: [part.within ?? 'html'],
    exclude: part.except === undefined ? [] : [part.except],
  };
  for (const colorScheme of part.schemes ?? SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await untilColoursStand(page);
    await bringAxe(page);
    const options: RunOptions = {
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' ? { runOnly: { type: 'rule', values: COLOUR_RULES } } : {}),
    };
    const found = await page.evaluate(
      async ([ofPage, how]) => {
        const { violations } = await window.axe.run(ofPage, how);
        return violations.flatMap(({ id, nodes }) =>
          nodes.map(
            ({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`,
          ),
        );
      },
      [context, options] as const,
    );
    expect(found, `axe, ${colorScheme}`).toEqual([]);
  }
  expect(await overflow(page), 'pixels by which the document is longer than the window').toBe(0);
}

/** Only parts of a page scroll: what lies outside of them, even unseen, would move the bars out of view. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollHeight - innerHeight));
}

/** Once per document: reading it takes as long as an analysis of a page. */
async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    // A frame that shows no document of ours cannot be looked into.
    const isThere = await frame.evaluate(() => 'axe' in window).catch(() => true);
    if (!isThere) await frame.evaluate(AXE);
  }
}
/** Colours are judged as they are at the end of every transition. */
async function untilColoursStand(page: Page): Promise<void> {
  const moving = () =>
    page.evaluate(async () => {
      for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document
        .getAnimations()
        .some(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
        );
    });
  await expect.poll(moving).toBe(false);
}
