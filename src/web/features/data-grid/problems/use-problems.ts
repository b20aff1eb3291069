import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { ListView } from '#web/api/list-view.ts';
import { notifyFailure } from '#web/ui/notify.ts';
import { type Cells, type Edits, isNewRow, problemOf, type RowKey } from '../edit-store/edits.ts';
import { withColumn } from '../columns/table-fields.ts';
import type { Grid } from '../use-grid.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { findRow } from '../rows/find-row.ts';
import * as texts from '#messages/tables.ts';

interface ProblemsOptions {
  readonly table: TableDetail;
  readonly view: ListView;
  readonly onViewChange: (view: ListView) => void;
  readonly rows: TableRows;
  readonly grid: Grid;
  /** the visible ones */
  readonly columns: readonly Column[];
}

export interface GridProblem {
  readonly key: RowKey;
  /** null: the row as a whole */
  readonly column: string | null;
  /** the unsaved content of the cell; null: none */
  readonly text: string | null;
  readonly message: string;
}

/** The problems, and navigation to them, wherever sorting and filter have placed them. */
export function useProblems(options: ProblemsOptions) {
  const { table, view, onViewChange, rows, grid, columns } = options;
  const last = useRef<Visited | null>(null);
  const { edits } = rows;
  const problems = useMemo(() => problemsIn(edits), [edits]);

  const [pendingTarget, setPendingTarget] = useState<PendingTarget | null>(null);
  const handled = useRef<PendingTarget | null>(null);
  const columnOf = ({ column }: GridProblem) =>
    columns.findIndex(({ name }) => name === column) + 1;
  const focus = (row: number, col: number) => grid.focusOn({ row, col });
  const find = useEffectEvent(async ({ problem, isolatedAfter }: PendingTarget): Promise<void> => {
    const { key, column } = problem;
    const col = columnOf(problem);
    const hidden =
      column !== null && col === 0 && table.columns.some(({ name }) => name === column);
    const row = await findRow(table.guid, rows, key);
    if (row !== null && !hidden) {
      focus(row, col);
      return;
    }
    if (row === null && (isolatedAfter !== null || isNewRow(key) || showsOnly(view, key))) {
      notifyFailure(texts.recordGone);
      return;
    }
    // The user's other choices stay: columns, their order, colours.
    const shown = hidden ? withColumn(table, view, column) : view;
    const { q: _q, ...unsearched } = shown;
    const alone = { ...unsearched, where: [{ field: 'jrid', op: 'eq', value: key } as const] };
    onViewChange(row === null ? alone : shown);
    setPendingTarget({
      problem,
      isolatedAfter: row === null ? rows.reading.number : isolatedAfter,
      hidden,
    });
  });
  // The requested list must be loaded first; new rows come after those of the list.
  const shown =
    pendingTarget !== null &&
    !(pendingTarget.hidden && columnOf(pendingTarget.problem) === 0) &&
    pendingTarget.isolatedAfter !== rows.reading.number;
  const ready = shown && rows.counted && !rows.outdated;
  useEffect(() => {
    if (!pendingTarget || !ready || handled.current === pendingTarget) return;
    handled.current = pendingTarget;
    find(pendingTarget).catch((error: unknown) => {
      notifyFailure(texts.entryNotFound(summary(toFailure(error))));
    });
  }, [pendingTarget, ready]);

  const goTo = (problem: GridProblem) => {
    last.current = { problem, index: problems.indexOf(problem) };
    const [row, col] = [rows.indexOf(problem.key), columnOf(problem)];
    // Immediately if it is visible: the next typed text is meant for it.
    const isVisible = row !== null && (col > 0 || problem.column === null);
    if (isVisible) focus(row, col);
    setPendingTarget(isVisible ? null : { problem, isolatedAfter: null, hidden: false });
  };
  return {
    problems,
    goTo,
    /** moves to the next or the previous one, wrapping around */
    step: (by: 1 | -1) => {
      const next = nextProblem(problems, last.current, by);
      if (next) goTo(next);
    },
  };
}

function showsOnly({ where = [], q }: ListView, jrid: string): boolean {
  const [only, another] = where;
  return !another && !q && only?.field === 'jrid' && only.value === jrid;
}

interface PendingTarget {
  readonly problem: GridProblem;
  /** the reading after which only its record was requested; null: it was not */
  readonly isolatedAfter: number | null;
  /** whether its column was hidden, and was requested */
  readonly hidden: boolean;
}

interface Visited {
  readonly problem: GridProblem;
  readonly index: number;
}

/**
 * The problem after the last visited one, or before it, wrapping around. One that was corrected since has left its
 * position to its successor.
 */
export function nextProblem(
  problems: readonly GridProblem[],
  last: Visited | null,
  by: 1 | -1,
): GridProblem | undefined {
  if (last === null) return problems.at(by > 0 ? 0 : -1);
  const at = problems.findIndex(
    ({ key, column }) => key === last.problem.key && column === last.problem.column,
  );
  const index = at >= 0 ? at + by : by > 0 ? last.index : last.index - 1;
  return problems.at(index % problems.length);
}

export type Problems = ReturnType<typeof useProblems>;

function problemsIn(edits: Edits): readonly GridProblem[] {
  const problems: GridProblem[] = [];
  const addCells = (key: RowKey, cells: Cells) => {
    for (const [column, edit] of cells) {
      const message = problemOf(edit);
      if (message !== null) problems.push({ key, column, text: edit.text, message });
    }
  };
  for (const [key, cells] of edits.records) addCells(key, cells);
  for (const { key, cells, stored, is, message } of edits.newRows) {
    if (stored) continue;
    const before = problems.length;
    addCells(key, cells);
    if (is !== 'refused' || problems.length > before) continue;
    problems.push({ key, column: null, text: null, message: message ?? texts.rowNotCreated });
  }
  return problems;
}
