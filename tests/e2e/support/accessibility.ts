import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What can be otherwise in dark than in light. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The rows of a list: looking at each cell takes long. */
export const ROWS = '[role="grid"]';

/**
 * No rule of axe may find anything, neither in light nor in dark.
 * @param part selectors of the part of the page that is looked at, and of what in it is not
 */
export async function expectNoViolations(
  page: Page,
  part: { readonly within?: string; readonly except?: string } = {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await untilColoursStand(page);
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
    // Our pages hold none of other servers; looking into such, axe would open a page of its own each time.
    axe.setLegacyMode();
    if (part.within !== undefined) axe.include(part.within);
    if (part.except !== undefined) axe.exclude(part.except);
    if (colorScheme === 'dark') axe.withRules(COLOUR_RULES);
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
    expect(found, `axe, ${colorScheme}`).toEqual([]);
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
