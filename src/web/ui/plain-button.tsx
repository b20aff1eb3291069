import type { ButtonHTMLAttributes } from 'react';
import classes from './plain-controls.module.css';
import { Spinner } from './spinner.tsx';

interface PlainButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly primary?: boolean;
  readonly loading?: boolean;
}

/** A button for what stands before the component library is loaded; elsewhere use the library's `Button`. */
export function PlainButton({
  primary = false,
  loading = false,
  children,
  ...rest
}: PlainButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes.button}
      data-primary={primary || undefined}
      aria-disabled={loading || undefined}
    >
      {loading && <Spinner size={14} />}
      {children}
    </button>
  );
}
