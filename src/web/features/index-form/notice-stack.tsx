import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import classes from './notice-stack.module.css';

interface NoticeStackProps {
  /** what scrolls: the stack lies over its lower edge, over the upper one where the cursor is below */
  readonly scroller: RefObject<HTMLElement | null>;
  /** all else that scrolls */
  readonly content: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

/**
 * Notices about the whole form. They come while somebody types, so they lie over the fields and move none of them:
 * not when they appear, grow or go. What they cover can be scrolled into sight. What comes between the fields, such as
 * a note of what a colleague has changed, does not move the field with the cursor either.
 */
export function NoticeStack({ scroller, content, children }: NoticeStackProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [stack, around, fields] = [ref.current, scroller.current, content.current];
    if (!stack || !around || !fields) return undefined;
    let height = 0;
    /** the field with the cursor, and where it is on the screen */
    let cursor = cursorIn(fields);
    const look = () => {
      cursor = cursorIn(fields);
    };
    const observer = new ResizeObserver(() => {
      if (stack.offsetHeight !== height) {
        if (height === 0) stack.dataset['at'] = covers(stack, cursor) ? 'top' : 'bottom';
        height = stack.offsetHeight;
        const room = height === 0 ? '' : `${height + ROOM}px`;
        // A field that the cursor moves to comes to stand beside the notices.
        around.style.scrollPaddingTop = stack.dataset['at'] === 'top' ? room : '';
        around.style.scrollPaddingBottom = stack.dataset['at'] === 'top' ? '' : room;
      }
      const now = cursorIn(fields);
      if (now && now.field === cursor?.field) {
        scrollTo(around, fields, around.scrollTop + now.top - cursor.top);
      }
      look();
    });
    observer.observe(stack);
    observer.observe(fields);
    around.addEventListener('scroll', look, { passive: true });
    fields.addEventListener('focusin', look);
    return () => {
      observer.disconnect();
      around.removeEventListener('scroll', look);
      fields.removeEventListener('focusin', look);
    };
  }, [scroller, content]);
  return (
    <div ref={ref} className={classes.stack} data-at="bottom">
      {children}
    </div>
  );
}

/** Pixels between a field with its ring and the notices. */
const ROOM = 16;

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
  return cursor !== null && cursor.bottom > stack.getBoundingClientRect().top - ROOM;
}

/** Scrolls, also further than the fields are high. */
function scrollTo(around: HTMLElement, fields: HTMLElement, top: number): void {
  const lacks = top - (around.scrollHeight - around.clientHeight);
  if (lacks > 0) fields.style.minHeight = `${fields.offsetHeight + lacks}px`;
  around.scrollTop = top;
}
