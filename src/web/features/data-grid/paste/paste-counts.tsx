import { formatCount } from '#shared/messages/format.ts';
import classes from './paste.module.css';
import type { PlanCounts } from './paste-plan.ts';
import type { Shown } from './rows-shown.ts';
import * as texts from '#messages/paste.ts';

interface PasteCountsProps {
  readonly counts: PlanCounts;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

/** The number of cells per outcome; each button shows only its rows. */
export function PasteCounts({ counts, shown, onShow }: PasteCountsProps) {
  const { changed, newRows, invalid, ambiguous, unchanged } = counts;
  const kinds: readonly (readonly [Shown, string, number | null])[] = [
    ['all', texts.all, null],
    ['changed', texts.changed, changed],
    ['new', texts.created, newRows],
    ['invalid', texts.invalid, invalid + ambiguous],
    ['unchanged', texts.unchanged, unchanged],
  ];
  return (
    <div className={classes.counts} role="group" aria-label={texts.rowsShown}>
      {kinds.map(([kind, label, number]) => (
        <button
          key={kind}
          type="button"
          className={classes.count}
          aria-pressed={shown === kind}
          data-of={kind}
          data-some={(number ?? 0) > 0 || undefined}
          onClick={() => onShow(kind)}
        >
          {label} {number !== null && <b>{formatCount(number)}</b>}
        </button>
      ))}
    </div>
  );
}
