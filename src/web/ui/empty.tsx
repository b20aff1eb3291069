import type { ReactNode } from 'react';
import { DoneMark } from './done-mark.tsx';
import classes from './empty.module.css';

interface EmptyProps {
  readonly title: string;
  /** that nothing is here is what somebody worked for */
  readonly done?: boolean;
  /** what one can do about it */
  readonly children?: ReactNode;
}

/** Stands where there is nothing to show, and says why. */
export function Empty({ title, done = false, children }: EmptyProps) {
  return (
    <div className={classes.empty}>
      {done && <DoneMark />}
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.more}>{children}</div>}
    </div>
  );
}
