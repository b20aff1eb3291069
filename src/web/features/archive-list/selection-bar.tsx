import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import classes from './archive-list.module.css';
import { LIST_KEYS } from './list-keys.ts';
import type { SelectedRevisions } from './revision-selection.ts';
import type { RevisionRows } from './use-revision-rows.ts';

interface SelectionBarProps {
  readonly selected: SelectedRevisions;
  readonly rows: RevisionRows;
  readonly onAll: () => void;
  readonly onClear: () => void;
  readonly onOneByOne: (() => void) | undefined;
  readonly onCorrect: (() => void) | undefined;
  readonly onRules: (() => void) | undefined;
}

/** What is selected, and what can be done with it. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, rows, onAll, onClear, onOneByOne, onCorrect, onRules } = props;
  const all = selected.kind === 'all';
  const number = all ? rows.count : selected.ids.length;
  if (number === 0) return null;
  const total = formatCount(rows.count);
  const shown = formatCount(number);
  return (
    <div className={classes.selection} role="toolbar" aria-label="Selected revisions">
      <span className={classes.selected} role="status">
        {all ? `All ${rows.exact ? '' : 'more than '}${shown} that match` : shown} selected
      </span>
      {onCorrect && <Button onClick={onCorrect}>Correct together…</Button>}
      {onOneByOne && (
        <Button
          variant="default"
          title={`Correct them one by one  ${keyLabel(LIST_KEYS.correct)}`}
          onClick={onOneByOne}
        >
          One by one
        </Button>
      )}
      {onRules && (
        <Button variant="default" onClick={onRules}>
          By rules…
        </Button>
      )}
      {!all && number < rows.count && (
        <Button variant="subtle" onClick={onAll}>
          Select all {rows.exact ? total : ''} that match
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
