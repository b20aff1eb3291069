import * as texts from '#messages/index-form.ts';
import { PinIcon } from '#web/ui/icons.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { KEYS } from './form-keys.ts';
import classes from './input-assist.module.css';

interface PinButtonProps {
  readonly label: string;
  readonly pinned: boolean;
  readonly onPin: () => void;
}

/** Makes the value of a field sticky for the next forms. It has a shortcut, so it is no Tab stop. */
export function PinButton({ label, pinned, onPin }: PinButtonProps) {
  return (
    <button
      type="button"
      className={classes.pin}
      tabIndex={-1}
      aria-label={texts.carryOverField(label)}
      aria-pressed={pinned}
      title={(pinned ? texts.carriedOverHint : texts.carryOverHint)(keyLabel(KEYS.carry))}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPin}
    >
      <PinIcon size={14} />
    </button>
  );
}
