import * as texts from '#messages/index-form.ts';
import { drawIcon } from '#web/ui/icons.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { KEYS } from './form-keys.ts';
import classes from './input-assist.module.css';

const PinIcon = drawIcon(<path d="M9 4h6l-1 6 3.5 3.5h-11L10 10zM12 13.5V20" />);

interface CarryOverButtonProps {
  readonly label: string;
  readonly isCarriedOver: boolean;
  readonly onToggle: () => void;
}

/** Carries the value of a field over to the next forms. It has a shortcut, so it is no Tab stop. */
export function CarryOverButton({ label, isCarriedOver, onToggle }: CarryOverButtonProps) {
  return (
    <button
      type="button"
      className={classes.carryOver}
      tabIndex={-1}
      aria-label={texts.carryOverField(label)}
      aria-pressed={isCarriedOver}
      title={(isCarriedOver ? texts.carriedOverHint : texts.carryOverHint)(
        keyLabel(KEYS.carryOver),
      )}
      // The focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onToggle}
    >
      <PinIcon size={14} />
    </button>
  );
}
