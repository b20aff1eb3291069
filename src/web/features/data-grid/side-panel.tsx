import type { ReactNode } from 'react';
import { IconButton } from '#web/ui/button.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import classes from './side-panel.module.css';

interface SidePanelProps {
  readonly title: string;
  /** what closing it is called */
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** stands still above what is scrolled */
  readonly top?: ReactNode;
  readonly children: ReactNode;
}

/** What stands beside the grid about the whole table. */
export function SidePanel({ title, closeLabel, onClose, top, children }: SidePanelProps) {
  return (
    <section className={classes.panel} aria-label={title}>
      <header className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <IconButton aria-label={closeLabel} onClick={onClose}>
          <CloseIcon size={16} />
        </IconButton>
      </header>
      {top}
      <div className={classes.scroll}>{children}</div>
    </section>
  );
}
