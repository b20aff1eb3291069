import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import shared from './shared.module.css';
import classes from './side-panel.module.css';

interface SidePanelProps {
  readonly title: string;
  /** the label of its close button */
  readonly closeLabel: string;
  readonly onClose: () => void;
  /** fixed above the content, which scrolls */
  readonly top?: ReactNode;
  readonly children: ReactNode;
}

/** A pane next to a list, with a title and a close button. */
export function SidePanel({ title, closeLabel, onClose, top, children }: SidePanelProps) {
  return (
    <section className={`${shared.column} ${classes.panel}`} aria-label={title}>
      <header className={classes.head}>
        <h2 className={shared.heading}>{title}</h2>
        <IconButton aria-label={closeLabel} onClick={onClose}>
          <CloseIcon size={16} />
        </IconButton>
      </header>
      {top}
      <div className={shared.scroller}>{children}</div>
    </section>
  );
}
