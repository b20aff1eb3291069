import type { Counts, Shown } from './preview-rows.ts';
import classes from './preview.module.css';

interface PreviewFilterProps {
  readonly counts: Counts;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
}

const NAMES: readonly (readonly [Shown, string])[] = [
  ['all', 'All'],
  ['fails', 'Would fail'],
  ['changes', 'Would change'],
  ['same', 'Unchanged'],
  ['gone', 'Gone'],
  ['out', 'Taken out'],
];

/** How many revisions would become what; each count shows them alone. */
export function PreviewFilter({ counts, shown, onShow }: PreviewFilterProps) {
  return (
    <div className={classes.filter} role="group" aria-label="Show">
      {NAMES.filter(([name]) => name !== 'gone' || counts.gone > 0).map(([name, label]) => (
        <button
          key={name}
          type="button"
          className={classes.count}
          data-of={name}
          data-some={counts[name] > 0 || undefined}
          aria-pressed={shown === name}
          onClick={() => onShow(name)}
        >
          {label} <b>{counts[name].toLocaleString('en')}</b>
        </button>
      ))}
    </div>
  );
}
