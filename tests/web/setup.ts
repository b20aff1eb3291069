import '#shared/values/pattern-engine.ts';
import 'fake-indexeddb/auto';
import { afterAll, afterEach, vi } from 'vitest';
import { IS_LONG_RUN, WAIT_LIMIT } from '#tests/support/effort.ts';
import { setLocaleSource } from '#shared/messages/format.ts';

// Tests without a page do not wait for what shows one.
if (typeof window !== 'undefined') {
  const { cleanup, configure, getConfig } = await import('@testing-library/react');
  afterEach(cleanup);
  // The files of a worker share their modules: code that is still loading when the page of a file is gone could be loaded
  // by none of the next files.
  afterAll(() => vi.dynamicImportSettled());
  // While a condition is awaited, each look that comes too early would print the whole page into its error.
  const { getElementError } = getConfig();
  configure({
    getElementError: (message, container) =>
      Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
        ? new Error(message ?? '')
        : getElementError(message, container),
  });
  // The real service answers, on a machine that may be busy, and the first page of a file loads all its parts.
  configure({ asyncUtilTimeout: WAIT_LIMIT });
  // Renders everything twice to find what is not pure, which takes a sixth of the time of these tests.
  configure({ reactStrictMode: IS_LONG_RUN });
  await forgetOwnerStacks();
}

/**
 * React's development build notes for every element where it was made, for the words of its warnings: at
 * most 10,000 a second, here none. They take a fifth of the time of these tests.
 */
async function forgetOwnerStacks(): Promise<void> {
  const internals: unknown = Reflect.get(
    await import('react'),
    '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
  );
  if (typeof internals !== 'object' || internals === null) return;
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => Infinity,
    set() {},
  });
}

// jsdom brings an ArrayBuffer of its own, which no Buffer has. The service, which runs in the same process here, sends
// bytes as they are only where they have one.
const { buffer } = Buffer.alloc(1);
Reflect.set(globalThis, 'ArrayBuffer', buffer.constructor);

// Canada's English writes days as the interface does, so that tests have one form of them; those that are
// about other customs say so.
if (typeof navigator !== 'undefined') {
  Object.defineProperty(navigator, 'language', { value: 'en-CA', configurable: true });
}
setLocaleSource(() => navigator.language);

// What jsdom lacks and the components of the web admin measure or ask for.
if (typeof window !== 'undefined') {
  window.matchMedia ??= (query) => {
    const list = new EventTarget();
    return Object.assign(list, {
      matches: false,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
  };
  globalThis.ResizeObserver ??= class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  };
  for (const name of ['scrollIntoView', 'setPointerCapture', 'releasePointerCapture']) {
    if (!(name in Element.prototype)) Object.assign(Element.prototype, { [name]: () => undefined });
  }
  giveSizes();
  letScroll();
  simplifyStyles();
}

/**
 * jsdom matches every rule of every style sheet for each question about one element's style, a sixth of the time of these
 * tests. What they and the libraries ask about is whether an element is displayed, which is decided by attributes here.
 */
function simplifyStyles(): void {
  const displayed = (display: string) => {
    const { style } = document.createElement('div');
    style.display = display;
    return style;
  };
  const [block, inline, none] = [displayed('block'), displayed('inline'), displayed('none')];
  const neverShown = new Set(['HEAD', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE', 'META', 'LINK']);
  const inLines = new Set([
    'A',
    'ABBR',
    'B',
    'CODE',
    'EM',
    'I',
    'KBD',
    'LABEL',
    'SMALL',
    'SPAN',
    'STRONG',
    'svg',
  ]);
  const isHidden = (element: Element) =>
    element.hasAttribute('hidden') ||
    neverShown.has(element.tagName) ||
    (element.tagName === 'DIALOG' && !element.hasAttribute('open'));
  window.getComputedStyle = (element, pseudo) => {
    if (pseudo) return block;
    if (isHidden(element)) return none;
    if (element instanceof HTMLElement && element.hasAttribute('style')) return element.style;
    return inLines.has(element.tagName) ? inline : block;
  };
}

/**
 * jsdom lays nothing out, so every element would be 0 × 0 and virtual lists would show no rows. Here
 * an element has the size its style says, a virtual row is as high as a row, all else fills a window. The window is low:
 * with one of 768 pixels these tests take a sixth longer, and no test needs the further rows.
 */
function giveSizes(): void {
  const styled = (element: HTMLElement, property: 'width' | 'height') => {
    const pixels = /^([0-9.]+)px$/.exec(element.style[property])?.[1];
    return pixels === undefined ? undefined : Number(pixels);
  };
  const height = {
    configurable: true,
    get(this: HTMLElement) {
      return styled(this, 'height') ?? (this.hasAttribute('data-index') ? 31 : 310);
    },
  };
  const width = {
    configurable: true,
    get(this: HTMLElement) {
      return styled(this, 'width') ?? 1024;
    },
  };
  Object.defineProperties(HTMLElement.prototype, {
    offsetHeight: height,
    clientHeight: height,
    offsetWidth: width,
    clientWidth: width,
  });
  // An element without extent counts as out of sight, and what belongs to it (a dropdown) is hidden.
  HTMLElement.prototype.getBoundingClientRect = function rect() {
    return new DOMRect(0, 0, this.offsetWidth, this.offsetHeight);
  };
}

function letScroll(): void {
  function scrollTo(this: Element, to: ScrollToOptions | number = {}, top?: number): void {
    const options = typeof to === 'number' ? { left: to, top } : to;
    this.scrollTop = options.top ?? this.scrollTop;
    this.scrollLeft = options.left ?? this.scrollLeft;
    this.dispatchEvent(new Event('scroll'));
  }
  function scrollBy(this: Element, { left = 0, top = 0 }: ScrollToOptions): void {
    this.scrollTo({ left: this.scrollLeft + left, top: this.scrollTop + top });
  }
  Object.assign(Element.prototype, { scrollTo, scrollBy });
  window.scrollTo = () => undefined;
}
