import * as texts from '#messages/archive-list.ts';
import grid from '#web/grid/grid.module.css';
import { keyLabel } from '#web/ui/shortcuts.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import classes from './revision-row.module.css';

interface SelectAllProps {
  readonly isChecked: boolean;
  readonly isMixed: boolean;
  readonly onClick: () => void;
}

/** Selects all matches, or none; its keys are Ctrl+A and Escape. */
export function SelectAll({ isChecked, isMixed, onClick }: SelectAllProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isChecked ? 'true' : isMixed ? 'mixed' : 'false'}
      title={isChecked ? texts.selectNone : texts.selectAllByKey(keyLabel('mod+A'))}
      tabIndex={-1}
      className={classes.selectAll}
      onClick={onClick}
    >
      <span
        className={grid.box}
        data-checked={isChecked || undefined}
        data-mixed={isMixed || undefined}
        aria-hidden="true"
      />
      <VisuallyHidden>{texts.selectAll}</VisuallyHidden>
    </button>
  );
}
