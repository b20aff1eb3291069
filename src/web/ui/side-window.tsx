import * as commonTexts from '#messages/common.ts';
import { Drawer } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import classes from './side-window.module.css';

interface SideWindowProps {
  readonly title: string;
  /** the archive or table of the window */
  readonly subject: string;
  /** in pixels; it fills a narrower screen */
  readonly width: number;
  readonly bodyRef?: Ref<HTMLDivElement>;
  /** false: the content handles Escape */
  readonly closesOnEscape?: boolean;
  readonly canClose?: boolean;
  /** duration of its exit transition, in milliseconds */
  readonly exitDuration?: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal window at the right side of the page, with a title and a close button. */
export function SideWindow(props: SideWindowProps) {
  const { title, subject, width, bodyRef, onClose, children } = props;
  const { closesOnEscape = true, canClose = true, exitDuration = 90 } = props;
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={`min(${width}px, 100vw)`}
      padding={0}
      lockScroll={false}
      closeOnEscape={closesOnEscape}
      closeOnClickOutside={false}
      transitionProps={{ duration: 90, exitDuration }}
    >
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label={title}>
        <Drawer.Body ref={bodyRef} className={classes.body ?? ''}>
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
