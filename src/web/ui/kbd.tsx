import classes from './kbd.module.css';
import { keyLabel } from './shortcuts.ts';

interface KbdProps {
  readonly keys: string;
  /** whether the keys are no part of the accessible name around them */
  readonly 'aria-hidden'?: boolean;
}

/** Shows a shortcut of `useShortcut` (`mod+K`) as its keys. */
export function Kbd({ keys, ...rest }: KbdProps) {
  return (
    <kbd className={classes.kbd} {...rest}>
      {keyLabel(keys)}
    </kbd>
  );
}
