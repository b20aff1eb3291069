import * as texts from '#messages/bulk-correction.ts';
import { formatCount } from '#shared/messages/format.ts';
import type { Counts, Shown } from './preview-rows.ts';
import classes from './preview.module.css';

interface PreviewFilterProps {
  readonly counts: Counts;
  readonly shown: Shown;
  /** whether a change was chosen; before, no revision counts as “unchanged” */
  readonly isCompared: boolean;
  readonly onShow: (shown: Shown) => void;
}

const BUTTONS: readonly Shown[] = ['all', 'fails', 'changes', 'same', 'gone', 'out'];

/** The number of revisions per outcome; each button shows only those. */
export function PreviewFilter({ counts, shown, isCompared, onShow }: PreviewFilterProps) {
  const isShown = (name: Shown) => {
    if (name === 'gone') return counts.gone > 0;
    if (name === 'same') return isCompared;
    return isCompared || name === 'all' || counts[name] > 0;
  };
  return (
    <div className={classes.filter} role="group" aria-label={texts.show}>
      {BUTTONS.filter(isShown).map((name) => (
        <button
          key={name}
          type="button"
          className={classes.count}
          data-of={name}
          data-some={counts[name] > 0 || undefined}
          aria-pressed={shown === name}
          onClick={() => onShow(name)}
        >
          {texts.outcomes[name]} <b>{formatCount(counts[name])}</b>
        </button>
      ))}
    </div>
  );
}
