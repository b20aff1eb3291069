import { CountFilter } from '#web/ui/count-filter.tsx';
import type { PlanCounts } from './paste-plan.ts';
import type { ShownRows } from './rows-shown.ts';
import * as texts from '#messages/paste.ts';

interface PasteCountsProps {
  readonly counts: PlanCounts;
  readonly shown: ShownRows;
  readonly onShow: (shown: ShownRows) => void;
}

/** The number of cells per outcome; each button shows only its rows. */
export function PasteCounts({ counts, shown, onShow }: PasteCountsProps) {
  const { changed, newRows, invalid, ambiguous, unchanged } = counts;
  return (
    <CountFilter
      label={texts.rowsShown}
      parts={[
        { name: 'all', label: texts.all, count: null },
        { name: 'changed', label: texts.changed, count: changed, tone: 'changed' },
        { name: 'new', label: texts.created, count: newRows, tone: 'good' },
        { name: 'invalid', label: texts.invalid, count: invalid + ambiguous, tone: 'danger' },
        { name: 'unchanged', label: texts.unchanged, count: unchanged },
      ]}
      shown={shown}
      onShow={onShow}
    />
  );
}
