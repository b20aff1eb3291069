import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Column } from '#shared/definitions.ts';
import type { ListView } from '#web/api/list-view.ts';
import { type Listed, readIds } from './datasets.queries.ts';
import { type Cells, type Edits, problemOf, type RowKey } from './edits.ts';
import type { Grid } from './use-grid.ts';
import type { Rows } from './use-rows.ts';

interface FindProblemOptions {
  readonly guid: string;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly rows: Rows;
  readonly grid: Grid;
  readonly columns: readonly Column[];
}

interface Problem {
  readonly key: RowKey;
  /** null: the row as a whole */
  readonly column: string | null;
}

/** Goes from one cell that cannot be saved to the next, wherever sorting and filter have put it. */
export function useFindProblem(options: FindProblemOptions): () => void {
  const { guid, view, onViewChange, rows, grid, columns } = options;
  const client = useQueryClient();
  const turn = useRef(0);

  const listedAt = async (key: RowKey, listed: Listed): Promise<number | null> => {
    const { jrids } = await client.query({
      queryKey: ['tables', guid, 'ids', rows.reading.number],
      queryFn: () => readIds(guid, listed),
    });
    const at = jrids.indexOf(key);
    return at < 0 ? null : at;
  };

  const find = async (): Promise<void> => {
    const problems = problemsIn(rows.edits);
    const problem = problems[turn.current++ % problems.length];
    if (!problem) return;
    const row = rows.indexOf(problem.key) ?? (await listedAt(problem.key, view));
    const col = columns.findIndex(({ name }) => name === problem.column) + 1;
    if (row !== null && (col > 0 || problem.column === null)) {
      grid.dispatch({ do: 'focus', place: { row, col }, extent: grid.extent() });
      return;
    }
    // Filter or column choice hide it: show that record alone, with all its columns.
    turn.current--;
    onViewChange({ where: [{ field: 'jrid', op: 'eq', value: problem.key }] });
  };
  return () => void find();
}

function problemsIn(edits: Edits): readonly Problem[] {
  const inCells = (key: RowKey, cells: Cells): Problem[] =>
    [...cells].flatMap(([column, edit]) => (problemOf(edit) === null ? [] : [{ key, column }]));
  return [
    ...[...edits.records].flatMap(([key, cells]) => inCells(key, cells)),
    ...edits.newRows.flatMap((row) => {
      if (row.stored) return [];
      const cells = inCells(row.key, row.cells);
      return cells.length > 0 || row.is !== 'refused' ? cells : [{ key: row.key, column: null }];
    }),
  ];
}
