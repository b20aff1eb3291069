import { useQueries, useQueryClient } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { readPages, PAGE_SIZE } from '../datasets.queries.ts';
import { cellsOf, countEdits, valueShown } from '../edit-store/edits.ts';
import { disjoint, type Rect } from '#web/grid/rects.ts';
import type { TableField } from '../columns/table-fields.ts';
import type { TableRows } from '../rows/use-rows.ts';
import { type Span, sourcesOf } from './statistics-sources.ts';
import { rowStatisticsQuery } from './summary.queries.ts';
import {
  summarizeColumns,
  mergeStatistics,
  type PartialStatistics,
  computeStatistics,
  fromServiceStatistics,
  type CellStatistics,
} from './cell-statistics.ts';

/** Cells of the grid. */
export interface SelectedCells {
  readonly guid: string;
  readonly columns: readonly TableField[];
  readonly rows: TableRows;
  /** changes with each save */
  readonly saved: number;
  readonly blocks: readonly Rect[];
}

/**
 * The statistics of the selected cells: loaded rows as shown, including unsaved edits, others as the service has them
 * at those positions.
 * @returns null until they are known; `settled`: no request in progress would change them
 */
export function useSelectionStatistics(options: SelectedCells) {
  const { guid, columns, rows, saved, blocks } = options;
  const client = useQueryClient();
  const { reading, listed, edits } = rows;
  const pages = new Map(readPages(client, guid, reading));
  const list = {
    listed: listed ?? 0,
    created: edits.newRows.length,
    pages: new Set(pages.keys()),
  };
  const parts = (listed === null ? [] : disjoint(blocks)).map((rect) => ({
    // Findings of checks are not values.
    columns: columns.slice(rect.left - 1, rect.right).filter(({ kind }) => kind !== 'check'),
    ...sourcesOf(rect, list),
  }));

  const valueAt = (index: number, { name }: Column): Scalar => {
    const row =
      index >= list.listed
        ? rows.at(index)
        : pages.get(Math.floor(index / PAGE_SIZE))?.rows[index % PAGE_SIZE];
    if (!row) return null;
    const [key, stored] =
      'dataset' in row ? [row.dataset.jrid, row.dataset] : [row.key, row.stored?.dataset];
    return valueShown(cellsOf(edits, key).get(name), stored?.[name] ?? null);
  };
  const valuesIn = function* (spans: readonly Span[], column: Column) {
    for (const { top, bottom } of spans) {
      for (let index = top; index <= bottom; index++) yield valueAt(index, column);
    }
  };

  const requested = parts.flatMap((part) => part.requests.map((span) => ({ part, span })));
  const answers = useQueries({
    queries: requested.map(({ part, span }) => {
      const names = part.columns.map(({ name }) => name);
      return rowStatisticsQuery(guid, { reading, saved, columns: names, rows: span });
    }),
  });
  const settled =
    !rows.outdated &&
    (requested.length === 0 ||
      (countEdits(edits).waiting === 0 && answers.every(({ isFetching }) => !isFetching)));

  const tallies = new Map<Column, PartialStatistics>();
  const add = (column: Column, tally: PartialStatistics) => {
    const before = tallies.get(column);
    tallies.set(column, before ? mergeStatistics(column, before, tally) : tally);
  };
  for (const part of parts) {
    for (const column of part.columns)
      add(column, computeStatistics(column, valuesIn(part.loaded, column)));
  }
  for (const [i, { part }] of requested.entries()) {
    for (const [at, facts] of (answers[i]?.data?.facts ?? []).entries()) {
      const column = part.columns[at];
      if (column) add(column, fromServiceStatistics(column, facts));
    }
  }
  const known = parts.length > 0 && answers.every(({ data }) => data !== undefined);
  const facts: CellStatistics | null = known ? summarizeColumns(tallies) : null;
  return { facts, settled };
}
