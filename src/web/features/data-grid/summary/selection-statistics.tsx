import { useState } from 'react';
import { shownValue } from '#web/fields/value-text.ts';
import { cellCount } from '#web/grid/rects.ts';
import type { CellStatistics } from './cell-statistics.ts';
import { useRefetchStatistics } from './use-refetch-statistics.ts';
import { type SelectedCells, useSelectionStatistics } from './use-selection-statistics.ts';
import { meanText, sumText } from './summary-texts.ts';
import classes from './summary.module.css';
import { RichText } from '#web/ui/rich-text.tsx';
import * as texts from '#messages/table-summary.ts';

/**
 * The selection in the foot of the grid: the number of cells, of cells with a value, and the statistics of numbers and
 * dates.
 */
export function SelectionStatistics(props: SelectedCells) {
  const { guid, columns, rows, blocks } = props;
  useRefetchStatistics(guid);
  const { facts, settled } = useSelectionStatistics(props);
  const shown = useLastStatistics(
    facts,
    JSON.stringify([blocks, columns.length, rows.reading.number]),
  );
  return (
    <span className={classes.selection}>
      {texts.cellsSelected(cellCount(blocks))}
      {shown && (
        <span className={classes.counts} aria-busy={!settled}>
          <StatisticsText facts={shown} />
        </span>
      )}
    </span>
  );
}

/** While the same cells are counted again, the previous statistics are shown. */
function useLastStatistics(facts: CellStatistics | null, selection: string): CellStatistics | null {
  const [previous, setPrevious] = useState<{ selection: string; facts: CellStatistics } | null>(
    null,
  );
  const isOther =
    previous?.selection !== selection || JSON.stringify(previous.facts) !== JSON.stringify(facts);
  if (facts && isOther) setPrevious({ selection, facts });
  return facts ?? (previous?.selection === selection ? previous.facts : null);
}

function StatisticsText({
  facts: { filled, sum, mean, min, max, column },
}: {
  readonly facts: CellStatistics;
}) {
  const words = column && [
    [texts.selectionSum, sumText(column, sum)] as const,
    [texts.selectionMean, meanText(mean)] as const,
    [texts.selectionLeast, min === null ? '' : shownValue(column, min)] as const,
    [texts.selectionGreatest, max === null ? '' : shownValue(column, max)] as const,
  ];
  return (
    <>
      {texts.filledCells(filled)}
      {words?.map(
        ([textOf, value], at) =>
          value !== '' && (
            // oxlint-disable-next-line react/no-array-index-key -- always these four
            <span key={at}>
              <RichText text={textOf(<b>{value}</b>)} />
            </span>
          ),
      )}
    </>
  );
}
