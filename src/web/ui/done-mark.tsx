import classes from './done-mark.module.css';
import { CheckIcon } from './icons.tsx';

/** A tick above a text about completed work. */
export function DoneMark() {
  return (
    <span className={classes.mark}>
      <CheckIcon size={28} />
    </span>
  );
}
