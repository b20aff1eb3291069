import type { ReactNode } from 'react';
import { DoneMark } from './done-mark.tsx';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  /** the list is empty because the work is done */
  readonly done?: boolean;
  /** what the user can do */
  readonly children?: ReactNode;
}

/** Shown if there is nothing to show, with the reason. */
export function EmptyState({ title, done = false, children }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {done && <DoneMark />}
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.more}>{children}</div>}
    </div>
  );
}
