import classes from './kbd.module.css';
import { keyLabel } from './shortcuts.ts';

/** Shows a shortcut of `useShortcut` (`mod+K`) as its keys. */
export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className={classes.kbd}>{keyLabel(keys)}</kbd>;
}
