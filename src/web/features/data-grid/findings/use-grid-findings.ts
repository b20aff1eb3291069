import { useMemo, useState } from 'react';
import type { TableDetail } from '#shared/contract/answers.ts';
import { parseTyped } from '#web/fields/typed-text.ts';
import type { FindingsByPlace } from '#web/findings/finding.ts';
import { useListChecks } from '#web/findings/use-list-checks.ts';
import { findingWords, severityOf } from '#web/list-tools/check-field.ts';
import type { Cells, Stored } from '../edit-store/edits.ts';
import type { Editing } from '../editing.ts';
import { checkedFields, rowRecord, sourceOf, type Typed } from './row-record.ts';

/** A row of the grid, with its open editor. */
interface GridRow {
  readonly stored: Stored | null;
  readonly cells: Cells;
  readonly editing: Editing | null;
}

/** What is wrong with a cell by the checks. */
interface CellMark {
  readonly text: string;
  readonly severity: 'warn' | 'block';
}

/** What checks find in the rows of a grid; the same object as long as the checks are the same. */
export interface GridFindings {
  /** by column; empty: nothing is wrong */
  readonly marksOf: (row: GridRow) => ReadonlyMap<string, CellMark>;
  /** with the suggestions; null: they cannot be computed (yet), and the marks are all that is known */
  readonly detailOf: (row: GridRow) => FindingsByPlace | null;
}

const NO_MARKS: ReadonlyMap<string, CellMark> = new Map();
const NOTHING_TYPED: ReadonlyMap<string, Typed> = new Map();

/**
 * What checks find in the rows of a table. What is stored is marked as the service has answered it; what was typed and is
 * not saved is evaluated here.
 * @param isUsed whether something is typed, or a finding has the focus: what evaluates checks is loaded then
 */
export function useGridFindings(
  { guid, columns }: TableDetail,
  { canWrite, isUsed }: { readonly canWrite: boolean; readonly isUsed: boolean },
): GridFindings {
  const place = useMemo(() => ({ kind: 'table', id: guid }) as const, [guid]);
  const [wasUsed, setWasUsed] = useState(isUsed);
  if (isUsed && !wasUsed) setWasUsed(true);
  const checks = useListChecks(place, columns, wasUsed ? 'rules' : 'nothing');
  return useMemo(() => {
    const fields = checkedFields(columns);
    const compute = ({ stored, cells, editing }: GridRow, isEditable: boolean) => {
      const { module, evaluator, compared } = checks;
      if (!module) return null;
      const record = rowRecord(fields, { stored, cells, typing: typingIn(editing, stored) });
      const source = { ...sourceOf(fields, stored), evaluator, compared, isEditable };
      return module.computeFindings(source, record);
    };
    return {
      marksOf(row) {
        const { stored, cells, editing } = row;
        if (cells.size === 0 && !editing) return storedMarks(stored);
        const found = compute(row, false);
        return found ? marksIn(found) : storedMarks(stored);
      },
      detailOf: (row) => compute(row, canWrite),
    };
  }, [columns, checks, canWrite]);
}

function typingIn(editing: Editing | null, stored: Stored | null): ReadonlyMap<string, Typed> {
  if (!editing || editing.text === editing.initial) return NOTHING_TYPED;
  const { column, text } = editing;
  const { parsed } = parseTyped(editing.rules, text, stored?.dataset[column] ?? null);
  return new Map([[column, parsed]]);
}

/** Of rows that scroll past: drawn again they are not computed again. */
const marked = new WeakMap<NonNullable<Stored['findings']>, ReadonlyMap<string, CellMark>>();

function storedMarks(stored: Stored | null): ReadonlyMap<string, CellMark> {
  const { findings = [] } = stored ?? {};
  if (findings.length === 0) return NO_MARKS;
  let marks = marked.get(findings);
  if (!marks) {
    const names = new Set(findings.flatMap(({ fields }) => fields));
    marks = new Map(
      [...names].map((name) => {
        const own = findings.filter(({ fields }) => fields.includes(name));
        return [name, { text: findingWords(own, '\n'), severity: severityOf(own) ?? 'warn' }];
      }),
    );
    marked.set(findings, marks);
  }
  return marks;
}

function marksIn(found: FindingsByPlace): ReadonlyMap<string, CellMark> {
  return new Map(
    [...found].flatMap(([place, all]) => {
      const wrong = all.filter(({ exception }) => exception === null);
      const severity = severityOf(wrong);
      return severity ? [[place, { text: findingWords(wrong, '\n'), severity }]] : [];
    }),
  );
}
