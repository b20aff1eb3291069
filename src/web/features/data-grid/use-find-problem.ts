import { useMemo, useRef } from 'react';
import type { Column } from '#shared/definitions.ts';
import type { ListView } from '#web/api/list-view.ts';
import { type Cells, type Edits, problemOf, type RowKey } from './edits.ts';
import type { Grid } from './use-grid.ts';
import type { Rows } from './use-rows.ts';
import { rowOf } from './view/row-of.ts';

interface FindProblemOptions {
  readonly guid: string;
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
  const { guid, onViewChange, rows, grid, columns } = options;
  const last = useRef<Visited | null>(null);
  const { edits } = rows;
  const problems = useMemo(() => problemsIn(edits), [edits]);

  const find = async (problem: Problem): Promise<void> => {
    const row = await rowOf(guid, rows, problem.key);
    const col = columns.findIndex(({ name }) => name === problem.column) + 1;
    if (row !== null && (col > 0 || problem.column === null)) {
      grid.dispatch({ do: 'focus', place: { row, col }, extent: grid.extent() });
      return;
    }
    // Filter or column choice hide it: show that record alone, with all its columns.
    onViewChange({ where: [{ field: 'jrid', op: 'eq', value: problem.key }] });
  };
  const go = (problem: Problem) => {
    last.current = { problem, index: problems.indexOf(problem) };
    void find(problem);
  };
  return {
    problems,
    go,
    step: (by) => {
      const next = nextProblem(problems, last.current, by);
      if (next) go(next);
    },
  };
}

interface Visited {
  readonly problem: Problem;
  readonly index: number;
}

/**
 * The one after the one visited last, or before it, around the end. One that has been mended meanwhile has left its
 * place to its follower.
 */
export function nextProblem(
  problems: readonly Problem[],
  last: Visited | null,
  by: 1 | -1,
): Problem | undefined {
  if (last === null) return problems.at(by > 0 ? 0 : -1);
  const at = problems.findIndex(
    ({ key, column }) => key === last.problem.key && column === last.problem.column,
  );
  const place = at >= 0 ? at + by : by > 0 ? last.index : last.index - 1;
  return problems.at(place % problems.length);
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
