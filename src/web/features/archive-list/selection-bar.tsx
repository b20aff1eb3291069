import * as texts from '#messages/archive-list.ts';
import { MAX_IN_ADDRESS } from '#web/api/review-link.ts';
import { Button } from '#web/ui/button.tsx';
import { keyLabel } from '#web/ui/shortcuts.ts';
import classes from './archive-list.module.css';
import { LIST_KEYS } from './list-keys.ts';
import type { RevisionRows } from './use-revision-rows.ts';
import type { SelectedRevisions } from './use-revision-selection.ts';

interface SelectionBarProps {
  readonly selected: SelectedRevisions;
  readonly rows: RevisionRows;
  readonly onAll: () => void;
  readonly onClear: () => void;
  readonly onOneByOne: (() => void) | undefined;
  readonly onCorrect: (() => void) | undefined;
  readonly onRules: (() => void) | undefined;
  readonly onReview: (() => void) | undefined;
}

/** The size of the selection, and its commands. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, rows, onAll, onClear, onOneByOne, onCorrect, onRules, onReview } = props;
  const all = selected.kind === 'all';
  const number = all ? rows.count : selected.ids.length;
  if (number === 0) return null;
  const selectedText = !all
    ? texts.selected
    : rows.exact
      ? texts.allSelected
      : texts.moreThanSelected;
  return (
    <div className={classes.selection} role="toolbar" aria-label={texts.selectedRevisions}>
      <span className={classes.selected} role="status">
        {selectedText(number)}
      </span>
      {onCorrect && (
        <Button writes onClick={onCorrect}>
          {texts.correctTogether}
        </Button>
      )}
      {onOneByOne && (
        <Button
          writes
          variant="default"
          title={texts.oneByOneHint(keyLabel(LIST_KEYS.correct))}
          onClick={onOneByOne}
        >
          {texts.oneByOne}
        </Button>
      )}
      {onRules && (
        <Button writes variant="default" onClick={onRules}>
          {texts.byRules}
        </Button>
      )}
      {onReview && (
        <Button
          writes
          variant="default"
          className={classes.review ?? ''}
          disabled={!all && number > MAX_IN_ADDRESS}
          title={
            !all && number > MAX_IN_ADDRESS
              ? texts.tooManyToReview(MAX_IN_ADDRESS)
              : texts.reviewFieldHint
          }
          onClick={onReview}
        >
          {texts.reviewField}
        </Button>
      )}
      {!all && number < rows.count && (
        <Button variant="subtle" onClick={onAll}>
          {rows.exact ? texts.selectCount(rows.count) : texts.selectMatching}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={onClear}>
        {texts.clear}
      </Button>
    </div>
  );
}
