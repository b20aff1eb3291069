import type { Page } from '@playwright/test';
import { pseudo } from '../../../scripts/catalogue-language.ts';

/** A text of the catalogue as the pseudo-language shows it. */
export const inPseudo = (text: string) => `⟦${pseudo(text)}⟧`;

/** Data that is shown, by which texts of no catalogue are told from it. */
export interface ShownData {
  /** what the service has answered so far */
  readonly received: () => Promise<string>;
  /** what the test has typed, and the names of its files */
  readonly typed: readonly string[];
}

/** What the service answers from now on: the data of archives and tables, which is in no catalogue. */
export function receivedTexts(page: Page): () => Promise<string> {
  const bodies: Promise<string>[] = [];
  // The stream of events never ends, and is no data.
  page.on('requestfinished', (request) => {
    if (!request.url().includes('/api/')) return;
    bodies.push(
      request
        .response()
        .then((response) => response?.text() ?? '')
        .catch(() => ''),
    );
  });
  return async () => (await Promise.all(bodies)).join('\n');
}

/** Visible texts, and names of controls, that are neither of the catalogue nor data. */
export async function textsOutside(page: Page, data: ShownData): Promise<string[]> {
  const shown = await page.evaluate(() => {
    const found: string[] = [];
    // Keys, requests and file names are the same in every language.
    const isForAll = (element: Element | null) =>
      element === null || element.closest('kbd, pre, code, script, style, noscript') !== null;
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) && !isForAll(element);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement && isSeen(node.parentElement)) found.push(node.textContent ?? '');
    }
    for (const attribute of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
      for (const element of document.body.querySelectorAll(`[${attribute}]`)) {
        if (isSeen(element)) found.push(element.getAttribute(attribute) ?? '');
      }
    }
    return found;
  });
  const received = await data.received();
  const isData = (text: string) =>
    received.includes(JSON.stringify(text).slice(1, -1)) ||
    data.typed.some((typed) => typed.includes(text)) ||
    DATES.test(text) ||
    KEYS.test(text);
  const outside = shown
    .map((text) => text.trim())
    .filter((text) => !PSEUDO.test(text) && WORD.test(text) && !isData(text))
    // Several values in one text.
    .filter((text) =>
      text.split(/ · |, |: |…|\n/).some((part) => WORD.test(part) && !isData(part.trim())),
    );
  return [...new Set(outside)];
}

const WORD = /\p{L}{2}/u;
/** What only texts of the catalogue have in this language: brackets, and vowels with accents twice. */
const PSEUDO = /[⟦⟧]|åå|éé|îî|öö|ûû/u;
/** `14/11/2025 11:16 UTC`, `Feb 28, 2026, 3:15 PM` and their parts: the browser writes them. */
const DATES =
  /^\d{1,2}\/\d{1,2}\/\d{4} \d{1,2}:\d\d UTC$|^(?:\p{L}{3,9},? )?(?:\p{L}{3,9} \d{1,2}|\d{4})(?:, \d{4})?(?:,? (?:at )?\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?)?$|^[AP]M$|^\d{1,2}:\d\d [AP]M$/u;
const KEYS = /^(?:(?:Ctrl|Alt|Shift|Enter|Esc|F\d+|Page|Home|End|Space|Tab)[+ ]?)+\S?$/;

/** Texts of the catalogue that are cut off, or beyond the edge of the window. */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const scrolls = (element: Element, by: 'overflowX' | 'overflowY') =>
      ['auto', 'scroll'].includes(getComputedStyle(element)[by]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      const parent = node.parentElement;
      if (!/[⟦⟧]/.test(text) || !parent?.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      // For screen readers alone.
      if (box.width <= 2 || box.height <= 2 || parent.closest('option, pre')) continue;
      let isHidden = false;
      for (let at: Element | null = parent; at && at !== document.body; at = at.parentElement) {
        const style = getComputedStyle(at);
        const outer = at.getBoundingClientRect();
        if (outer.width <= 1 || outer.height <= 1 || style.clipPath !== 'none') {
          isHidden = true;
          break;
        }
        // What scrolls shows the rest.
        if (scrolls(at, 'overflowX') || scrolls(at, 'overflowY')) break;
        const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible';
        if (clips && (box.right > outer.right + 1 || box.left < outer.left - 1)) {
          found.add(`cut off: ${text}`);
        }
        if (at.parentElement === document.body || style.position === 'fixed') {
          if (box.right > innerWidth + 1 || box.left < -1) found.add(`beyond the edge: ${text}`);
          break;
        }
      }
      if (isHidden) continue;
    }
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth + 1) found.add(`the page is ${scrollWidth} wide`);
    return [...found];
  });
}
