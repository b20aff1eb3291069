import * as commonTexts from '#messages/common.ts';
import { Drawer } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import shared from './shared.module.css';
import classes from './side-window.module.css';

interface SideWindowProps {
  readonly title: string;
  /** the archive or table of the window */
  readonly subject: string;
  /** in pixels; it fills a narrower screen */
  readonly width: number;
  readonly canClose?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal window at the right side of the page, with a title and a close button. */
export function SideWindow(props: SideWindowProps) {
  const { title, subject, width, canClose = true, onClose, children } = props;
  const body = useRef<HTMLDivElement>(null);
  useEscape(body, () => {
    if (canClose) onClose();
  });
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={`min(${width}px, 100vw)`}
      padding={0}
      lockScroll={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={{ duration: 90 }}
    >
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label={title}>
        <Drawer.Body ref={body} className={classes.body ?? ''}>
          <div className={classes.header}>
            <h2 className={classes.title}>{title}</h2>
            <span className={`${shared.muted} ${shared.truncated}`}>{subject}</span>
            <IconButton
              className={classes.close ?? ''}
              aria-label={commonTexts.close}
              disabled={!canClose}
              onClick={onClose}
            >
              <CloseIcon size={18} />
            </IconButton>
          </div>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/**
 * Handles Escape in a dialog of the component library, whose own handler would also receive the Escape of dialogs above
 * it.
 * @param inside an element of the dialog
 */
function useEscape(inside: RefObject<HTMLElement | null>, onEscape: () => void): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    const { target } = event;
    if (!(target instanceof HTMLElement)) return;
    // An open dropdown handles its Escape itself.
    if (target.dataset['mantineStopPropagation'] === 'true') return;
    const dialog = inside.current?.closest('[role="dialog"]');
    if (target === document.body || dialog?.contains(target)) onEscape();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    // In the capture phase: after the dropdown has closed, its state could no longer be checked.
    window.addEventListener('keydown', listener, { capture: true });
    return () => window.removeEventListener('keydown', listener, { capture: true });
  }, []);
}
