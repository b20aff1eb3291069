import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './notice-stack.module.css';

interface NoticeStackProps {
  /** the scroll area: the stack is at its lower edge, or at its upper one if the cursor is below */
  readonly scroller: RefObject<HTMLElement | null>;
  /** the rest of the scrolled content */
  readonly content: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/**
 * Notices about the whole form. They appear while the user types, so they cover the fields and never move them: not
 * when they appear, grow or disappear. Covered fields can be scrolled into view. Content that appears between the
 * fields, such as a note about a colleague's change, does not move the focused field either.
 */
export function NoticeStack({ scroller, content, children }: NoticeStackProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [stack, around, fields] = [ref.current, scroller.current, content.current];
    if (!stack || !around || !fields) return undefined;
    let height = 0;
    /** the focused field, and its position on the screen */
    let cursor = cursorIn(fields);
    const updateCursor = () => {
      cursor = cursorIn(fields);
    };
    const observer = new ResizeObserver(() => {
      if (stack.offsetHeight !== height) {
        if (height === 0) stack.dataset['at'] = covers(stack, cursor) ? 'top' : 'bottom';
        height = stack.offsetHeight;
        const room = height === 0 ? '' : `${height + MARGIN}px`;
        // A newly focused field is scrolled clear of the notices.
        around.style.scrollPaddingTop = stack.dataset['at'] === 'top' ? room : '';
        around.style.scrollPaddingBottom = stack.dataset['at'] === 'top' ? '' : room;
      }
      const now = cursorIn(fields);
      if (now && now.field === cursor?.field) {
        scrollTo(around, fields, around.scrollTop + now.top - cursor.top);
      }
      updateCursor();
    });
    observer.observe(stack);
    observer.observe(fields);
    around.addEventListener('scroll', updateCursor, { passive: true });
    fields.addEventListener('focusin', updateCursor);
    return () => {
      observer.disconnect();
      around.removeEventListener('scroll', updateCursor);
      fields.removeEventListener('focusin', updateCursor);
    };
  }, [scroller, content]);
  return (
    <div ref={ref} className={classes.stack} data-at="bottom">
      {children}
    </div>
  );
}

/** Pixels between a focused field and the notices. */
const MARGIN = 16;

interface Cursor {
  readonly field: Element;
  readonly top: number;
  readonly bottom: number;
}

function cursorIn(fields: HTMLElement): Cursor | null {
  const field = document.activeElement;
  if (!field || !fields.contains(field)) return null;
  const { top, bottom } = field.getBoundingClientRect();
  return { field, top, bottom };
}

function covers(stack: HTMLElement, cursor: Cursor | null): boolean {
  return cursor !== null && cursor.bottom > stack.getBoundingClientRect().top - MARGIN;
}

/** Scrolls, even beyond the height of the fields. */
function scrollTo(around: HTMLElement, fields: HTMLElement, top: number): void {
  const lacks = top - (around.scrollHeight - around.clientHeight);
  if (lacks > 0) fields.style.minHeight = `${fields.offsetHeight + lacks}px`;
  around.scrollTop = top;
}
