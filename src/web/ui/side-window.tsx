import * as commonTexts from '#messages/common.ts';
import { Drawer } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import classes from './side-window.module.css';
import { useEscape } from './use-escape.ts';

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
          <header className={classes.header}>
            <h2 className={classes.title}>{title}</h2>
            <span className={classes.subject}>{subject}</span>
            <IconButton
              className={classes.close ?? ''}
              aria-label={commonTexts.close}
              disabled={!canClose}
              onClick={onClose}
            >
              <CloseIcon size={18} />
            </IconButton>
          </header>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
