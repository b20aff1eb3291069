import { useQuery } from '@tanstack/react-query';
import type { Column } from '#shared/definitions.ts';
import { shownCount } from '#web/api/reader.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { shownValue } from '#web/ui/value-text.ts';
import { cellsOf, valueShown } from '../edits.ts';
import { cellCount, type Rect, rowsOf } from '../ranges/rects.ts';
import type { Rows } from '../use-rows.ts';
import { factsOfValues, type ValueFacts } from './facts-of-values.ts';
import { factsQuery, readFactsOfRows } from './summary.queries.ts';
import { meanWords, sumText } from './words.ts';
import classes from './summary.module.css';

interface SelectionFactsProps {
  readonly guid: string;
  readonly columns: readonly Column[];
  readonly rows: Rows;
  readonly blocks: readonly Rect[];
}

/** Rows that are looked at here; of more the service tells. */
const AT_HAND = 2_000;
/** Rows that one call may be about, where it is not about all. */
const NAMED = 100_000;

/** What is selected, in the foot of the grid: how many cells, and of one column their sum, mean, least and greatest. */
export function SelectionFacts({ guid, columns, rows, blocks }: SelectionFactsProps) {
  const [block, another] = blocks;
  const column =
    block && !another && block.left === block.right ? columns[block.left - 1] : undefined;
  const there = column && block ? valuesIn(block, column, rows) : null;
  const asked = useFactsFromService(guid, there ? undefined : column, block, rows);
  const facts = there && column ? factsOfValues(column, there) : asked;
  return (
    <span className={classes.selection}>
      {shownCount(cellCount(blocks))} cells selected
      {column && facts && <Words column={column} facts={facts} />}
    </span>
  );
}

function Words({ column, facts }: { readonly column: Column; readonly facts: ValueFacts }) {
  const words = [
    ['sum', sumText(column, facts.sum)],
    ['mean', meanWords(facts.mean)],
    ['least', facts.min === null ? '' : shownValue(column, facts.min)],
    ['greatest', facts.max === null ? '' : shownValue(column, facts.max)],
  ];
  const shown = column.type === 'text' ? [] : words.filter(([, text]) => text !== '');
  return (
    <>
      {`, ${shownCount(facts.filled)} with a value`}
      {shown.map(([word, text]) => (
        <span key={word}>
          {word} <b>{text}</b>
        </span>
      ))}
    </>
  );
}

/** The values of a block in one column as the grid shows them; null where not all are read. */
function valuesIn({ top, bottom }: Rect, column: Column, rows: Rows) {
  if (bottom - top >= AT_HAND) return null;
  const values = [];
  for (let index = top; index <= bottom; index++) {
    const row = rows.at(index);
    if (row === undefined) return null;
    if (!row || row.kind === 'empty') continue;
    const edit = cellsOf(rows.edits, row.key).get(column.name);
    values.push(valueShown(edit, row.stored?.dataset[column.name] ?? null));
  }
  return values;
}

function useFactsFromService(
  guid: string,
  column: Column | undefined,
  block: Rect | undefined,
  rows: Rows,
): ValueFacts | null {
  const { view, number } = rows.reading;
  const name = column?.name ?? '';
  const { top = 0, bottom = 0 } = block ?? {};
  const all = block !== undefined && top === 0 && bottom >= (rows.total ?? Infinity) - 1;
  const some = block !== undefined && !all && rowsOf(block) <= NAMED;
  const ofAll = useQuery({
    ...factsQuery(guid, view, [name]),
    enabled: column !== undefined && all,
  });
  const ofSome = useQuery({
    queryKey: [...tableKeys.one(guid), 'facts of', number, name, top, bottom],
    queryFn: () => readFactsOfRows(guid, view, { offset: top, limit: bottom - top + 1 }, [name]),
    enabled: column !== undefined && some,
    gcTime: 0,
  });
  if (!column) return null;
  return (all ? ofAll.data : ofSome.data)?.facts[0] ?? null;
}
