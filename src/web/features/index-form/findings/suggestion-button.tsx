import * as texts from '#messages/findings.ts';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { KEYS } from '../form-keys.ts';
import classes from './findings.module.css';

interface SuggestionButtonProps {
  readonly label: string;
  readonly onApply: () => void;
}

/** Puts a value into the form that a check suggests; the key of suggestions presses it. */
export function SuggestionButton({ label, onApply }: SuggestionButtonProps) {
  return (
    <button
      type="button"
      className={classes.command}
      data-suggestion
      title={texts.suggestionByKey(keyLabel(KEYS.suggestion))}
      onClick={onApply}
    >
      {label}
    </button>
  );
}
