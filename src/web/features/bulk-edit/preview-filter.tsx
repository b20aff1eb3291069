import * as texts from '#messages/bulk-correction.ts';
import { CountFilter } from '#web/ui/count-filter.tsx';
import type { OutcomeCounts, ShownPart } from './preview-rows.ts';
import classes from './preview.module.css';

interface PreviewFilterProps {
  readonly counts: OutcomeCounts;
  readonly shown: ShownPart;
  /** whether a change was chosen; before, no revision counts as “unchanged” */
  readonly isCompared: boolean;
  readonly onShow: (shown: ShownPart) => void;
}

const PARTS = [
  { name: 'all' },
  { name: 'fails', tone: 'danger' },
  { name: 'changes', tone: 'changed' },
  { name: 'same' },
  { name: 'notFound', tone: 'danger' },
  { name: 'out' },
] as const;

/** The number of revisions per outcome; each button shows only those. */
export function PreviewFilter({ counts, shown, isCompared, onShow }: PreviewFilterProps) {
  const isShown = (name: ShownPart) => {
    if (name === 'notFound') return counts.notFound > 0;
    if (name === 'same') return isCompared;
    return isCompared || name === 'all' || counts[name] > 0;
  };
  return (
    <div className={classes.filter}>
      <CountFilter
        label={texts.show}
        parts={PARTS.filter(({ name }) => isShown(name)).map((part) => ({
          ...part,
          label: texts.outcomes[part.name],
          count: counts[part.name],
        }))}
        shown={shown}
        onShow={onShow}
      />
    </div>
  );
}
