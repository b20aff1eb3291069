import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import classes from './button.module.css';

interface ButtonAnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly ref?: Ref<HTMLAnchorElement>;
  /** as that of a button */
  readonly variant?: 'filled' | 'default' | 'subtle';
}

/** A link, such as that of a download, that looks like a button. */
export function ButtonAnchor({ variant = 'default', children, ...anchor }: ButtonAnchorProps) {
  return (
    <a
      {...anchor}
      className={`${classes.press} ${classes.button}`}
      data-variant={variant}
      data-color="gray"
      data-size="normal"
    >
      <span className={classes.label}>{children}</span>
    </a>
  );
}

/** A link to a page that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);
