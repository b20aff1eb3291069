import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
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

export interface Problem {
  readonly key: RowKey;
  /** null: the row as a whole */
  readonly column: string | null;
  readonly message: string;
}

/** What cannot be saved, and the way there, wherever sorting and filter have put it. */
export function useFindProblem(options: FindProblemOptions): Problems {
  const { guid, view, onViewChange, rows, grid, columns } = options;
  const client = useQueryClient();
  const turn = useRef(-1);
  const { edits } = rows;
  const problems = useMemo(() => problemsIn(edits), [edits]);

  const listedAt = async (key: RowKey, listed: Listed): Promise<number | null> => {
    const { jrids } = await client.query({
      queryKey: ['tables', guid, 'ids', rows.reading.number],
      queryFn: () => readIds(guid, listed),
    });
    const at = jrids.indexOf(key);
    return at < 0 ? null : at;
  };

  const find = async (problem: Problem): Promise<void> => {
    const row = rows.indexOf(problem.key) ?? (await listedAt(problem.key, view));
    const col = columns.findIndex(({ name }) => name === problem.column) + 1;
    if (row !== null && (col > 0 || problem.column === null)) {
      grid.dispatch({ do: 'focus', place: { row, col }, extent: grid.extent() });
      return;
    }
    // Filter or column choice hide it: show that record alone, with all its columns.
    onViewChange({ where: [{ field: 'jrid', op: 'eq', value: problem.key }] });
  };
  return {
    problems,
    go: (problem) => {
      turn.current = problems.indexOf(problem);
      void find(problem);
    },
    step: (by) => {
      const count = problems.length;
      if (count === 0) return;
      turn.current =
        ((((turn.current < 0 && by < 0 ? 0 : turn.current) + by) % count) + count) % count;
      const problem = problems[turn.current];
      if (problem) void find(problem);
    },
  };
}

export interface Problems {
  readonly problems: readonly Problem[];
  readonly go: (problem: Problem) => void;
  /** goes on to the next, or back to the one before, around the end */
  readonly step: (by: 1 | -1) => void;
}

function problemsIn(edits: Edits): readonly Problem[] {
  const inCells = (key: RowKey, cells: Cells): Problem[] =>
    [...cells].flatMap(([column, edit]) => {
      const message = problemOf(edit);
      return message === null ? [] : [{ key, column, message }];
    });
  return [
    ...[...edits.records].flatMap(([key, cells]) => inCells(key, cells)),
    ...edits.newRows.flatMap((row) => {
      if (row.stored) return [];
      const cells = inCells(row.key, row.cells);
      if (cells.length > 0 || row.is !== 'refused') return cells;
      return [{ key: row.key, column: null, message: row.message ?? 'The row was refused.' }];
    }),
  ];
}
