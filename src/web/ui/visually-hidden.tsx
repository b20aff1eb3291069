import type { HTMLAttributes } from 'react';
import classes from './visually-hidden.module.css';

interface VisuallyHiddenProps extends Omit<HTMLAttributes<HTMLElement>, 'className'> {
  /** a heading names a region in the heading list of a screen reader where the design shows none */
  readonly as?: 'span' | 'div' | 'h2' | 'h3';
}

/** Content for screen readers alone, which takes no room on the screen. */
export function VisuallyHidden({ as: Element = 'span', ...rest }: VisuallyHiddenProps) {
  return <Element {...rest} className={classes.hidden} />;
}
