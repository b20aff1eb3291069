import type { HTMLAttributes } from 'react';
import classes from './visually-hidden.module.css';

interface VisuallyHiddenProps extends Omit<HTMLAttributes<HTMLElement>, 'className'> {
  /** a heading names a region for screen readers if the design shows none */
  readonly as?: 'span' | 'div' | 'h2' | 'h3';
}

/** Content only for screen readers, which takes no space on the screen. */
export function VisuallyHidden({ as: Element = 'span', ...rest }: VisuallyHiddenProps) {
  return <Element {...rest} className={classes.hidden} />;
}
