import * as texts from '#messages/common.ts';
import type { Menu as MantineMenu } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { MoreIcon } from './icons.tsx';
import { LazyMenu } from './lazy-menu.tsx';

interface OverflowMenuProps {
  readonly children: (Menu: typeof MantineMenu) => ReactNode;
  /** a command of the menu is in progress: the button shows it and ignores presses */
  readonly loading?: boolean;
}

/** Rarely used commands of a bar at the bottom of the page, behind ⋯. */
export function OverflowMenu({ children, loading = false }: OverflowMenuProps) {
  return (
    <LazyMenu
      position="top-end"
      target={
        <IconButton aria-label={texts.moreCommands} title={texts.moreCommands} loading={loading}>
          <MoreIcon size={18} />
        </IconButton>
      }
    >
      {children}
    </LazyMenu>
  );
}
