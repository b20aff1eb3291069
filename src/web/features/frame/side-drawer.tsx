import * as texts from '#messages/frame.ts';
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './frame.module.css';

interface SideDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The side bar over the page, if there is no space next to it. */
export function SideDrawer({ opened, onClose, children }: SideDrawerProps) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={264} padding={0} lockScroll={false}>
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label={texts.archivesAndTables}>
        <Drawer.Body className={classes.drawer ?? ''}>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
