import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import classes from './side-panel.module.css';

interface SidePanelProps {
  readonly title: string;
  /** what closing it is called */
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** stays above the content, which scrolls */
  readonly top?: ReactNode;
  readonly children: ReactNode;
}

/** A pane beside a list, with a title and a button that closes it. */
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
