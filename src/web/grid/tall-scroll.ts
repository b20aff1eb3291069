import { createStore } from '#web/api/create-store.ts';

/**
 * No element is made taller than this: browsers end elements somewhere between 17 and 33 million pixels, which
 * is half a million to a million rows.
 */
const TALLEST = 12_000_000;

/** Scrolling that is further than this many windows in one go is a leap: of the scroll bar's thumb. */
const LEAP = 2;

/** Milliseconds after which scrolling has ended. */
const SETTLED = 150;

interface Heights {
  /** all of what is scrolled, in pixels, as if an element could be that tall */
  readonly content: number;
  /** of the window on it */
  readonly window: number;
}

/**
 * Scrolls over content that is taller than an element can be. The element's own way is shorter: a leap on it is a
 * leap in proportion, a small step is that step, and where the two have come apart they are brought together
 * again once scrolling has ended. Content that fits is scrolled as ever.
 */
export function createTallScroll(element: () => HTMLElement | null) {
  let heights: Heights = { content: 0, window: 0 };
  let at = 0;
  let elementAt = 0;
  /** what is to be added to a place in the element to have the place in the content */
  const shift = createStore(0);
  const listeners = new Set<(at: number, scrolling: boolean) => void>();

  const ends = () => {
    const { content, window } = heights;
    return {
      content: Math.max(0, content - window),
      element: Math.max(0, Math.min(content, TALLEST) - window),
    };
  };
  const tell = (scrolling: boolean) => {
    shift.set(at - elementAt);
    for (const listener of listeners) listener(at, scrolling);
  };

  const onScroll = (scroller: HTMLElement) => {
    const top = scroller.scrollTop;
    const step = top - elementAt;
    elementAt = top;
    const end = ends();
    if (end.content === end.element) at = top;
    else if (top <= 0) at = 0;
    else if (top >= end.element - 1) at = end.content;
    else if (Math.abs(step) <= LEAP * heights.window) at = clamp(at + step, end.content);
    else at = (top / end.element) * end.content;
    tell(true);
  };

  /** Puts the element where it belongs for the place in the content. */
  const align = () => {
    const scroller = element();
    const end = ends();
    if (!scroller || end.content === 0) return;
    const wanted = end.content === end.element ? at : (at / end.content) * end.element;
    if (Math.abs(wanted - scroller.scrollTop) > 1) scroller.scrollTop = wanted;
    elementAt = scroller.scrollTop;
  };

  return {
    shift,
    /** The height to give to the rows, header not counted, for what they would need. */
    elementHeight: (rows: number, header: number) => Math.min(rows + header, TALLEST) - header,
    measure(next: Heights): void {
      if (next.content === heights.content && next.window === heights.window) return;
      heights = next;
      at = clamp(at, ends().content);
    },
    at: () => at,
    /** Goes to a place in the content. */
    scrollTo(to: number): void {
      at = clamp(to, ends().content);
      align();
      // Where the element cannot go that far, because rows are still to come, neither can the content.
      if (ends().content === ends().element) at = elementAt;
      tell(false);
    },
    /** Follows an element; the listener is told where the content stands. */
    observe(scroller: HTMLElement, listener: (at: number, scrolling: boolean) => void): () => void {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const onEvent = () => {
        onScroll(scroller);
        clearTimeout(timer);
        timer = setTimeout(() => {
          align();
          tell(false);
        }, SETTLED);
      };
      listeners.add(listener);
      elementAt = scroller.scrollTop;
      if (ends().content === ends().element) at = elementAt;
      listener(at, false);
      scroller.addEventListener('scroll', onEvent, { passive: true });
      return () => {
        clearTimeout(timer);
        listeners.delete(listener);
        scroller.removeEventListener('scroll', onEvent);
      };
    },
  };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
