import type { ReactNode } from 'react';
import classes from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** what one can do about it */
  readonly children?: ReactNode;
}

/** Stands where there is nothing to show, and says why. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.more}>{children}</div>}
    </div>
  );
}
