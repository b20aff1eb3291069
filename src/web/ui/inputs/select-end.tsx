import * as texts from '#messages/inputs.ts';
import { IconButton } from '../button.tsx';
import { ChevronDownIcon, CloseIcon } from '../icons.tsx';
import classes from './input.module.css';

/** The end of an input with options: a button that clears it; null: the sign that it has options. */
export function SelectEnd({ onClear }: { readonly onClear: (() => void) | null }) {
  return onClear ? (
    <IconButton
      className={classes.reveal ?? ''}
      size={26}
      tabIndex={-1}
      aria-label={texts.clear}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClear}
    >
      <CloseIcon size={12} />
    </IconButton>
  ) : (
    <span className={classes.chevron}>
      <ChevronDownIcon size={14} />
    </span>
  );
}
