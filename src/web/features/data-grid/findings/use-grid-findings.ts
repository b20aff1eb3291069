import { useMemo, useState } from 'react';
import type { FindingsByPath } from '#web/findings/finding.ts';
import { findingText, severityOf } from '#web/list-tools/check-column.ts';
import type { Cells, ServerRecord } from '../edit-store/edits.ts';
import type { Editing } from '../editing.ts';

/** A row of the grid, with its open editor. */
interface GridRow {
  readonly stored: ServerRecord | null;
  readonly cells: Cells;
  readonly editing: Editing | null;
}

/** The problems that checks find in a cell. */
interface CellMark {
  readonly text: string;
  readonly severity: 'warn' | 'block';
}

/** Evaluates the table's checks in a row in its present state. */
export interface RowChecks {
  /** @returns null: not known (yet) */
  readonly findIn: (row: GridRow, hasSuggestions: boolean) => FindingsByPath | null;
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
        const found = isEdited && checks?.findIn(row, false);
        return found ? foundMarks(found) : storedMarks(stored ?? {});
      },
      detailOf: (row) => checks?.findIn(row, true) ?? null,
    }),
    [checks],
  );
  return { findings, isNeeded, onChecks };
}

function foundMarks(found: FindingsByPath): ReadonlyMap<string, CellMark> {
  return new Map(
    [...found].flatMap(([path, all]) => {
      const mark = markOf(all.filter(({ exception }) => exception === null));
      return mark ? [[path, mark]] : [];
    }),
  );
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
function markOf(findings: Parameters<typeof findingText>[0]): CellMark | null {
  const severity = severityOf(findings);
  return severity ? { text: findingText(findings, '\n'), severity } : null;
}
