import * as texts from '#messages/findings.ts';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { SUGGESTION_KEY } from './finding.ts';
import shared from '#web/ui/shared.module.css';

interface SuggestionButtonProps {
  readonly label: string;
  /** false: reached by its shortcut and the pointer only */
  readonly isTabStop?: boolean;
  readonly onApply: () => void;
}

/** Applies a check's suggestion to the record; the shortcut for suggestions presses it. */
export function SuggestionButton({ label, isTabStop = true, onApply }: SuggestionButtonProps) {
  return (
    <button
      type="button"
      tabIndex={isTabStop ? undefined : -1}
      className={shared.command}
      data-suggestion
      title={texts.suggestionByKey(keyLabel(SUGGESTION_KEY))}
      onClick={onApply}
    >
      {label}
    </button>
  );
}
