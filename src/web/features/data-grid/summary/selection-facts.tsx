import { useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { cellCount, type Rect } from '#web/grid/rects.ts';
import type { Rows } from '../rows/use-rows.ts';
import type { ValueFacts } from './tally.ts';
import { useFreshFacts } from './use-fresh-facts.ts';
import { useSelectionFacts } from './use-selection-facts.ts';
import { meanWords, sumText } from './words.ts';
import classes from './summary.module.css';

interface SelectionFactsProps {
  readonly guid: string;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  /** changes with what is saved */
  readonly saved: number;
  readonly blocks: readonly Rect[];
}

/**
 * What is selected, in the foot of the grid: how many cells, how many of them hold a value, and of numbers and days
 * together what is to be said about them.
 */
export function SelectionFacts(props: SelectionFactsProps) {
  const { guid, columns, rows, blocks } = props;
  useFreshFacts(guid);
  const { facts, settled } = useSelectionFacts(props);
  const shown = useKept(facts, JSON.stringify([blocks, columns.length, rows.reading.number]));
  return (
    <span className={classes.selection}>
      {formatCount(cellCount(blocks))} cells selected
      {shown && (
        <span className={classes.told} aria-busy={!settled}>
          <Words facts={shown} />
        </span>
      )}
    </span>
  );
}

/** While the same cells are counted anew, what they held before stands there. */
function useKept(facts: ValueFacts | null, selection: string): ValueFacts | null {
  const [kept, setKept] = useState<{ selection: string; facts: ValueFacts } | null>(null);
  if (facts && (kept?.selection !== selection || !isSame(kept.facts, facts))) {
    setKept({ selection, facts });
  }
  return facts ?? (kept?.selection === selection ? kept.facts : null);
}

function isSame(one: ValueFacts, other: ValueFacts): boolean {
  const { filled, sum, mean, min, max } = one;
  return (
    filled === other.filled &&
    sum === other.sum &&
    mean === other.mean &&
    min === other.min &&
    max === other.max
  );
}

function Words({ facts: { filled, sum, mean, min, max, column } }: { readonly facts: ValueFacts }) {
  const words = column && [
    ['sum', sumText(column, sum)],
    ['mean', meanWords(mean)],
    ['least', min === null ? '' : shownValue(column, min)],
    ['greatest', max === null ? '' : shownValue(column, max)],
  ];
  return (
    <>
      {`, ${formatCount(filled)} with a value`}
      {words?.map(
        ([word, text]) =>
          text !== '' && (
            <span key={word}>
              {word} <b>{text}</b>
            </span>
          ),
      )}
    </>
  );
}
