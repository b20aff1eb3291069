import { useMemo, useState } from 'react';
import type { FindingsByPath } from '#web/findings/finding.ts';
import { findingText, severityOf } from '#web/list-tools/check-column.ts';
import type { Cells, ServerRecord } from '../edit-store/edits.ts';
import type { Editing } from '../editing.ts';

/** A row of the grid, with its open editor. */
export interface GridRow {
  readonly stored: ServerRecord | null;
  readonly cells: Cells;
  readonly editing: Editing | null;
}

/** The problems that checks find in a cell. */
export interface CellMark {
  readonly text: string;
  readonly severity: 'warn' | 'block';
}

/** The findings of the table's checks in a row in its present state; null: not known (yet). */
export interface RowChecks {
  readonly marksOf: (row: GridRow) => ReadonlyMap<string, CellMark> | null;
  /** with the suggestions */
  readonly detailOf: (row: GridRow) => FindingsByPath | null;
}

/** The findings in the rows of a grid; the same object while the checks are the same. */
export interface GridFindings {
  /** by column; empty: no problems */
  readonly marksOf: (row: GridRow) => ReadonlyMap<string, CellMark>;
  /** with the suggestions; null: they cannot be computed (yet), and only the marks are known */
  readonly detailOf: (row: GridRow) => FindingsByPath | null;
}

/**
 * The findings in the rows of a table. Stored values have the findings of the service; unsaved edits are evaluated
 * here.
 * @param isUsed whether a cell is edited, or a row with a finding has the focus
 * @returns `isNeeded`: the evaluator must be loaded, and passed to `onChecks`
 */
export function useGridFindings(isUsed: boolean) {
  const [isNeeded, setNeeded] = useState(isUsed);
  if (isUsed && !isNeeded) setNeeded(true);
  const [checks, onChecks] = useState<RowChecks | null>(null);
  const findings = useMemo(
    (): GridFindings => ({
      marksOf(row) {
        const { stored, cells, editing } = row;
        const isEdited = cells.size > 0 || editing !== null;
        return (isEdited && checks?.marksOf(row)) || storedMarks(stored ?? {});
      },
      detailOf: (row) => checks?.detailOf(row) ?? null,
    }),
    [checks],
  );
  return { findings, isNeeded, onChecks };
}

function storedMarks({ findings = [] }: Partial<ServerRecord>): ReadonlyMap<string, CellMark> {
  const marks = new Map<string, CellMark>();
  for (const name of new Set(findings.flatMap(({ fields }) => fields))) {
    const mark = markOf(findings.filter(({ fields }) => fields.includes(name)));
    if (mark) marks.set(name, mark);
  }
  return marks;
}

/** The mark of a cell with several findings; null: there are none. */
export function markOf(findings: Parameters<typeof findingText>[0]): CellMark | null {
  const severity = severityOf(findings);
  return severity ? { text: findingText(findings, '\n'), severity } : null;
}
