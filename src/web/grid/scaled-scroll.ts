import { createStore } from '#web/api/create-store.ts';

/**
 * Maximum height of an element: browsers limit elements to somewhere between 17 and 33 million pixels, which is half a
 * million to a million rows.
 */
const MAX_ELEMENT_HEIGHT = 12_000_000;

/** Scrolling by more than this many windows at once is a jump, with the thumb of the scroll bar. */
const MAX_STEP_WINDOWS = 2;

/** Milliseconds after which scrolling has ended. */
const SCROLL_END_DELAY = 150;

interface Heights {
  /** the total height of the content in pixels, as if an element could be that tall */
  readonly content: number;
  /** the height of the visible window */
  readonly window: number;
}

/**
 * Scrolls content that is taller than an element can be. The element's scroll range is shorter: a jump is scaled in
 * proportion, a small step is not, and once scrolling has ended both positions are synchronised again. Content that
 * fits is scrolled normally.
 */
export function createScaledScroll(element: () => HTMLElement | null) {
  let heights: Heights = { content: 0, window: 0 };
  let at = 0;
  let elementAt = 0;
  /** the difference between the position in the content and the position in the element */
  const shift = createStore(0);
  const listeners = new Set<(at: number, scrolling: boolean) => void>();

  const ends = () => {
    const { content, window } = heights;
    return {
      content: Math.max(0, content - window),
      element: Math.max(0, Math.min(content, MAX_ELEMENT_HEIGHT) - window),
    };
  };
  const notifyListeners = (scrolling: boolean) => {
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
    else if (Math.abs(step) <= MAX_STEP_WINDOWS * heights.window)
      at = clamp(at + step, end.content);
    else at = (top / end.element) * end.content;
    notifyListeners(true);
  };

  /** Moves the element to the position that matches the content's. */
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
    /** The height of the element that contains the rows, without the header, for the height that they would need. */
    elementHeight: (rows: number, header: number) =>
      Math.min(rows + header, MAX_ELEMENT_HEIGHT) - header,
    measure(next: Heights): void {
      if (next.content === heights.content && next.window === heights.window) return;
      heights = next;
      at = clamp(at, ends().content);
    },
    at: () => at,
    /** Scrolls to a position in the content. */
    scrollTo(to: number): void {
      at = clamp(to, ends().content);
      align();
      // If the element cannot scroll that far, because rows are not rendered yet, the content cannot either.
      if (ends().content === ends().element) at = elementAt;
      notifyListeners(false);
    },
    /** Observes an element; the listener receives the position in the content. */
    observe(scroller: HTMLElement, listener: (at: number, scrolling: boolean) => void): () => void {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const onEvent = () => {
        onScroll(scroller);
        clearTimeout(timer);
        timer = setTimeout(() => {
          align();
          notifyListeners(false);
        }, SCROLL_END_DELAY);
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

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, max));
}
